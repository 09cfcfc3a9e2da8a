package container

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/backstay/backstay/annotation"
)

// Run is the life of a program: it calls [Container.Start], waits until ctx is done or one of the signals comes, and calls
// [Container.Stop]. Without signals named it is os.Interrupt and SIGTERM.
//
//	func main() {
//		c := container.New()
//		...
//		if err := c.Run(context.Background()); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// Stop gets a context of its own, which is not done, so that services have the time that [StopTimeout] says. The end of ctx
// and a signal are no errors: Run returns what Stop returns then. One that comes while Start runs ends that, and Run returns
// its error. Where somebody else calls Stop, Run returns as well. After the first signal others have their usual effect, so
// that a second one ends a program that does not stop.
//
// A service that can go on no longer ends the program by the cause of ctx, which Run then returns, joined with what Stop
// returns:
//
//	ctx, fail := context.WithCancelCause(context.Background())
//	c.Supply(fail) // who takes a context.CancelCauseFunc can end the program with an error
//	err := c.Run(ctx)
//
// The causes that say no more than that ctx has ended are no errors: context.Canceled, context.DeadlineExceeded, and those
// of a context of os/signal.NotifyContext.
func (c *Container) Run(ctx context.Context, signals ...os.Signal) error {
	at := annotation.Caller(0)
	if len(signals) == 0 {
		signals = []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	got := make(chan os.Signal, 1)
	signal.Notify(got, signals...)
	defer signal.Stop(got)

	running, end := context.WithCancelCause(ctx)
	defer end(nil)
	go func() {
		select {
		case s := <-got:
			signal.Stop(got)
			end(received{s})
		case <-running.Done():
		}
	}()
	if err := c.start(running, "Run", at); err != nil {
		return with(reasonOf(running), err)
	}
	select {
	case <-running.Done():
	case <-c.life.gone:
	}
	reason := reasonOf(running) // what comes while it stops is no reason any more
	return with(reason, c.stop(context.WithoutCancel(ctx), "Run", at))
}

// received is the cause of a context that a signal has ended.
type received struct{ os.Signal }

// Error names the signal.
func (r received) Error() string { return fmt.Sprintf("%v: %v", r.Signal, context.Canceled) }

// Is makes it a way to say context.Canceled, as the cause of a context of signal.NotifyContext is one.
func (received) Is(target error) bool { return target == context.Canceled }

// reasonOf is the error that somebody has ended a context with; nil where it has not ended, or by itself, or by a signal.
// An error that only wraps context.Canceled or context.DeadlineExceeded is one: it tells what was cut short.
func reasonOf(ctx context.Context) error {
	cause := context.Cause(ctx)
	if cause == context.Canceled || cause == context.DeadlineExceeded {
		return nil
	}
	if is, ok := cause.(interface{ Is(error) bool }); ok && is.Is(context.Canceled) {
		return nil
	}
	return cause
}

// with is the error of a life that has ended for a reason, which may be in it already.
func with(reason, err error) error {
	switch {
	case err == nil:
		return reason
	case reason == nil || errors.Is(err, reason):
		return err
	}
	return errors.Join(reason, err)
}
