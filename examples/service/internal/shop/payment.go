package shop

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Every order passes here, so the proxy of this interface is generated. That of Books is made at run time.
//
//go:generate go tool backstay -type PaymentGateway

// PaymentGateway charges orders.
type PaymentGateway interface {
	// Charge takes an order's total from its customer. settled is false while the payment is pending: nobody knows yet
	// how it ends.
	Charge(ctx context.Context, o Order) (r Receipt, settled bool, err error)
}

// Receipt is the proof that an order is paid, or will be.
type Receipt struct {
	ID string
	By Means
}

// Means is how an order is paid.
type Means string

const (
	ByCard    Means = "card"
	ByInvoice Means = "invoice"
)

// ErrDeclined is the peer's answer to a card that it does not accept. It is an answer, not a failure.
var ErrDeclined = errors.New("card declined")

// BusyError is a peer that is there, but does not want to work now.
type BusyError struct {
	After time.Duration // when it wants to be asked again; 0 if it does not say
}

func (e *BusyError) Error() string {
	if e.After == 0 {
		return "the peer is busy"
	}
	return fmt.Sprintf("the peer is busy for %v", e.After)
}

// RetryAfter tells how long to wait before the next attempt; the session asks for it.
func (e *BusyError) RetryAfter() time.Duration { return e.After }
