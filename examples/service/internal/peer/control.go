package peer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Control is the operator's side of a peer that runs somewhere: it sets the plan, reads the stats, and closes the books.
type Control struct {
	URL    string
	Client *http.Client
}

// Begin begins a plan.
func (c Control) Begin(ctx context.Context, plan Plan, seed uint64) error {
	return c.do(ctx, http.MethodPut, "/plan", PlanRequest{Plan: plan, Seed: seed}, nil)
}

// Stats tells what arrived since the plan began.
func (c Control) Stats(ctx context.Context) (Stats, error) {
	var s Stats
	err := c.do(ctx, http.MethodGet, "/stats", nil, &s)
	return s, err
}

// Forget has the peer forget what it has charged, up to and including the charge with that ID, and the keys of it. An order
// that comes again is charged again then.
func (c Control) Forget(ctx context.Context, through string) error {
	return c.do(ctx, http.MethodDelete, "/ledger?through="+url.QueryEscape(through), nil, nil)
}

func (c Control) do(ctx context.Context, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var body bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&body).Encode(in); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, &body)
	if err != nil {
		return err
	}
	resp, err := c.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
		return fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, strings.TrimSpace(string(text)))
	}
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}
