package main

import (
	"fmt"
	"log/slog"
	"net/http"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/explain"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

// graphForm is a form in which the shop can be shown.
type graphForm string

// The forms.
const (
	graphText    graphForm = "text"
	graphMermaid graphForm = "mermaid"
	graphDOT     graphForm = "dot"
)

func (f graphForm) check() error {
	switch f {
	case "", graphText, graphMermaid, graphDOT:
		return nil
	}
	return fmt.Errorf("-graph %q: write text, mermaid or dot", string(f))
}

// of is the wiring in that form.
func (f graphForm) of(w *explain.Wiring) string {
	switch f {
	case graphMermaid:
		return w.Mermaid()
	case graphDOT:
		return w.DOT()
	}
	return w.String()
}

// wiring is what the shop consists of. Nothing is built for it, so no peer is needed.
func wiring() *explain.Wiring {
	c := container.New()
	shop.Wire(c, shop.Deployment{
		Peer:  shop.Endpoint{Client: http.DefaultClient},
		Pace:  pace,
		Log:   slog.New(slog.DiscardHandler),
		Tally: &shop.Tally{},
	})
	return c.Explain()
}
