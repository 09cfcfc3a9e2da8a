// Package microprofile_test holds the cases of the technology compatibility kit of MicroProfile Fault Tolerance that have
// a meaning in Go. Each carries its identifier in the name of its subtest, such as mp:R1.
package microprofile_test

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
