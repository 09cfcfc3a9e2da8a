package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
)

func TestAuditFindsWhereAnOrderHasEnded(t *testing.T) {
	const one = "BS-0"
	for _, c := range []struct {
		name    string
		state   state
		charges int
		queued  bool
		want    audit
	}{
		{"charged on-line", paidByCard, 1, false, audit{online: 1}},
		{"charged by invoice", paidByInvoice, 0, true, audit{invoiced: 1}},
		{"the answer was lost", paidByInvoice, 1, false, audit{online: 1}},
		{"refused", refused, 0, false, audit{refused: 1}},
		{"interrupted", interrupted, 0, false, audit{interrupted: 1}},
		{"interrupted, but charged", interrupted, 1, false, audit{online: 1}},
		{"not begun", waiting, 0, false, audit{waiting: 1}},
		{"not begun, charged in an earlier run", waiting, 1, false, audit{waiting: 1}},

		{"the ledger does not know it", paidByCard, 0, false, audit{lost: culprits{1, []string{one}}}},
		{"the queue does not know it", paidByInvoice, 0, false, audit{lost: culprits{1, []string{one}}}},
		{"failed", failed, 0, false, audit{lost: culprits{1, []string{one}}}},
		{"twice in the ledger", paidByCard, 2, false, audit{online: 1, twice: culprits{1, []string{one}}}},
		{"in the ledger and in the queue", paidByInvoice, 1, true, audit{online: 1, twice: culprits{1, []string{one}}}},
		{"charged though refused", refused, 1, false, audit{online: 1, chargedRefused: culprits{1, []string{one}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ledger := peer.Ledger{Charges: []peer.Charge{{Order: "of another run"}}}
			for range c.charges {
				ledger.Charges = append(ledger.Charges, peer.Charge{Order: one})
			}
			queue := map[string]bool{}
			if c.queued {
				queue[one] = true
			}
			got := newAudit([]shop.Order{{Number: one}}, map[string]state{one: c.state}, ledger, queue)
			require.Equal(t, c.want, got)
			require.Equal(t, c.want.lost.n+c.want.twice.n+c.want.chargedRefused.n == 0, got.clean())
		})
	}
}

func TestBelievedLedgerHasWhatTheShopHasReceiptsFor(t *testing.T) {
	l := believed(map[string]state{"1": paidByCard, "2": paidByInvoice, "3": refused})
	require.Equal(t, peer.Ledger{Charges: []peer.Charge{{Key: "1", Order: "1"}}}, l)
}
