package eventlog_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/eventlog"
	"github.com/backstay/backstay/retry"
)

func TestTheTextOfAnErrorIsCutWhereItIsLong(t *testing.T) {
	const euro = "€" // three bytes
	for _, c := range []struct{ name, text, want string }{
		{"500 bytes", strings.Repeat("x", 500), strings.Repeat("x", 500)},
		{"one more", strings.Repeat("x", 501), strings.Repeat("x", 500) + "... (501 bytes)"},
		{"a character that does not fit", "x" + strings.Repeat(euro, 400), "x" + strings.Repeat(euro, 166) + "... (1201 bytes)"},
		{"a character that just fits", "xx" + strings.Repeat(euro, 400), "xx" + strings.Repeat(euro, 166) + "... (1202 bytes)"},
		{"bytes that are no text", strings.Repeat("\x80", 1000), strings.Repeat(string(utf8.RuneError), 496) + "... (1000 bytes)"},
	} {
		got := record(t, retry.AttemptFailed{Attempt: 1, Err: errors.New(c.text)})
		require.Equal(t, c.want, got["error"], c.name)
		got = record(t, retry.AttemptFailed{Attempt: 1, Err: errDown}, eventlog.WithRedact(func(error) string { return c.text }))
		require.Equal(t, c.want, got["error"], c.name)
	}
}

func TestEveryErrorThatGoesOutIsRedacted(t *testing.T) {
	secret := &url.Error{Op: "Get", URL: "https://peer/?token=hunter2", Err: errDown}
	redact := eventlog.WithRedact(func(err error) string { return fmt.Sprintf("a %T", err) })
	for _, c := range []struct {
		event retry.Event
		keys  []string
	}{
		{retry.AttemptFailed{Attempt: 1, Err: secret}, []string{"error"}},
		{retry.RetryScheduled{Attempt: 2, Err: secret}, []string{"error"}},
		{retry.Failed{Attempts: 1, Err: secret}, []string{"error"}},
		{retry.Exhausted{Attempts: 1, Err: secret, Reason: secret}, []string{"error", "reason"}},
		{retry.Rejected{Reason: secret}, []string{"reason"}},
		{retry.FallbackSucceeded{Cause: secret}, []string{"cause"}},
		{retry.FallbackFailed{Cause: secret, Err: secret}, []string{"cause", "error"}},
	} {
		plain, redacted := record(t, c.event), record(t, c.event, redact)
		require.NotContains(t, fmt.Sprint(redacted), "hunter2", "%T", c.event)
		for _, key := range c.keys {
			require.Equal(t, secret.Error(), plain[key], "%T", c.event)
			require.Equal(t, "a *url.Error", redacted[key], "%T", c.event)
		}
		for _, key := range c.keys {
			require.NotContains(t, record(t, c.event, eventlog.WithRedact(func(error) string { return "" })), key, "%T", c.event)
		}
		require.Equal(t, plain, record(t, c.event, redact, eventlog.WithRedact(nil)), "%T", c.event)
	}
}

// nilError is an error whose nil has no text.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

func TestAnErrorThatCannotTellItsTextFailsNoCall(t *testing.T) {
	var none *nilError
	got := record(t, retry.AttemptFailed{Attempt: 1, Err: none})
	require.Equal(t, "no text: asking a *eventlog_test.nilError for it panicked", got["error"])

	got = record(t, retry.AttemptFailed{Attempt: 1, Err: errDown}, eventlog.WithRedact(func(err error) string { panic(err) }))
	require.Equal(t, "no text: asking a *errors.errorString for it panicked", got["error"], "what it held is not told")
}
