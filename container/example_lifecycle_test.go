package container_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"runtime"
	"time"

	"github.com/backstay/backstay/container"
)

// Spool keeps letters until they are sent. It has a life by its methods.
type Spool struct{ full bool }

func NewSpool() *Spool { return &Spool{} }

func (s *Spool) Start(context.Context) error { fmt.Println("the spool is open"); return nil }
func (s *Spool) Stop(context.Context) error  { fmt.Println("the spool is empty"); return nil }

func (s *Spool) Health(context.Context) error {
	if s.full {
		return errors.New("no space left for the letters of Ada")
	}
	return nil
}

// Sender is somebody else's type, with other methods.
type Sender struct{ spool *Spool }

func NewSender(s *Spool) *Sender { return &Sender{s} }

func (s *Sender) Begin()           { fmt.Println("the sender begins") }
func (s *Sender) Shutdown() error  { fmt.Println("the sender has sent all"); return nil }
func (s *Sender) Ping() (ok error) { return nil }

// Services are started after what they need, and stopped before.
func ExampleContainer_Start() {
	c := container.New(container.StopTimeout(10 * time.Second))
	c.Provide(NewSender,
		container.OnStart(func(_ context.Context, s *Sender) error { s.Begin(); return nil }),
		container.OnStop(func(_ context.Context, s *Sender) error { return s.Shutdown() }))
	c.Provide(NewSpool, container.StartTimeout(time.Minute))

	ctx := context.Background()
	fmt.Println(c.Start(ctx))
	fmt.Println(c.Stop(ctx))
	// Output:
	// the spool is open
	// the sender begins
	// <nil>
	// the sender has sent all
	// the spool is empty
	// <nil>
}

// What has been started is stopped when something fails.
func ExampleContainer_Start_failure() {
	c := container.New()
	c.Provide(NewSpool)
	c.Provide(NewSender, container.OnStart(func(context.Context, *Sender) error { return errors.New("no route to host") }))

	err := c.Start(context.Background())
	fmt.Println(err != nil, c.State())
	// Output:
	// the spool is open
	// the spool is empty
	// true failed
}

// A constructor returns what undoes its work.
func ExampleContainer_Stop_cleanup() {
	c := container.New()
	c.Provide(func() (*Spool, func(), error) {
		fmt.Println("make a directory")
		return &Spool{}, func() { fmt.Println("remove the directory") }, nil
	})

	ctx := context.Background()
	fmt.Println(c.Start(ctx))
	fmt.Println(c.Stop(ctx))
	// Output:
	// make a directory
	// the spool is open
	// <nil>
	// the spool is empty
	// remove the directory
	// <nil>
}

// A main function runs its container.
func ExampleContainer_Run() {
	ctx, stop := context.WithCancel(context.Background()) // a signal ends Run as well
	c := container.New()
	c.Provide(NewSpool)
	go func() {
		for c.State() != container.StateRunning {
			runtime.Gosched()
		}
		stop()
	}()

	fmt.Println(c.Run(ctx))
	// Output:
	// the spool is open
	// the spool is empty
	// <nil>
}

// A probe asks the handler, which tells which service is not well, and not why.
func ExampleContainer_HealthHandler() {
	c := container.New()
	c.Provide(NewSpool)
	c.Provide(NewSender, container.OnHealth(func(_ context.Context, s *Sender) error { return s.Ping() }))
	ctx := context.Background()
	probe := func() {
		w := httptest.NewRecorder()
		c.HealthHandler().ServeHTTP(w, httptest.NewRequest("GET", "/health", nil))
		fmt.Print(w.Code, " ", w.Body)
	}

	probe()
	fmt.Println(c.Start(ctx))
	probe()
	spool, _ := container.Get[*Spool](c)
	spool.full = true
	probe()
	for _, s := range c.Health(ctx).Services {
		fmt.Println(s.Ref, s.Err)
	}
	fmt.Println(c.Stop(ctx))
	// Output:
	// 503 {"state":"new","services":[]}
	// the spool is open
	// <nil>
	// 200 {"state":"running","services":[{"service":"Spool","status":"ok"},{"service":"Sender","status":"ok"}]}
	// 503 {"state":"running","services":[{"service":"Spool","status":"failed"},{"service":"Sender","status":"ok"}]}
	// Spool no space left for the letters of Ada
	// Sender <nil>
	// the spool is empty
	// <nil>
}
