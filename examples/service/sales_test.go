package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

func TestSalesKnowWhereEachOrderIs(t *testing.T) {
	broken := errors.New("broken")
	s := newSales(8)
	for _, c := range []struct {
		number string
		by     shop.Means
		err    error
		want   state
	}{
		{"1", shop.ByCard, nil, paidByCard},
		{"2", shop.ByInvoice, nil, paidByInvoice},
		{"3", "", fmt.Errorf("order 3: %w", shop.ErrDeclined), refused},
		{"4", "", fmt.Errorf("order 4: %w", context.Canceled), interrupted},
		{"5", "", broken, failed},
		{"6", "", errors.New("broken, too"), failed},
	} {
		s.begin(c.number)
		s.end(c.number, shop.Receipt{By: c.by}, c.err)
		states, _ := s.states()
		require.Equal(t, c.want, states[c.number])
	}
	s.begin("7")
	_, first := s.states()
	require.Equal(t, broken, first)
	require.Equal(t, [failed + 1]int{
		waiting: 1, inHand: 1, paidByCard: 1, paidByInvoice: 1, refused: 1, interrupted: 1, failed: 2,
	}, s.counts())
}
