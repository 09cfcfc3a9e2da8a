package peer_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/examples/service/internal/peer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a peer on a port, and a client that keeps no connections.
type running struct {
	t       *testing.T
	url     string
	client  *http.Client
	control peer.Control
}

func start(t *testing.T, plan peer.Plan) running {
	t.Helper()
	server, err := peer.Start("127.0.0.1:0", peer.New())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	control := peer.Control{URL: server.URL, Client: client}
	require.NoError(t, control.Begin(t.Context(), plan, 1))
	return running{t, server.URL, client, control}
}

const order1 = `{"order":"o1","card":"4242424242424242","cents":100}`

// post sends a charge; the answer is its status, its Retry-After and its body, or an error on the way.
func (p running) post(ctx context.Context, key, body string) (status int, after, text string, err error) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/charges", strings.NewReader(body))
	require.NoError(p.t, err)
	req.GetBody = nil // else net/http repeats it
	if key != "" {
		req.Header.Set(peer.KeyHeader, key)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return 0, "", "", err
	}
	defer resp.Body.Close()
	read, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header.Get("Retry-After"), strings.TrimSpace(string(read)), err
}

func (p running) ledger() peer.Ledger {
	p.t.Helper()
	resp, err := p.client.Get(p.url + "/ledger")
	require.NoError(p.t, err)
	defer resp.Body.Close()
	require.Equal(p.t, http.StatusOK, resp.StatusCode)
	var l peer.Ledger
	require.NoError(p.t, json.NewDecoder(resp.Body).Decode(&l))
	return l
}

var charged = []peer.Charge{{ID: "ch_000001", Key: "k1", Order: "o1", Cents: 100}}

func TestPeerAnswersAsItsPlanSays(t *testing.T) {
	for _, c := range []struct {
		name   string
		plan   peer.Plan
		status int
		after  string
		text   string
		ledger []peer.Charge
	}{
		{"healthy", peer.Plan{}, 200, "", `{"status":"charged","id":"ch_000001"}`, charged},
		{"busy, in whole seconds", peer.Plan{Busy: 1, RetryAfter: 1500 * time.Millisecond}, 503, "2", "busy", nil},
		{"overloaded", peer.Plan{Overloaded: 1}, 503, "30", "busy", nil},
		{"pending", peer.Plan{Pending: 1}, 200, "", `{"status":"pending"}`, nil},
		{"slow", peer.Plan{Slow: 1, SlowBy: time.Millisecond}, 200, "", `{"status":"charged","id":"ch_000001"}`, charged},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, c.plan)
			status, after, text, err := p.post(t.Context(), "k1", order1)
			require.NoError(t, err)
			require.Equal(t, c.status, status)
			require.Equal(t, c.after, after)
			require.Equal(t, c.text, text)
			if c.plan.Busy > 0 {
				require.NoError(t, p.control.Begin(t.Context(), peer.Plan{}, 1)) // a busy peer's ledger is busy too
			}
			require.Equal(t, c.ledger, p.ledger().Charges)
		})
	}
}

func TestResetInMidAnswerHasCharged(t *testing.T) {
	p := start(t, peer.Plan{Reset: 1})
	_, _, _, err := p.post(t.Context(), "k1", order1)
	require.Error(t, err)
	require.Equal(t, charged, p.ledger().Charges)
}

func TestSlowAnswerThatNobodyAwaitsHasCharged(t *testing.T) {
	p := start(t, peer.Plan{Slow: 1, SlowBy: time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, _, _, err := p.post(ctx, "k1", order1)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, charged, p.ledger().Charges)
}

func TestOutageChargesNothingAndIsCounted(t *testing.T) {
	p := start(t, peer.Plan{OutageTo: time.Hour})
	said503, said := 0, ""
	for range 20 {
		status, after, text, err := p.post(t.Context(), "k1", order1)
		if err == nil {
			require.Equal(t, http.StatusServiceUnavailable, status)
			require.Empty(t, after)
			said503, said = said503+1, text
		}
	}
	require.Greater(t, said503, 0, "some are told 503")
	require.Less(t, said503, 20, "some are dropped")
	require.Equal(t, "no healthy upstream", said)
	_, _, _, _ = p.post(t.Context(), "k2", order1)

	stats, err := p.control.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, peer.Stats{Attempts: 21, Outage: peer.OutageStats{Attempts: 21, Orders: 2}}, stats)
	require.Empty(t, p.ledger().Charges)
}

func TestOutageEnds(t *testing.T) {
	p := start(t, peer.Plan{OutageTo: time.Nanosecond})
	status, _, _, err := p.post(t.Context(), "k1", order1)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
}

func TestKeyIsChargedOnceAndAnsweredTheSame(t *testing.T) {
	p := start(t, peer.Plan{})
	for range 3 {
		_, _, text, err := p.post(t.Context(), "k1", order1)
		require.NoError(t, err)
		require.Equal(t, `{"status":"charged","id":"ch_000001"}`, text)
	}
	require.Equal(t, charged, p.ledger().Charges)
}

func TestOtherKeyChargesTheSameOrderAgain(t *testing.T) {
	p := start(t, peer.Plan{})
	_, _, _, _ = p.post(t.Context(), "k1", order1)
	_, _, _, _ = p.post(t.Context(), "k2", order1)
	require.Len(t, p.ledger().Charges, 2, "or the ledger would prove nothing")
}

func TestPeerThatIgnoresKeysChargesTwice(t *testing.T) {
	p := start(t, peer.Plan{IgnoreKeys: true})
	_, _, _, _ = p.post(t.Context(), "k1", order1)
	_, _, _, _ = p.post(t.Context(), "k1", order1)
	require.Len(t, p.ledger().Charges, 2)
}

func TestRequestsThatCannotBeCharged(t *testing.T) {
	for _, c := range []struct {
		name, key, body string
		status          int
		text            string
	}{
		{"a declined card", "k", `{"order":"o","card":"` + peer.DeclinedCard + `","cents":1}`, 402, "card declined"},
		{"no key", "", order1, 400, "there is no Idempotency-Key header"},
		{"no JSON", "k", "?", 400, "the body is no charge: invalid character '?' looking for beginning of value"},
		{"no cents", "k", `{"order":"o","card":"1"}`, 400, "a charge has an order, a card and cents above 0"},
		{"the key of another order", "k0", order1, 422, "the key belongs to another order"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, peer.Plan{})
			_, _, _, err := p.post(t.Context(), "k0", `{"order":"o0","card":"1","cents":5}`)
			require.NoError(t, err)
			status, _, text, err := p.post(t.Context(), c.key, c.body)
			require.NoError(t, err)
			require.Equal(t, c.status, status)
			require.Equal(t, c.text, text)
			require.Len(t, p.ledger().Charges, 1)
		})
	}
}

func TestBusyPeersLedgerIsBusyOnce(t *testing.T) {
	p := start(t, peer.Plan{Busy: .01})
	resp, err := p.client.Get(p.url + "/ledger")
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
	require.Empty(t, p.ledger().Charges)
}

func TestNewPlanCountsAnewAndKeepsTheLedger(t *testing.T) {
	p := start(t, peer.Plan{})
	_, _, _, _ = p.post(t.Context(), "k1", order1)
	require.NoError(t, p.control.Begin(t.Context(), peer.Plan{}, 2))
	stats, err := p.control.Stats(t.Context())
	require.NoError(t, err)
	require.Zero(t, stats)
	require.Equal(t, charged, p.ledger().Charges)
}

func TestPlanThatCannotBeIsRefused(t *testing.T) {
	p := start(t, peer.Plan{})
	for want, plan := range map[string]peer.Plan{
		"PUT /plan: 400 Bad Request: the shares of faults add up to 1.5; write 1 at most": {Busy: 1, Slow: .5},
		"PUT /plan: 400 Bad Request: the share -1 is below 0":                             {Reset: -1},
		"PUT /plan: 400 Bad Request: a time is below 0":                                   {SlowBy: -1},
	} {
		require.EqualError(t, p.control.Begin(t.Context(), plan, 1), want)
	}
}

func TestControlOfSomethingElseTellsWhatItSays(t *testing.T) {
	p := start(t, peer.Plan{})
	err := peer.Control{URL: p.url + "/elsewhere", Client: p.client}.Begin(t.Context(), peer.Plan{}, 1)
	require.EqualError(t, err, "PUT /plan: 404 Not Found: 404 page not found")
}

func TestStartRefusesAddresses(t *testing.T) {
	for addr, want := range map[string]string{
		"nowhere":      `address "nowhere": write host:port, such as 127.0.0.1:8090`,
		"0.0.0.0:8090": `address "0.0.0.0:8090" is not on this machine alone; write 127.0.0.1:PORT`,
		":8090":        `address ":8090" is not on this machine alone; write 127.0.0.1:PORT`,
	} {
		_, err := peer.Start(addr, peer.New())
		require.EqualError(t, err, want)
	}
}
