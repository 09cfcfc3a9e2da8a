package wiring

import (
	"context"

	"github.com/backstay/backstay/aspect"
)

// server is what every tenth service does.
type server struct{}

func (server) Get(_ context.Context, key string) (string, error) { return key, nil }

// chainEnd is the service that needs no other.
type chainEnd struct{}

func (*chainEnd) Depth() int   { return 1 }
func (*chainEnd) before() node { return nil }

// woven counts the woven services of the chain that ends with last.
func woven(last node) (n int) {
	for last != nil {
		if aspect.IsWoven(last) {
			n++
			last = aspect.Unwrap(last.(Service))
		}
		last = last.(interface{ before() node }).before()
	}
	return n
}
