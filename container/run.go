package container

import (
	"context"
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
// its error. Where somebody else calls Stop, Run returns as well. After the first signal others have their usual effect, so that a second one ends a program that does not stop.
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
			end(fmt.Errorf("%v: %w", s, context.Canceled))
		case <-running.Done():
		}
	}()
	if err := c.start(running, "Run", at); err != nil {
		return err
	}
	select {
	case <-running.Done():
	case <-c.life.gone:
	}
	return c.stop(context.WithoutCancel(ctx), "Run", at)
}
