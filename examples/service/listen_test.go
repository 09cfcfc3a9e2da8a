package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddressWithoutAHostIsOfThisMachine(t *testing.T) {
	for _, c := range []struct {
		written, want string
		private       bool
	}{
		{":8080", "127.0.0.1:8080", true},
		{":0", "127.0.0.1:0", true},
		{"localhost:8080", "localhost:8080", true},
		{"127.1.2.3:8080", "127.1.2.3:8080", true},
		{"[::1]:8080", "[::1]:8080", true},
		{"0.0.0.0:8080", "0.0.0.0:8080", false},
		{"[::]:8080", "[::]:8080", false},
		{"192.0.2.1:8080", "192.0.2.1:8080", false},
		{"shop.example:8080", "shop.example:8080", false},
	} {
		got, err := completeAddress(c.written)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
		require.Equal(t, c.private, isPrivate(got), got)
	}
}
