package shop

import (
	"log/slog"
	"time"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// LogAspect writes one line per charge. It stands outside the retry, so it sees the whole session once, and asks for the
// report of it.
type LogAspect struct{ log *slog.Logger }

// NewLogAspect returns an aspect that writes to log.
func NewLogAspect(log *slog.Logger) *LogAspect { return &LogAspect{log: log} }

// Process runs around a call of Charge(context.Context, Order).
func (l *LogAspect) Process(jp aspect.JoinPoint) error {
	ctx := jp.Context()
	if !l.log.Enabled(ctx, slog.LevelInfo) {
		return jp.Proceed()
	}
	order := aspect.Arg[Order](jp, 1)
	ctx, report := retry.WithReport(ctx)
	aspect.SetArg(jp, 0, ctx)
	began := time.Now()
	err := jp.Proceed()

	l.log.InfoContext(ctx, jp.Ref().String(),
		"order", order.Number,
		"attempts", report.Attempts,
		"waits", report.Waits,
		"ended", report.Ended,
		"limit", report.Limit,
		"fallback", report.Fallback,
		"took", time.Since(began).Round(time.Millisecond),
		"err", err,
	)
	return err
}
