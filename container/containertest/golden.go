package containertest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// updateGolden is the environment variable that makes [Golden] write.
const updateGolden = "BACKSTAY_UPDATE"

// Golden fails t if text is not what the file holds, and shows in which lines they differ. It is for what should change only
// when somebody means it to, such as the picture of a program's wiring:
//
//	containertest.Golden(t, "testdata/wiring.dot", c.Explain().DOT())
//
// Run with the environment variable BACKSTAY_UPDATE=1, it writes the file instead, and its directory if need be; so it does
// under a flag -update, where the test's own package has defined one. Line ends are compared as \n, whatever the file has.
func Golden(t testing.TB, path, text string) {
	t.Helper()
	if updates() {
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatalf("containertest: %v", err)
		}
		return
	}
	file, err := os.ReadFile(path)
	how := fmt.Sprintf("if it is meant, run the test with %s=1", updateGolden)
	switch want := unix.Replace(string(file)); {
	case errors.Is(err, fs.ErrNotExist):
		t.Errorf("containertest: there is no %s; to write it, run the test with %s=1", path, updateGolden)
	case err != nil:
		t.Errorf("containertest: %v", err)
	case want != unix.Replace(text):
		t.Errorf("containertest: %s differs (- the file, + what is); %s%s", path, how, diff(want, unix.Replace(text)))
	}
}

// unix makes line ends those of Unix: git may have given the file others.
var unix = strings.NewReplacer("\r\n", "\n")

// updates reports whether golden files are to be written. The flag is not defined here, since a test's package that defines
// one of that name would panic then.
func updates() bool {
	if v := os.Getenv(updateGolden); v != "" && v != "0" {
		return true
	}
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}
