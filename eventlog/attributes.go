package eventlog

import (
	"fmt"
	"hash/maphash"
	"log/slog"
	"unicode/utf8"

	"github.com/backstay/backstay/retry"
)

// maxAttributes is the most that a record has: three of the method, suppressed, session, and five of an exhausted call.
const maxAttributes = 10

// maxText is the most bytes of an error's text that are written.
const maxText = 500

// attributes appends those of e to attrs, in the order of the package documentation.
func (l *Log) attributes(attrs []slog.Attr, e retry.Event, suppressed int) []slog.Attr {
	ref, session := e.Ref(), retry.SessionID(0)
	attrs = text(attrs, "class", ref.Class)
	attrs = text(attrs, "name", ref.Name)
	attrs = text(attrs, "method", ref.Method)
	switch e := e.(type) {
	case retry.AttemptFailed:
		session = e.Session
		attrs = append(attrs, slog.Int("attempt", e.Attempt))
		attrs = l.err(attrs, "error", e.Err)
	case retry.RetryScheduled:
		session = e.Session
		attrs = append(attrs, slog.Int("attempt", e.Attempt), slog.Duration("wait", e.Wait))
		attrs = l.err(attrs, "error", e.Err)
	case retry.Succeeded:
		session = e.Session
		attrs = append(attrs, slog.Int("attempts", e.Attempts), slog.Duration("elapsed", e.Elapsed))
	case retry.Failed:
		session = e.Session
		attrs = append(attrs, slog.Int("attempts", e.Attempts), slog.Duration("elapsed", e.Elapsed))
		attrs = l.err(attrs, "error", e.Err)
	case retry.Exhausted:
		session = e.Session
		attrs = append(attrs, slog.Int("attempts", e.Attempts), slog.Duration("elapsed", e.Elapsed))
		attrs = text(attrs, "limit", e.Limit)
		attrs = l.err(attrs, "reason", e.Reason)
		attrs = l.err(attrs, "error", e.Err)
	case retry.Rejected:
		session = e.Session
		attrs = text(attrs, "gate", e.Gate)
		attrs = l.err(attrs, "reason", e.Reason)
	case retry.Aborted:
		session = e.Session
		attrs = append(attrs, slog.Int("attempts", e.Attempts), slog.Duration("elapsed", e.Elapsed))
	case retry.FallbackSucceeded:
		session = e.Session
		attrs = l.err(attrs, "cause", e.Cause)
	case retry.FallbackFailed:
		session = e.Session
		attrs = l.err(attrs, "cause", e.Cause)
		attrs = l.err(attrs, "error", e.Err)
	case retry.BudgetRefused:
		session = e.Session
		attrs = text(attrs, "budget", e.Budget)
	case retry.BreakerChanged:
		attrs = change(attrs, e)
	}
	if session != 0 {
		attrs = append(attrs, l.session(session))
	}
	if suppressed > 0 {
		attrs = append(attrs, slog.Int("suppressed", suppressed))
	}
	return attrs
}

// change appends what tells of a breaker's change. The breaker is asked how long it will refuse calls, and is silent when it
// has changed again meanwhile.
func change(attrs []slog.Attr, e retry.BreakerChanged) []slog.Attr {
	if e.Breaker != nil {
		attrs = text(attrs, "breaker", e.Breaker.Name())
	}
	attrs = append(attrs, slog.String("from", string(e.From)), slog.String("to", string(e.To)))
	if e.Breaker != nil && e.To == retry.BreakerOpen {
		if wait := e.Breaker.RetryAfter(); wait > 0 {
			attrs = append(attrs, slog.Duration("retryAfter", wait))
		}
	}
	return attrs
}

// session is a number for the session. It is short, exact in JSON, and says nothing of where things are in memory.
func (l *Log) session(id retry.SessionID) slog.Attr {
	return slog.Uint64("session", maphash.Comparable(l.seed, id)>>32)
}

// text appends a text, unless it is empty.
func text(attrs []slog.Attr, key, value string) []slog.Attr {
	if value == "" {
		return attrs
	}
	return append(attrs, slog.String(key, value))
}

// err appends the text of an error that may go out, unless there is none.
func (l *Log) err(attrs []slog.Attr, key string, err error) []slog.Attr {
	if err == nil {
		return attrs
	}
	return text(attrs, key, shorten(l.textOf(err)))
}

// textOf asks for the text of an error. A typed nil, or a redaction that did not expect such an error, may panic: that fails
// no call, and what it panicked with is not told, since it may hold what was to be redacted.
func (l *Log) textOf(err error) (s string) {
	defer func() {
		if recover() != nil {
			s = fmt.Sprintf("no text: asking a %T for it panicked", err)
		}
	}()
	return l.redact(err)
}

// shorten cuts a long text between two characters, and says how long it was.
func shorten(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > maxText-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s... (%d bytes)", s[:n], len(s))
}
