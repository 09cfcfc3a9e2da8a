package eventlog

import (
	"context"
	"hash/maphash"
	"log/slog"
	"time"

	"github.com/backstay/backstay/retry"
)

// Log is a [retry.Listener] that writes a record for what it is told. It is safe for concurrent use, starts no goroutine and
// holds no timer. Give one value to everything that it shall hear of: a breaker that methods share tells one Log once.
type Log struct {
	logger   *slog.Logger
	levels   []func(e retry.Event, usual slog.Level) slog.Level
	redact   func(err error) string
	sampling *sampler // nil: every record is written
	seed     maphash.Seed
}

var _ retry.Listener = (*Log)(nil)

// New returns a listener that writes to logger. A nil logger is what slog.Default is at each event. A nil option says nothing.
func New(logger *slog.Logger, opts ...Option) *Log {
	l := &Log{
		logger:   logger,
		redact:   error.Error,
		sampling: newSampler(DefaultRecords, DefaultInterval),
		seed:     maphash.MakeSeed(),
	}
	for _, o := range opts {
		if o != nil {
			o(l)
		}
	}
	return l
}

// On writes the record of e, unless its level is not enabled or sampling holds it back. Then it allocates nothing.
func (l *Log) On(ctx context.Context, e retry.Event) {
	k := kindOf(e)
	level := k.usual(e)
	for _, decide := range l.levels {
		level = decide(e, level)
	}
	if level == Silent {
		return
	}
	logger := l.logger
	if logger == nil {
		logger = slog.Default()
	}
	handler := logger.Handler()
	if !handler.Enabled(ctx, level) {
		return
	}
	at, suppressed := time.Time{}, 0
	if l.sampling == nil || k == breakerChanged {
		at = time.Now()
	} else {
		var write bool
		if at, suppressed, write = l.sampling.take(k, e.Ref()); !write {
			return
		}
	}
	l.write(ctx, handler, slog.NewRecord(at, level, k.message(), 0), e, suppressed)
}

// write fills the record and hands it on. It takes the handler's way: Logger's own methods would name a line of this file as
// the source, and the caller's is not known.
func (l *Log) write(ctx context.Context, handler slog.Handler, record slog.Record, e retry.Event, suppressed int) {
	var room [maxAttributes]slog.Attr
	record.AddAttrs(l.attributes(room[:0], e, suppressed)...)
	_ = handler.Handle(ctx, record) // as Logger does: a log that cannot be written fails no call
}
