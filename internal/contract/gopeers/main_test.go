// Package gopeers_test holds cases that users of Go's own libraries for retries, breakers and HTTP paid for. Each carries
// its token, such as go:A1, in a comment.
package gopeers_test

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
