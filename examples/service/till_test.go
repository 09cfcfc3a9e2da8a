package main

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

func TestTheHotInterfaceHasAGeneratedProxyAndTheOtherOneMadeAtRunTime(t *testing.T) {
	till, err := run{}.open(t.Context(), shop.Deployment{Pace: pace, Log: slog.New(slog.DiscardHandler), Tally: &shop.Tally{}})
	require.NoError(t, err)
	require.Equal(t, "CardGateway generated, PeerBooks run-time", till.proxies)
}
