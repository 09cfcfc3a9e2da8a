package snippets_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Account tells what a call did, and what the calls inside it did.
func Account(r *retry.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s", r.Ref, r.Ended)
	if r.Limit != "" {
		fmt.Fprintf(&b, " by %s", r.Limit)
	}
	fmt.Fprintf(&b, ", attempts %d, waits %v, errors %v", r.Attempts, r.Waits, r.Errors)
	if r.Fallback {
		b.WriteString(", then the fallback")
	}
	b.WriteString("\n")
	for _, inner := range r.Children {
		for line := range strings.Lines(Account(inner)) {
			b.WriteString("    " + line)
		}
	}
	return b.String()
}

func TestTheAccountOfOneCall(t *testing.T) {
	inTheNight(t, func(t *testing.T) {
		c := container.New()
		wireCards(c).err = errUnavailable
		gateway, err := container.Get[PaymentGateway](c)
		require.NoError(t, err)
		ctx := t.Context()

		ctx, report := retry.WithReport(ctx)
		receipt, err := gateway.Charge(ctx, "41")
		fmt.Println(receipt, err)
		fmt.Print(Account(report))

		requireShown(t, "text", fmt.Sprintln(receipt, err)+Account(report))
	})
}

// Shipping sends what was ordered, by a peer that fails.
type Shipping interface {
	Send(ctx context.Context, order string) error
}

type ParcelService struct {
	_ annotation.On[aliases.Retry] `method:"Send" maxAttempts:"3" base:"100ms"`
}

func NewParcelService() *ParcelService { return &ParcelService{} }

var errTimedOut = errors.New("timed out")

func (*ParcelService) Send(context.Context, string) error { return errTimedOut }

// Delivery is a layer above that retries too.
type Delivery interface {
	Deliver(ctx context.Context, order string) error
}

type ParcelDelivery struct {
	_        annotation.On[aliases.Retry] `method:"Deliver" maxAttempts:"3" base:"1s"`
	shipping Shipping
}

func NewParcelDelivery(s Shipping) *ParcelDelivery { return &ParcelDelivery{shipping: s} }

func (d *ParcelDelivery) Deliver(ctx context.Context, order string) error {
	if err := d.shipping.Send(ctx, order); err != nil {
		return fmt.Errorf("deliver %s: %w", order, err)
	}
	return nil
}

func TestWhoGaveUpInside(t *testing.T) {
	inTheNight(t, func(t *testing.T) {
		c := container.New()
		c.Provide(NewParcelService, container.As[Shipping]())
		c.Provide(NewParcelDelivery, container.As[Delivery]())
		delivery, err := container.Get[Delivery](c)
		require.NoError(t, err)
		ctx, report := retry.WithReport(t.Context())
		require.ErrorIs(t, delivery.Deliver(ctx, "41"), errTimedOut)
		requireShown(t, "text", Account(report))
	})
}
