package shop_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
)

func TestQueueStrikesWhatIsCharged(t *testing.T) {
	q := shop.NewQueue()
	for _, n := range []string{"1", "2", "2", "3"} {
		q.Add(shop.Order{Number: n})
	}
	struck := q.Strike(peer.Ledger{Charges: []peer.Charge{{Order: "2"}, {Order: "9"}}})
	require.Equal(t, 1, struck)
	require.Equal(t, map[string]bool{"1": true, "3": true}, q.Numbers())
}

func TestQueueIsEmptyWhenTheInvoicesAreWritten(t *testing.T) {
	q := shop.NewQueue()
	q.Add(shop.Order{Number: "1"})
	q.WriteInvoices()
	require.Empty(t, q.Numbers())
	q.Add(shop.Order{Number: "2"})
	require.Equal(t, map[string]bool{"2": true}, q.Numbers())
}
