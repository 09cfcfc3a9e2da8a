package faults_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

// kinded is a policy whose Kind does something.
type kinded struct{ kind func() string }

func (k kinded) Kind() string             { return k.kind() }
func (kinded) Limit(*retry.Session) error { return nil }

// A chain is compiled once, by its first call. If that fails the calls after it are told so.
func TestAPolicyThatFailsWhileItsChainIsCompiled(t *testing.T) {
	for name, d := range deeds {
		t.Run(name, func(t *testing.T) {
			chain := retry.With(kinded{func() string { d.do(); return "kinded" }}).Named("till")
			got := watched(func() { _ = chain.Run(t.Context(), func(context.Context) error { return nil }) })
			require.False(t, got.returned)
			d.seen(t, got)
			for range 2 {
				err := chain.Run(t.Context(), func(context.Context) error { t.Error("called"); return nil })
				var definition *retry.DefinitionError
				require.ErrorAs(t, err, &definition)
				require.Equal(t, "till", definition.Ref.Name)
				h, err := chain.Policy()
				require.Error(t, err)
				require.Nil(t, h)
			}
		})
	}
}
