package dashboard

import (
	"bytes"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxStreams   = 100
	tick         = time.Second
	writeTimeout = 10 * time.Second // for one event; the server's own does not hold for a stream
)

// streams are those of a handler.
type streams struct {
	n atomic.Int64

	mu      sync.Mutex
	servers map[*http.Server]chan struct{} // closed when the server shuts down
}

// ending is closed when the server of a request shuts down, which otherwise would wait for the streams as long as somebody
// watches. It is nil where the server is none of net/http's.
func (s *streams) ending(r *http.Request) <-chan struct{} {
	server, ok := r.Context().Value(http.ServerContextKey).(*http.Server)
	if !ok {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ending, ok := s.servers[server]; ok {
		return ending
	}
	if s.servers == nil {
		s.servers = map[*http.Server]chan struct{}{}
	}
	ending := make(chan struct{})
	s.servers[server] = ending
	server.RegisterOnShutdown(sync.OnceFunc(func() { close(ending) }))
	return ending
}

// stream sends the state, and then every second what has changed of it.
func (h *handler) stream(w http.ResponseWriter, r *http.Request) {
	if h.streams.n.Add(1) > maxStreams {
		h.streams.n.Add(-1)
		w.Header().Set("Retry-After", "5")
		http.Error(w, "too many streams", http.StatusServiceUnavailable)
		return
	}
	defer h.streams.n.Add(-1)

	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return
	}
	ending := h.streams.ending(r)
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	out := &eventWriter{w: w, control: http.NewResponseController(w)}
	ref, sent := r.URL.Query().Get("method"), sent{}

	out.text("retry: 2000\n\n")
	event, now := "all", h.snapshot()
	for {
		out.event(event, func(to *bytes.Buffer) { now.write(to, sent) })
		if ref != "" {
			out.event("method", func(to *bytes.Buffer) { to.Write(encode(h.board.detail(ref))) })
		}
		if out.send() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-ending:
			return
		case <-ticker.C:
		}
		event, now = "tick", h.recent(h.board.clock.now())
	}
}

// eventWriter writes events.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	next    bytes.Buffer
}

func (o *eventWriter) text(text string) { o.next.WriteString(text) }

// event adds one to what is to be sent. Its data are JSON, and so one line.
func (o *eventWriter) event(name string, write func(*bytes.Buffer)) {
	o.next.WriteString("event: " + name + "\ndata: ")
	write(&o.next)
	o.next.WriteString("\n\n")
}

// send sends what was added. Whoever does not take it in time is not waited for, where the connection can be told so.
func (o *eventWriter) send() error {
	err := o.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	if err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := o.w.Write(o.next.Bytes()); err != nil {
		return err
	}
	o.next.Reset()
	return o.control.Flush()
}
