package aspect_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// Mailer is an interface of a service.
type Mailer interface {
	Send(ctx context.Context, to string) error
}

type smtp struct{ calls int }

func (s *smtp) Send(_ context.Context, to string) error {
	if s.calls++; s.calls < 3 {
		return errors.New("connection reset")
	}
	fmt.Println("sent to", to)
	return nil
}

func ExampleWrap() {
	w := aspect.NewWeaver()
	mailer, err := aspect.Wrap[Mailer](w, &smtp{},
		aspect.Annotate[Quick](Mailer.Send, annotation.MaxAttempts(3)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mailer.Send(context.Background(), "ann@example.com"))
	// Output:
	// sent to ann@example.com
	// <nil>
}

func ExampleWithAspect() {
	logging := aspect.Func(func(jp aspect.JoinPoint) error {
		err := jp.Proceed()
		fmt.Println(jp.Ref(), "to", aspect.Arg[string](jp, 1), "gave", err)
		return err
	})
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Class("smtp"), aspect.RetryPriority-1, logging))
	mailer, err := aspect.Wrap[Mailer](w, &smtp{}, aspect.Annotate[Quick](Mailer.Send))
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = mailer.Send(context.Background(), "ann@example.com")
	// Output:
	// smtp@Send to ann@example.com gave connection reset
	// smtp@Send to ann@example.com gave connection reset
	// sent to ann@example.com
	// smtp@Send to ann@example.com gave <nil>
}
