package peer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/peer"
)

func TestPeerForgetsChargesAndTheirKeys(t *testing.T) {
	p := start(t, peer.Plan{})
	for _, key := range []string{"k1", "k2", "k3"} {
		_, _, _, _ = p.post(t.Context(), key, order1)
	}
	require.NoError(t, p.control.Forget(t.Context(), "ch_000002"))
	require.Equal(t, []peer.Charge{{ID: "ch_000003", Key: "k3", Order: "o1", Cents: 100}}, p.ledger().Charges)

	_, _, text, err := p.post(t.Context(), "k3", order1)
	require.NoError(t, err)
	require.Equal(t, `{"status":"charged","id":"ch_000003"}`, text, "what came later is known as before")
	_, _, text, err = p.post(t.Context(), "k1", order1)
	require.NoError(t, err)
	require.Equal(t, `{"status":"charged","id":"ch_000004"}`, text, "no ID is used again")

	require.EqualError(t, p.control.Forget(t.Context(), "ch_000002"), "DELETE /ledger?through=ch_000002: 404 Not Found: there is no such charge")
	require.Len(t, p.ledger().Charges, 2)
}

func TestKeyThatIsChargedAgainIsKnownByItsLastCharge(t *testing.T) {
	p := start(t, peer.Plan{IgnoreKeys: true})
	_, _, _, _ = p.post(t.Context(), "k1", order1)
	_, _, _, _ = p.post(t.Context(), "k1", order1)
	require.NoError(t, p.control.Forget(t.Context(), "ch_000001"))
	require.NoError(t, p.control.Begin(t.Context(), peer.Plan{}, 1))
	_, _, text, err := p.post(t.Context(), "k1", order1)
	require.NoError(t, err)
	require.Equal(t, `{"status":"charged","id":"ch_000002"}`, text)
}
