package many

import (
	"context"
	"testing"

	"golden/script"
)

type target struct{ *script.Script }

func (t target) Book(ctx context.Context, amount int64) error { return t.Call("Book", ctx, amount) }

func (t target) Charge(ctx context.Context, amount int64) (string, error) {
	return "receipt", t.Call("Charge", ctx, amount)
}

func (t target) Note(what string) { _ = t.Call("Note", what) }

func TestMany(t *testing.T) {
	s := script.New(t)
	ctx := script.Context("many")

	s.NoError(script.Weave[Ledger](s, target{s}).Book(ctx, 1))
	s.Called("Book", ctx, int64(1))
	receipt, err := script.Weave[Gateway](s, target{s}).Charge(ctx, 2)
	s.NoError(err)
	script.Equal(s, receipt, "receipt")
	s.Called("Charge", ctx, int64(2))
	script.Weave[Audit](s, target{s}).Note("what")
	s.Called("Note", "what")
}
