package shop

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/backstay/backstay/examples/service/internal/peer"
)

// Books is the peer's account of what it has charged.
type Books interface {
	Ledger(ctx context.Context) (peer.Ledger, error)
}

// PeerBooks reads the peer's ledger. Nothing is declared here: that reading may be repeated is said at registration.
type PeerBooks struct{ peer Endpoint }

// NewPeerBooks returns the books of a peer.
func NewPeerBooks(e Endpoint) *PeerBooks { return &PeerBooks{peer: e} }

// Ledger makes one attempt to read the ledger.
func (b *PeerBooks) Ledger(ctx context.Context) (peer.Ledger, error) {
	var l peer.Ledger
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.peer.URL+"/ledger", nil)
	if err != nil {
		return l, err
	}
	resp, err := b.peer.Client.Do(req)
	if err != nil {
		return l, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return l, failure(resp)
	}
	err = json.NewDecoder(resp.Body).Decode(&l)
	return l, err
}
