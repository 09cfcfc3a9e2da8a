package browser_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// The services of a shop, each of which calls a peer.
type (
	PaymentGateway interface {
		Charge(ctx context.Context, order string) (receipt string, err error)
		Refund(ctx context.Context, order string) (receipt string, err error)
	}
	CardGateway struct {
		_ annotation.On[aliases.Retry]          `method:"Charge" maxAttempts:"3" base:"100ms" fallback:"InvoiceGateway@Charge" budget:"ttl=5s,minPerSec=2,percent=0.02"`
		_ annotation.On[aliases.CircuitBreaker] `method:"Charge" breaker:"window=60,minCalls=40,failureRatio=0.5,resetTimeout=2s"`
		_ annotation.On[aliases.Retry]          `method:"Refund" maxAttempts:"2"`
		*peer
	}
	InvoiceGateway struct{ *peer }

	Books interface {
		Record(ctx context.Context, order string) error
	}
	Ledger struct {
		_ annotation.On[aliases.Retry] `method:"Record" maxAttempts:"5" base:"20ms"`
		*peer
	}

	Rates interface {
		Quote(ctx context.Context, order string) (float64, error)
	}
	RateService struct {
		_ annotation.On[aliases.Retry] `method:"Quote" maxAttempts:"3" budget:"percent=1"`
		*peer
	}

	Mailer interface {
		Send(ctx context.Context, order string) error
	}
	SMTPMailer struct {
		_ annotation.On[aliases.Retry] `method:"Send" maxAttempts:"1"`
		*peer
	}

	// Checkout needs them all, and has nothing that is retried.
	Checkout struct {
		payments PaymentGateway
		books    Books
		rates    Rates
		mailer   Mailer
	}
)

func (g *CardGateway) Charge(ctx context.Context, order string) (string, error) {
	return "card " + order, g.call(ctx)
}

func (g *CardGateway) Refund(ctx context.Context, order string) (string, error) {
	return "refund " + order, g.call(ctx)
}

func (g *InvoiceGateway) Charge(ctx context.Context, order string) (string, error) {
	return "invoice " + order, g.call(ctx)
}

func (l *Ledger) Record(ctx context.Context, _ string) error { return l.call(ctx) }

func (r *RateService) Quote(ctx context.Context, _ string) (float64, error) { return 1.07, r.call(ctx) }

func (m *SMTPMailer) Send(ctx context.Context, _ string) error { return m.call(ctx) }

// shop is a container with these services, and the dashboard that listens to it.
type shop struct {
	*container.Container
	board    *dashboard.Dashboard
	checkout *Checkout

	cards, invoices, books, rates, mails peer
}

const (
	charge = "CardGateway@Charge"
	refund = "CardGateway@Refund"
	record = "Ledger@Record"
	quote  = "RateService@Quote"
	send   = "SMTPMailer@Send"
)

func newShop(t *testing.T, opts ...dashboard.Option) *shop {
	t.Helper()
	s := &shop{board: dashboard.New(opts...)}
	s.Container = container.New(container.WithListener(s.board))
	s.Provide(func() *CardGateway { return &CardGateway{peer: &s.cards} }, container.As[PaymentGateway]())
	s.Provide(func() *InvoiceGateway { return &InvoiceGateway{&s.invoices} })
	s.Provide(func() *Ledger { return &Ledger{peer: &s.books} }, container.As[Books]())
	s.Provide(func() *RateService { return &RateService{peer: &s.rates} }, container.As[Rates]())
	s.Provide(func() *SMTPMailer { return &SMTPMailer{peer: &s.mails} }, container.As[Mailer]())
	s.Provide(func(p PaymentGateway, b Books, r Rates, m Mailer) *Checkout { return &Checkout{p, b, r, m} })
	checkout, err := container.Get[*Checkout](s)
	require.NoError(t, err)
	s.checkout = checkout
	return s
}

// breaker is that of Charge.
func (s *shop) breaker(t *testing.T) *retry.Breaker {
	t.Helper()
	b, err := s.Breaker(charge)
	require.NoError(t, err)
	return b
}

func (s *shop) charge(ctx context.Context) {
	_, _ = s.checkout.payments.Charge(ctx, "order 41") // the page tells what came of it
}

// sell is what an order takes.
func (s *shop) sell(ctx context.Context) {
	_, _ = s.checkout.rates.Quote(ctx, "order 41")
	s.charge(ctx)
	_ = s.checkout.books.Record(ctx, "order 41")
	_ = s.checkout.mailer.Send(ctx, "order 41")
}
