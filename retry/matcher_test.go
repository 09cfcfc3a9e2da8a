package retry_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// status is an error with a code.
type status struct{ code int }

func (s status) Error() string { return fmt.Sprint("status ", s.code) }

// adapted says by an As method that it is a status.
type adapted struct{ code int }

func (adapted) Error() string { return "adapted" }
func (a adapted) As(target any) bool {
	if s, ok := target.(*status); ok {
		*s = status(a)
	}
	_, ok := target.(*status)
	return ok
}

// hop is a status that another caused.
type hop struct {
	code  int
	cause error
}

func (hop) Error() string   { return "hop" }
func (h hop) Unwrap() error { return h.cause }

// disguised says by its As method that it is a hop, and wraps an error.
type disguised struct{ hop }

func (d disguised) As(target any) bool {
	h, ok := target.(*hop)
	if ok {
		*h = d.hop
	}
	return ok
}

func TestMatchers(t *testing.T) {
	unavailable := func(s status) bool { return s.code == 503 }
	hop503 := func(h hop) bool { return h.code == 503 }
	long := retry.MatchFunc("long text", func(err error) bool { return len(err.Error()) > 20 })
	for _, c := range []struct {
		matcher retry.Matcher
		err     error
		want    bool
	}{
		{retry.AnyError, errBoom, true},
		{retry.AnyError, nil, false},
		{retry.NoError, errBoom, false},
		{retry.NoError, nil, false},

		{retry.Is(io.EOF), io.EOF, true},
		{retry.Is(io.EOF), fmt.Errorf("read: %w", io.EOF), true},
		{retry.Is(io.EOF), errors.Join(errBoom, fmt.Errorf("read: %w", io.EOF)), true},
		{retry.Is(io.EOF), io.ErrUnexpectedEOF, false},
		{retry.Is(status{503}), status{503}, true},
		{retry.Is(status{503}), status{500}, false},

		{retry.As[status](), status{500}, true},
		{retry.As[status](), fmt.Errorf("call: %w", status{500}), true},
		{retry.As[status](), errors.Join(errBoom, status{500}), true},
		{retry.As[status](), adapted{500}, true},
		{retry.As[status](), errBoom, false},
		{retry.As[*fs.PathError](), &fs.PathError{Err: errBoom}, true},
		{retry.As[interface {
			error
			Timeout() bool
		}](), &fs.PathError{Err: errBoom}, true},

		{retry.AsWhere(unavailable), status{503}, true},
		{retry.AsWhere(unavailable), status{500}, false},
		{retry.AsWhere(unavailable), fmt.Errorf("call: %w", status{503}), true},
		{retry.AsWhere(unavailable), fmt.Errorf("call: %w", status{500}), false},
		{retry.AsWhere(unavailable), errors.Join(status{500}, status{503}), true},
		{retry.AsWhere(unavailable), errors.Join(status{500}, fmt.Errorf("call: %w", status{503})), true},
		{retry.AsWhere(hop503), hop{500, hop{503, nil}}, true},
		{retry.AsWhere(hop503), hop{503, errBoom}, true},
		{retry.AsWhere(hop503), hop{500, errBoom}, false},
		{retry.AsWhere(hop503), disguised{hop{503, errBoom}}, true},
		{retry.AsWhere(hop503), disguised{hop{500, hop{503, nil}}}, true},
		{retry.AsWhere(hop503), disguised{hop{500, errBoom}}, false},
		{retry.AsWhere(unavailable), adapted{503}, true},
		{retry.AsWhere(unavailable), adapted{500}, false},
		{retry.AsWhere(unavailable), nil, false},
		{retry.AsWhere(func(*fs.PathError) bool { return true }), errBoom, false},
		{retry.AsWhere(unavailable), errBoom, false},

		{long, errors.New("a text of more than twenty bytes"), true},
		{long, errBoom, false},
	} {
		require.Equal(t, c.want, c.matcher.Match(c.err), "%v of %v", c.matcher, c.err)
	}
}

func TestMatchersPrintThemselves(t *testing.T) {
	for want, m := range map[string]retry.Matcher{
		"any":                         retry.AnyError,
		"none":                        retry.NoError,
		"is(EOF)":                     retry.Is(io.EOF),
		"as(retry_test.status)":       retry.As[status](),
		"as(*fs.PathError)":           retry.As[*fs.PathError](),
		"as(retry_test.status) where": retry.AsWhere(func(status) bool { return true }),
		"long text":                   retry.MatchFunc("long text", func(error) bool { return true }),
	} {
		require.Equal(t, want, m.String())
	}
}

func TestIsNilIsADefinitionError(t *testing.T) {
	op := scripted(nil)
	defined(t, retry.WhenThrows(retry.Is(nil)).Run(t.Context(), op.run), "retry.Is(nil) matches no error", "write the error")
	require.Zero(t, op.calls)
}

func TestAMatcherWithoutItsFuncIsADefinitionError(t *testing.T) {
	for _, m := range []retry.Matcher{retry.MatchFunc("mine", nil), retry.AsWhere[status](nil)} {
		defined(t, retry.WhenThrows(m).Run(t.Context(), scripted(nil).run), m.String(), "nil")
	}
}
