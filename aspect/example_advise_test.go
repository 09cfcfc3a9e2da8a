package aspect_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// Books keep entries.
type Books interface {
	Enter(ctx context.Context, entry string) error
}

var errLocked = errors.New("the books are locked")

// lockedOnce are Books that refuse the first entry.
type lockedOnce struct{ tries int }

func (b *lockedOnce) Enter(context.Context, string) error {
	if b.tries++; b.tries == 1 {
		return errLocked
	}
	return nil
}

// tx begins a transaction around each call.
type tx struct{}

func (tx) Process(jp aspect.JoinPoint) error {
	fmt.Println("begin")
	if err := jp.Proceed(); err != nil {
		fmt.Println("roll back")
		return err
	}
	fmt.Println("commit")
	return nil
}

// A transaction that failed cannot be used again, so each attempt needs one of its own: it belongs inside of the retry.
func ExampleInsideOf() {
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Interface[Books](), aspect.RetryPriority, tx{}, aspect.InsideOf[aspect.RetryAspect]()))
	books, err := aspect.Wrap[Books](w, &lockedOnce{},
		aspect.Annotate[Quick](Books.Enter, annotation.MaxAttempts(2)))
	if err != nil {
		panic(err)
	}
	fmt.Println(books.Enter(context.Background(), "rent"))
	// Output:
	// begin
	// roll back
	// begin
	// commit
	// <nil>
}

// Where an aspect has one side only, a func says it.
func ExampleBefore() {
	refuseEmpty := aspect.Before(func(jp aspect.JoinPoint) error {
		if aspect.Arg[string](jp, 1) == "" {
			return errors.New("an entry is empty")
		}
		return nil
	})
	explain := aspect.AfterError(func(jp aspect.JoinPoint, err error) error {
		return fmt.Errorf("%s: %w", jp.Method().Name, err)
	})
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Method(Books.Enter), 2, explain),
		aspect.WithAspect(aspect.Method(Books.Enter), 1, refuseEmpty))
	books, err := aspect.Wrap[Books](w, &lockedOnce{})
	if err != nil {
		panic(err)
	}
	fmt.Println(books.Enter(context.Background(), ""))
	fmt.Println(books.Enter(context.Background(), "rent"))
	// Output:
	// Enter: an entry is empty
	// Enter: the books are locked
}
