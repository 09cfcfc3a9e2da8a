package aspects

import (
	"context"
	"time"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// Observe is told of each call that has ended: its context, its method, how long it took, and its outcome, which is nil for a
// success, the call's error, or [ErrAborted]. It runs in the caller's goroutine and must be safe for concurrent use.
type Observe func(ctx context.Context, ref retry.MethodRef, took time.Duration, err error)

// TimingAspect measures calls, for a metrics library of your choice.
type TimingAspect struct{ observe Observe }

var _ aspect.Checker = (*TimingAspect)(nil)

// NewTiming returns an aspect that tells observe of each call. A nil observe is a definition error of every method that it
// meets.
func NewTiming(observe Observe) *TimingAspect { return &TimingAspect{observe} }

// Process measures the call.
func (a *TimingAspect) Process(jp aspect.JoinPoint) error {
	if a.observe == nil {
		return nobodyToTell(jp.Ref())
	}
	ctx, began, outcome := jp.Context(), time.Now(), ErrAborted
	defer func() { a.observe(ctx, jp.Ref(), time.Since(began), outcome) }()
	err := jp.Proceed()
	outcome = err
	return err
}

// Check says whether there is somebody to tell.
func (a *TimingAspect) Check(m aspect.MetMethod) error {
	if a.observe == nil {
		return nobodyToTell(m.Ref)
	}
	return nil
}

func nobodyToTell(ref retry.MethodRef) error {
	return &annotation.DefinitionError{Ref: ref, Problem: "the timing has nobody to tell", Remedy: "give aspects.NewTiming a func"}
}
