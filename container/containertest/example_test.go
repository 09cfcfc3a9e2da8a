package containertest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
)

// Mailer sends mail.
type Mailer interface {
	Send(ctx context.Context, to string) error
}

// SMTP is retried: its mark says so.
type SMTP struct {
	_ annotation.On[aliases.Retry] `method:"Send" maxAttempts:"3"`
}

func (*SMTP) Send(context.Context, string) error { return fmt.Errorf("no network in a test") }

// NewSMTP is what the program uses.
func NewSMTP() *SMTP { return &SMTP{} }

// Wire is how the program is wired.
func Wire(c *container.Container) { c.Provide(NewSMTP, container.As[Mailer]()) }

// Flaky stands in for the SMTP server, and fails so many times.
type Flaky struct{ Fail int }

func (f *Flaky) Send(context.Context, string) error {
	if f.Fail--; f.Fail >= 0 {
		return fmt.Errorf("greylisted")
	}
	return nil
}

// t stands for the *testing.T of a test: an example has none.
var t exampleT

type exampleT struct{ testing.TB }

func (exampleT) Helper()                           {}
func (exampleT) Cleanup(func())                    {}
func (exampleT) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (exampleT) Fatal(args ...any)                 { fmt.Println(args...) }
func (exampleT) Fatalf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func ExampleNew() {
	c, rec := containertest.New(t, Wire, containertest.Override[Mailer](&Flaky{Fail: 2}))
	mailer, err := container.Get[Mailer](c)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(mailer.Send(context.Background(), "ann@example.com"), rec.Attempts("SMTP@Send"))
	// Output: <nil> 3
}

func ExampleRecorder_Sessions() {
	c, rec := containertest.New(t, Wire, containertest.Override[Mailer](&Flaky{Fail: 4}))
	mailer, _ := container.Get[Mailer](c)
	_ = mailer.Send(context.Background(), "ann@example.com")
	_ = mailer.Send(context.Background(), "bob@example.com")
	for _, s := range rec.Sessions(Mailer.Send) {
		fmt.Println(s)
	}
	// Output:
	// SMTP@Send: 3 attempts, waits 0s 0s, exhausted by maxAttempts: greylisted
	// SMTP@Send: 2 attempts, waits 0s, succeeded
}

func ExampleRequireVerify() {
	c := container.New()
	c.Provide(NewSMTP, container.As[Mailer](), container.Annotate[aliases.Retry]("Sned"))
	containertest.RequireVerify(t, c)
	// Output:
	// backstay: 1 definition error
	//
	// SMTP (containertest/example_test.go:79)
	//   aliases.Retry: there is no method Sned
	//     remedy: write Send
}

func ExamplePolicy() {
	c := container.New()
	Wire(c)
	c.Configure("SMTP@Send", annotation.Base(time.Second))
	fmt.Println(containertest.Policy(c, Mailer.Send))
	// Output:
	// policies: fallback, classifier, budget, maxAttempts, sleep
	// maxAttempts: 3
	// base: 1s
}

func ExampleAssertPolicy() {
	c := container.New()
	Wire(c)
	containertest.AssertPolicy(t, c, "SMTP@Send", `
		policies: fallback, classifier, budget, maxAttempts, sleep
		maxAttempts: 5
	`)
	// Output:
	// containertest: the policy of SMTP@Send is another (- wanted, + is)
	//   policies: fallback, classifier, budget, maxAttempts, sleep
	// - maxAttempts: 5
	// + maxAttempts: 3
}
