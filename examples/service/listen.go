package main

import (
	"fmt"
	"net"
	"strconv"

	"github.com/backstay/backstay/examples/service/internal/web"
)

// completeAddress reads the address of -listen. One without a host is of this machine, and nobody else reaches it.
func completeAddress(addr string) (string, error) {
	if addr == "" {
		return "", nil
	}
	host, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return "", fmt.Errorf("-listen %q: write an address such as :8080", addr)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

// isPrivate reports whether nobody but this machine reaches the address.
func isPrivate(addr string) bool {
	host, _, _ := net.SplitHostPort(addr)
	return web.IsLoopback(host)
}
