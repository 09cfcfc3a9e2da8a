// Package calls holds what is measured of one call: contenders that protect a service, each in the file of its library,
// the works that they do, and the check that they do them.
//
// Contenders behave alike where their libraries allow it: at most ten attempts, no wait between them, the caller's
// context given with each call. A contender whose library cannot do one of these says so in its name.
package calls

import (
	"context"
	"errors"
)

// Service is what every contender protects and what every contender is: a caller cannot tell them apart.
type Service interface {
	Get(ctx context.Context, key string) (string, error)
}

// ErrPeer is how the service fails.
var ErrPeer = errors.New("the peer failed")

const (
	maxAttempts   = 10
	fallbackValue = "fallback" // what a fallback answers
)

// Kind says what sort of contender it is.
type Kind uint8

const (
	// Backstay is one of Backstay's forms.
	Backstay Kind = iota
	// Peer is another library, or several.
	Peer
	// Hand is what a programmer would write without a library.
	Hand
	// Floor does nothing useful: it tells what a part of the work costs.
	Floor
)

// Contender protects services in one way.
type Contender struct {
	Name  string
	Kind  Kind
	Timer bool // waits through a timer, or sleeps, where the wait is zero

	// Wrap returns the service that protects target.
	Wrap func(target Service) Service
}

// ServiceFunc is a func that is a Service.
type ServiceFunc func(ctx context.Context, key string) (string, error)

// Get calls f.
func (f ServiceFunc) Get(ctx context.Context, key string) (string, error) { return f(ctx, key) }
