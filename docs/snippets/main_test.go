// Package snippets_test holds the programs that the documents show, each with a test of what it does.
package snippets_test

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
