// Package programs runs the programs in the folders beside it.
package programs

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEveryProgramPrintsOK(t *testing.T) {
	mains, err := filepath.Glob("*/main.go")
	require.NoError(t, err)
	more, err := filepath.Glob("*/quota.go")
	require.NoError(t, err)
	mains = append(mains, more...)
	require.NotEmpty(t, mains)

	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin+string(os.PathSeparator), "./...")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	for _, main := range mains {
		name := filepath.Dir(main)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			out, err := exec.CommandContext(ctx, filepath.Join(bin, name)).CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Equal(t, "OK\n", string(out))
		})
	}
}
