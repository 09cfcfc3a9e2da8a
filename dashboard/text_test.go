package dashboard_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// panics is an error that has no text.
type panics struct{ text *string }

func (p panics) Error() string { return *p.text }

func TestTextsOfErrors(t *testing.T) {
	card := regexp.MustCompile(`\d{16}`)
	redact := dashboard.WithRedact(func(err error) string { return card.ReplaceAllString(err.Error(), "(card)") })
	for _, c := range []struct {
		name string
		opts []dashboard.Option
		err  error
		want string
	}{
		{"as it is", nil, err503, "503 Service Unavailable"},
		{"no error", nil, nil, "unwanted result"},
		{"no redaction", []dashboard.Option{dashboard.WithRedact(nil)}, err503, "503 Service Unavailable"},
		{"redacted", []dashboard.Option{redact}, errors.New("4242424242424242 is blocked"), "(card) is blocked"},
		{"as long as may be", nil, errors.New(strings.Repeat("x", 200)), strings.Repeat("x", 200)},
		{"longer", nil, errors.New(strings.Repeat("x", 201)), strings.Repeat("x", 199) + "…"},
		{"characters, not bytes", nil, errors.New(strings.Repeat("ж", 200)), strings.Repeat("ж", 200)},
		{"longer, in characters", nil, errors.New(strings.Repeat("ж", 201)), strings.Repeat("ж", 199) + "…"},
		{"redacted before it is cut", []dashboard.Option{redact}, errors.New(strings.Repeat("x", 190) + " 4242424242424242"), strings.Repeat("x", 190) + " (card)"},
		{"not UTF-8", nil, errors.New("\xff" + strings.Repeat("x", 3)), "\ufffdxxx"},
		{"an error that panics", nil, panics{}, "error without a text"},
		{"an error without a text", nil, errors.New(""), "error without a text"},
		{"a redaction that leaves nothing", []dashboard.Option{dashboard.WithRedact(func(error) string { return "" })}, err503, "error without a text"},
		{"a redaction that panics", []dashboard.Option{dashboard.WithRedact(func(error) string { panic("no") })}, err503, "error without a text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			board := dashboard.New(c.opts...)
			play(t.Context(), board, retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: c.err, Session: 64})
			play(t.Context(), board, retry.Exhausted{MethodRef: charge, Limit: "budget", Attempts: 1, Err: c.err, Session: 64})
			_, m := look(t, board.Handler(nil), "CardGateway@Charge")
			require.Equal(t, c.want, one(t, board).LastError)
			require.Equal(t, c.want, m.Errors[0].Text)
			require.Equal(t, c.want, m.Sessions[0].Error)
			require.Equal(t, c.want, m.Sessions[0].Attempts[0].Error)
			require.LessOrEqual(t, utf8.RuneCountInString(m.Errors[0].Text), 200)
		})
	}
}

// Every error that goes out goes through the redaction.
func TestNoErrorGoesOutUnredacted(t *testing.T) {
	secret := errors.New("the secret")
	board := dashboard.New(dashboard.WithRedact(func(error) string { return "redacted" }))
	play(t.Context(), board,
		retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: secret, Session: 64},
		retry.RetryScheduled{MethodRef: charge, Attempt: 2, Err: secret, Session: 64},
		retry.AttemptFailed{MethodRef: charge, Attempt: 2, Err: secret, Session: 64},
		retry.Exhausted{MethodRef: charge, Limit: "budget", Attempts: 2, Err: secret, Reason: secret, Session: 64},
		retry.FallbackFailed{MethodRef: charge, Cause: secret, Err: secret, Session: 64},
		retry.Failed{MethodRef: charge, Attempts: 1, Err: secret, Session: 128},
		retry.Exhausted{MethodRef: charge, Limit: "budget", Attempts: 3, Err: secret, Session: 256},
		retry.Rejected{MethodRef: charge, Reason: secret, Gate: "quota", Session: 64},
		retry.FallbackSucceeded{MethodRef: charge, Cause: secret, Session: 64},
	)
	body := get(board.Handler(nil), "/state?method=CardGateway%40Charge").Body.String()
	require.NotContains(t, body, "secret")
	require.Contains(t, body, "fallback: redacted")
}
