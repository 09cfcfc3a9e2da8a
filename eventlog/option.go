package eventlog

import (
	"log/slog"
	"math"
	"time"

	"github.com/backstay/backstay/retry"
)

// Option configures a [Log].
type Option func(*Log)

// Silent is the level of what is never written, whatever the handler has enabled.
const Silent slog.Level = math.MinInt

// What sampling writes where [WithSampling] says nothing else.
const (
	DefaultRecords  = 10
	DefaultInterval = time.Second
)

// WithLevel lets f decide the level of each record; usual is the level of the package documentation's table, or what the
// WithLevel before this one has decided. [Silent] writes nothing. f is asked at every event, whether it is written or not, so
// it must be quick; it must be safe for concurrent use. A nil f is ignored.
func WithLevel(f func(e retry.Event, usual slog.Level) slog.Level) Option {
	return func(l *Log) {
		if f != nil {
			l.levels = append(l.levels, f)
		}
	}
}

// WithSampling writes at most so many records of the same kind and method in an interval, which begins with the first of
// them. The first one after it has the number of those that were held back as its attribute suppressed. Without the option it
// is [DefaultRecords] in [DefaultInterval]; where either is zero or less, every record is written. Changes of a breaker are
// always written.
func WithSampling(records int, interval time.Duration) Option {
	return func(l *Log) {
		l.sampling = nil
		if records > 0 && interval > 0 {
			l.sampling = newSampler(records, interval)
		}
	}
}

// WithRedact writes f's text of an error in place of the error's own, whether it is a failure, a cause or a reason. An empty
// one leaves the attribute out. f is asked for records that are written alone; it must be safe for concurrent use. Where it
// panics, the record says so and tells the error's type alone. A nil f writes errors as they are.
func WithRedact(f func(err error) string) Option {
	return func(l *Log) {
		l.redact = f
		if f == nil {
			l.redact = error.Error
		}
	}
}
