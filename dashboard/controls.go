package dashboard

import (
	"errors"
	"mime"
	"net/http"

	"github.com/backstay/backstay/retry"
)

var errNoBreaker = errors.New("there is no such breaker")

// maxForm is the largest form that is read.
const maxForm = 4 << 10

// actions are what may be done to a breaker.
var actions = map[string]func(*retry.Breaker){
	"open":    (*retry.Breaker).ForceOpen,
	"close":   (*retry.Breaker).ForceClose,
	"metrics": (*retry.Breaker).MetricsOnly,
	"reset":   (*retry.Breaker).Reset,
}

// control turns a breaker. Who may is asked before what there is: to the others all names are alike.
func (h *handler) control(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		refuseMethod(w, "POST")
		return
	}
	var origins http.CrossOriginProtection
	if origins.Check(r) != nil {
		http.Error(w, "forbidden", http.StatusForbidden)
		return
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/x-www-form-urlencoded" {
		http.Error(w, "send a form: application/x-www-form-urlencoded", http.StatusUnsupportedMediaType)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	var tooLarge *http.MaxBytesError
	if err := r.ParseForm(); errors.As(err, &tooLarge) {
		http.Error(w, "the form is too large", http.StatusRequestEntityTooLarge)
		return
	} else if err != nil {
		http.Error(w, "the form is malformed", http.StatusBadRequest)
		return
	}
	if h.board.allow(r) != nil {
		http.Error(w, "forbidden", http.StatusForbidden)
		return
	}
	act := actions[r.PostForm.Get("action")]
	if act == nil {
		http.Error(w, "action must be open, close, metrics or reset", http.StatusBadRequest)
		return
	}
	b := h.breaker(r.PostForm.Get("name"))
	if b == nil {
		http.Error(w, errNoBreaker.Error(), http.StatusNotFound)
		return
	}
	act(b)
	w.WriteHeader(http.StatusNoContent)
}

// breaker is the one that is listed under a name, or nil.
func (h *handler) breaker(name string) *retry.Breaker {
	now := h.board.moment()
	for _, b := range h.board.breakersOf(h.source, h.source.Status().Breakers, &now) {
		if b.status.Name != name {
			continue
		}
		if b.Breaker != nil {
			return b.Breaker
		}
		if found, err := h.source.Breaker(name); err == nil {
			return found
		}
	}
	return nil
}
