package dashboard

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

//go:embed assets
var assets embed.FS

// file is one of the page's.
type file struct {
	contentType string
	tag         string // of this content and no other
	content     []byte
}

// contentTypes are those of the files that there may be. The operating system's opinion is not asked.
var contentTypes = map[string]string{
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".svg":   "image/svg+xml",
	".png":   "image/png",
	".ico":   "image/x-icon",
	".woff2": "font/woff2",
	".json":  "application/json",
}

// files are those of the page by the path that they are served under, and there is nothing else: no path leads anywhere that is
// not listed here.
var files = sync.OnceValue(func() map[string]file {
	all := map[string]file{}
	err := fs.WalkDir(assets, "assets", func(name string, entry fs.DirEntry, err error) error {
		kind, known := contentTypes[path.Ext(name)]
		if err != nil || entry.IsDir() || !known {
			return err
		}
		content, err := assets.ReadFile(name)
		sum := sha256.Sum256(content)
		served := "/" + name
		if name == "assets/index.html" {
			served = "/"
		}
		all[served] = file{kind, `"` + hex.EncodeToString(sum[:12]) + `"`, content}
		return err
	})
	if err != nil {
		panic("backstay: dashboard: " + err.Error()) // a bug: what is embedded can be read
	}
	return all
})

// serve answers with the file, or that it is still the one that the browser has.
func (f file) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", f.contentType)
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", f.tag)
	http.ServeContent(w, r, strings.TrimPrefix(r.URL.Path, "/"), time.Time{}, bytes.NewReader(f.content))
}
