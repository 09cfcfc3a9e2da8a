package aspects

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/backstay/backstay/aspect"
)

// LoggingAspect writes a record for each call that has ended: the class, the service's name if it has one, the method, the
// duration, the outcome (succeeded, failed, or aborted by a panic or runtime.Goexit), and the error. The message is "call".
// Arguments and results are not logged: they may hold secrets. [LogAttrs] logs those that may be told.
//
// Records are written in the context of the call, where handlers find what they trace by. They name no line of code: the
// caller's is not known.
type LoggingAspect struct {
	logger *slog.Logger
	level  func(err error) slog.Level
	attrs  func(jp aspect.JoinPoint) []slog.Attr
}

var _ aspect.Aspect = (*LoggingAspect)(nil)

// LoggingOption configures a [LoggingAspect].
type LoggingOption func(*LoggingAspect)

// LogLevel decides the level of a record by the outcome: nil for a success, the call's error, or [ErrAborted]. Without it a
// success is logged at slog.LevelInfo, everything else at slog.LevelError. f must be safe for concurrent use; nil is ignored.
func LogLevel(f func(err error) slog.Level) LoggingOption {
	return func(a *LoggingAspect) {
		if f != nil {
			a.level = f
		}
	}
}

// LogAttrs adds what f returns to each record. It is asked when the call has ended, for records that are written alone, and
// sees the arguments and, by aspect.Result, the results. f must be safe for concurrent use; nil adds nothing.
func LogAttrs(f func(jp aspect.JoinPoint) []slog.Attr) LoggingOption {
	return func(a *LoggingAspect) { a.attrs = f }
}

// NewLogging returns an aspect that logs to logger. A nil logger is what slog.Default is at each call.
func NewLogging(logger *slog.Logger, opts ...LoggingOption) *LoggingAspect {
	a := &LoggingAspect{logger: logger, level: levelOf}
	configure(a, opts)
	return a
}

func levelOf(err error) slog.Level {
	if err == nil {
		return slog.LevelInfo
	}
	return slog.LevelError
}

// Process logs the call.
func (a *LoggingAspect) Process(jp aspect.JoinPoint) error {
	ctx, began, outcome := jp.Context(), time.Now(), ErrAborted
	defer func() { a.log(ctx, jp, time.Since(began), outcome) }()
	err := jp.Proceed()
	outcome = err
	return err
}

// log writes the record. It takes the handler's way: Logger's own methods would name a line of this file as the source.
func (a *LoggingAspect) log(ctx context.Context, jp aspect.JoinPoint, took time.Duration, err error) {
	logger := a.logger
	if logger == nil {
		logger = slog.Default()
	}
	handler, level := logger.Handler(), a.level(err)
	if !handler.Enabled(ctx, level) {
		return
	}
	record := slog.NewRecord(time.Now(), level, "call", 0)
	ref := jp.Ref()
	record.AddAttrs(slog.String("class", ref.Class))
	if ref.Name != "" {
		record.AddAttrs(slog.String("name", ref.Name))
	}
	record.AddAttrs(slog.String("method", ref.Method), slog.Duration("duration", took))
	switch {
	case err == nil:
		record.AddAttrs(slog.String("outcome", "succeeded"))
	case errors.Is(err, ErrAborted):
		record.AddAttrs(slog.String("outcome", "aborted"))
	default:
		record.AddAttrs(slog.String("outcome", "failed"), slog.Any("error", err))
	}
	if a.attrs != nil {
		record.AddAttrs(a.attrs(jp)...)
	}
	_ = handler.Handle(ctx, record) // as Logger does: a log that cannot be written fails no call
}
