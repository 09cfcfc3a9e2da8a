package shop

import (
	"context"
	"fmt"

	"github.com/backstay/backstay/retry"
)

// Shop takes orders. Its payments may be retried, refused by a breaker or turned into invoices; it cannot tell.
type Shop struct{ payments PaymentGateway }

// New returns a shop that is paid by payments.
func New(payments PaymentGateway) *Shop { return &Shop{payments: payments} }

// Place charges an order and returns its receipt. All attempts to charge it carry the order's number as their key.
func (s *Shop) Place(ctx context.Context, o Order) (Receipt, error) {
	receipt, settled, err := s.payments.Charge(retry.WithKey(ctx, o.Number), o)
	if err != nil {
		return Receipt{}, fmt.Errorf("order %s: %w", o.Number, err)
	}
	if !settled {
		return Receipt{}, fmt.Errorf("order %s: the payment is still pending", o.Number)
	}
	return receipt, nil
}
