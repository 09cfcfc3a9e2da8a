package dynproxy_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	command := exec.Command("go", "run", "gen.go", "-check")
	// The generator runs here, whatever these tests were built for.
	command.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GOARCH=") || strings.HasPrefix(v, "GOOS=") || strings.HasPrefix(v, "GOFLAGS=")
	})
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
}
