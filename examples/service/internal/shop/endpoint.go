package shop

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/backstay/backstay/retry"
)

// Endpoint is where the payment peer is, and how to reach it.
type Endpoint struct {
	URL    string
	Client *http.Client
}

// failure is what an answer other than 200 means to the shop.
func failure(resp *http.Response) error {
	switch {
	case resp.StatusCode == http.StatusPaymentRequired:
		return ErrDeclined
	case resp.StatusCode == http.StatusServiceUnavailable:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return &BusyError{After: time.Duration(seconds) * time.Second}
	}
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
	err := fmt.Errorf("the peer says %s: %s", resp.Status, strings.TrimSpace(string(text)))
	if resp.StatusCode >= 400 && resp.StatusCode < 500 {
		return retry.Permanent(err) // the request is wrong, and would be again
	}
	return err
}
