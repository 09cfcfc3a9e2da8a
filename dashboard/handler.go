package dashboard

import (
	"bytes"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// Handler serves the page of what the dashboard has collected, and of a source: its services as a graph, their settings, their
// breakers and budgets. With nil the page shows what events tell, which is enough for chains and weavers.
//
// All its links are relative, so it may be mounted anywhere, behind http.StripPrefix. Several handlers, of several sources,
// may show one dashboard. PROTOCOL.md has what it serves, for scripts.
//
// Whoever reaches the page sees which services there are and what their errors say. It is for operators: put it on a listener
// of its own, on the loopback, or behind the authentication that your other internal pages have.
func (d *Dashboard) Handler(source Source) http.Handler {
	if source == nil {
		source = nothing{}
	}
	return &handler{board: d, source: &described{Source: source}}
}

// handler is the page over one source.
type handler struct {
	board   *Dashboard
	source  *described
	shared  shared
	streams streams
}

// policy lets the page use what comes with it, and nothing else use the page.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "no-store") // of data, errors and redirects; files say otherwise

	p := pathOf(r)
	if p == "/breaker" && h.board.allow != nil {
		h.control(w, r)
		return
	}
	answer := h.route(p)
	switch {
	case answer == nil:
		http.Error(w, "not found", http.StatusNotFound)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		refuseMethod(w, "GET, HEAD")
	default:
		answer(w, r)
	}
}

// route is what answers to a path, or nil.
func (h *handler) route(p string) func(http.ResponseWriter, *http.Request) {
	switch p {
	case "":
		return redirect
	case "/wiring":
		return h.wiring
	case "/state":
		return h.state
	case "/stream":
		return h.stream
	}
	if f, ok := files()[p]; ok {
		return f.serve
	}
	return nil
}

func refuseMethod(w http.ResponseWriter, allowed string) {
	w.Header().Set("Allow", allowed)
	http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
}

// pathOf is the path below the mount; empty of a mount that was asked for without its slash. A prefix may have been stripped
// with its slash, as is usual for files.
func pathOf(r *http.Request) string {
	p := r.URL.Path
	if strings.HasPrefix(p, "/") || p == "" && !strings.HasSuffix(requested(r), "/") {
		return p
	}
	return "/" + p
}

// requested is the path that was asked for, before anything was stripped from it.
func requested(r *http.Request) string {
	p, _, _ := strings.Cut(r.RequestURI, "?")
	return p
}

// redirect goes from the mount without its slash to the one with it. The target is relative, since a prefix may have been
// stripped here and another one before.
func redirect(w http.ResponseWriter, r *http.Request) {
	last := path.Base(requested(r))
	if u, err := url.PathUnescape(last); err == nil {
		last = url.PathEscape(u)
	}
	w.Header().Set("Location", "./"+last+"/")
	w.WriteHeader(http.StatusPermanentRedirect)
}

func (h *handler) wiring(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, r, encode(h.source.wiring()))
}

func (h *handler) state(w http.ResponseWriter, r *http.Request) {
	var answer bytes.Buffer
	answer.WriteString(`{"state":`)
	h.snapshot().write(&answer, sent{})
	if ref := r.URL.Query().Get("method"); ref != "" {
		answer.WriteString(`,"method":`)
		answer.Write(encode(h.board.detail(ref)))
	}
	answer.WriteString("}")
	writeJSON(w, r, answer.Bytes())
}

// writeJSON answers with data.
func writeJSON(w http.ResponseWriter, r *http.Request, data []byte) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		_, _ = w.Write(data) // who has gone away does not read it
	}
}
