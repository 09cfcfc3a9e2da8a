package declarative_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// Structs that others embed, and what they become.
type (
	base struct {
		_ annotation.On[aliases.Retry] `method:"Call" maxAttempts:"3"`
		*Remote
	}
	guardedBase struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"Call" maxAttempts:"1" breaker:"window=8,failureRatio=1"`
		*Remote
	}

	// overriding has its own Call.
	overriding struct{ base }
	// general says something of all methods, and leaves Call to the base.
	general struct {
		_ annotation.On[aliases.Retry] `method:"*" maxAttempts:"5"`
		base
	}
	generalGuard struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"*" maxAttempts:"1" breaker:"window=4,failureRatio=1"`
		guardedBase
	}
	overridingGuard struct{ guardedBase }
)

func (o *overriding) Call(ctx context.Context) (string, error)      { return o.base.Call(ctx) }
func (o *overridingGuard) Call(ctx context.Context) (string, error) { return o.guardedBase.Call(ctx) }

// decl:69. A mark of an embedded struct counts for the method that is promoted, and beats what the outer struct says of all
// methods; a method that the outer struct writes anew has lost it.
func TestAMarkOfAnEmbeddedStructGoesWithThePromotedMethod(t *testing.T) {
	for name, test := range map[string]struct {
		peer func(*Remote) Peer
		want int
	}{
		"promoted":                       {func(r *Remote) Peer { return &base{Remote: r} }, 3},
		"overridden":                     {func(r *Remote) Peer { return &overriding{base{Remote: r}} }, 1},
		"promoted, and * of the outer's": {func(r *Remote) Peer { return &general{base: base{Remote: r}} }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			remote := down()
			peer, err := aspect.Wrap[Peer](aspect.NewWeaver(), test.peer(remote))
			require.NoError(t, err)
			_, err = peer.Call(t.Context())
			require.Equal(t, errBoom, err)
			require.Equal(t, test.want, remote.count())
		})
	}
}

// decl:69. The same of a breaker: the settings of the promoted method's mark hold, and an overridden one has no breaker.
func TestABreakerOfAnEmbeddedStructGoesWithThePromotedMethod(t *testing.T) {
	for name, test := range map[string]struct {
		peer func(*Remote) Peer
		want int // calls that reach the peer, of twenty
	}{
		"promoted, and * of the outer's": {func(r *Remote) Peer { return &generalGuard{guardedBase: guardedBase{Remote: r}} }, 8},
		"overridden":                     {func(r *Remote) Peer { return &overridingGuard{guardedBase{Remote: r}} }, 20},
	} {
		t.Run(name, func(t *testing.T) {
			remote := down()
			peer, err := aspect.Wrap[Peer](aspect.NewWeaver(), test.peer(remote))
			require.NoError(t, err)
			for range 20 {
				_, err = peer.Call(t.Context())
				require.Error(t, err)
			}
			require.Equal(t, test.want, remote.count())
		})
	}
}
