package backstayotel_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	backstayotel "github.com/backstay/backstay/otel"
)

// newTelling is an instrumentation whose spans have the texts of errors.
func newTelling(t *testing.T, text func(error) string) *traced {
	t.Helper()
	kept := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(kept))
	in, err := backstayotel.New(backstayotel.WithTracerProvider(provider), backstayotel.WithMeterProvider(metricnoop.NewMeterProvider()),
		backstayotel.WithErrorText(text))
	require.NoError(t, err)
	return &traced{in, kept, provider}
}

func TestTextsOfErrors(t *testing.T) {
	var none *JamError
	for _, c := range []struct {
		name string
		text func(error) string
		err  error
		want string
	}{
		{"what it says", nil, errJam, "jammed: 4711"},
		{"what a func says", func(err error) string { return strings.ReplaceAll(err.Error(), "4711", "...") }, errJam, "jammed: ..."},
		{"nothing", func(error) string { return "" }, errJam, ""},
		{"500 bytes", nil, errors.New(strings.Repeat("x", 500)), strings.Repeat("x", 500)},
		{"more", nil, errors.New(strings.Repeat("x", 501)), strings.Repeat("x", 500)},
		{"a character in two", nil, errors.New(strings.Repeat("x", 498) + "€ and more"), strings.Repeat("x", 498)},
		{"a character at the end", nil, errors.New(strings.Repeat("x", 497) + "€ and more"), strings.Repeat("x", 497) + "€"},
		{"no text", nil, errors.New("a\xffb\xc3"), "a\uFFFDb\uFFFD"},
		{"no text that becomes longer", nil, errors.New(strings.Repeat("x\xff", 250)), strings.Repeat("x\uFFFD", 125)},
		{"no character at all", nil, errors.New(strings.Repeat("\x80", 600)), "\uFFFD"},
		{"a typed nil", nil, none, "no text: asking a *backstayotel_test.JamError for it panicked"},
		{"a func that panics", func(error) string { panic("4711") }, errJam, "no text: asking a *backstayotel_test.JamError for it panicked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTelling(t, c.text)
			v := wrapped[Vault](t, weaver(tr.Instrumentation), &SteelVault{open: failing(9, c.err)},
				aspect.Annotate[aliases.Retry](Vault.Open, annotation.MaxAttempts(1)))
			_, err := v.Open(t.Context(), "7")
			require.True(t, err == c.err, "the call goes on as without it")
			require.Len(t, tr.kept.Ended(), 2)
			for _, s := range tr.kept.Ended() {
				require.Equal(t, c.want, s.Status().Description)
			}
		})
	}
}

// To ask for a text must not stop what is on its way, and no func is asked for the text of what is no error.
func TestTextsOfWhatDoesNotReturn(t *testing.T) {
	for name, stop := range map[string]func(){"a panic": jammed, "runtime.Goexit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			tr := newTelling(t, func(error) string { panic("asked") })
			v := wrapped[Vault](t, weaver(tr.Instrumentation), &SteelVault{seal: func(context.Context) error { stop(); return nil }},
				aspect.Annotate[aliases.Retry](Vault.Seal))
			panicked, returned := endOf(func() { _ = v.Seal(t.Context()) })
			require.False(t, returned)
			if name == "a panic" {
				require.Equal(t, errJam, panicked)
			}
			require.Len(t, tr.kept.Ended(), 2)
			for _, s := range tr.kept.Ended() {
				require.Equal(t, "ended by a panic or runtime.Goexit", s.Status().Description)
			}
		})
	}
}

// untyped is an error that cannot say of which type it is.
type untyped struct{}

func (*untyped) Error() string     { return "untyped" }
func (*untyped) ErrorType() string { panic("no type") }

func TestAnErrorThatCannotSayItsTypeFailsNoCall(t *testing.T) {
	tr := newTraced(t)
	v := wrapped[Vault](t, weaver(tr.Instrumentation), &SteelVault{open: failing(99, &untyped{})}, aspect.Annotate[aliases.Retry](Vault.Open))
	_, err := v.Open(t.Context(), "7")
	require.Equal(t, &untyped{}, err)
	require.Contains(t, tr.tree(), "error.type=*backstayotel_test.untyped ")
}
