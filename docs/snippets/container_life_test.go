package snippets_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// Consumer takes jobs from a queue for as long as the program runs.
type Consumer struct {
	jobs <-chan string
	take func(string)

	end  context.CancelFunc
	done chan struct{}
}

func NewConsumer(jobs <-chan string, take func(string)) *Consumer {
	return &Consumer{jobs: jobs, take: take, done: make(chan struct{})}
}

// Start starts a goroutine and returns: its own context ends when it does.
func (c *Consumer) Start(ctx context.Context) error {
	ctx, c.end = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(c.done)
		for {
			select {
			case job := <-c.jobs:
				c.take(job)
			case <-ctx.Done():
				return
			}
		}
	}()
	return nil
}

func (c *Consumer) Stop(ctx context.Context) error {
	c.end()
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Consumer) Health(context.Context) error {
	if len(c.jobs) == cap(c.jobs) {
		return errors.New("the queue is full")
	}
	return nil
}

func TestServicesThatStartAndStop(t *testing.T) {
	jobs, taken := make(chan string, 1), make(chan string, 1)
	c := container.New()
	c.Provide(func() *Consumer { return NewConsumer(jobs, func(job string) { taken <- job }) })
	require.NoError(t, c.Start(t.Context()))
	require.Equal(t, container.StateRunning, c.State())
	jobs <- "a job"
	require.Equal(t, "a job", <-taken)

	report := c.Health(t.Context())
	require.NoError(t, report.Err())
	require.Len(t, report.Services, 1)

	w := httptest.NewRecorder()
	c.HealthHandler().ServeHTTP(w, httptest.NewRequest("GET", "/healthz", nil))
	require.Equal(t, http.StatusOK, w.Code)
	require.JSONEq(t, `{"state":"running","services":[{"service":"Consumer","status":"ok"}]}`, w.Body.String())

	require.NoError(t, c.Stop(t.Context()))
	require.NoError(t, c.Stop(t.Context()), "again")
	require.Error(t, c.Start(t.Context()), "a container is started once")
}

func TestHooksForTypesOfOthers(t *testing.T) {
	addr := ""
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") })
	newServer := func() *http.Server { return &http.Server{Addr: "localhost:0", Handler: handler} }
	c := container.New()

	c.Provide(newServer, // func() *http.Server
		container.OnStart(func(ctx context.Context, s *http.Server) error {
			l, err := new(net.ListenConfig).Listen(ctx, "tcp", s.Addr)
			if err != nil {
				return err
			}
			addr = l.Addr().String()
			go s.Serve(l)
			return nil
		}),
		container.OnStop(func(ctx context.Context, s *http.Server) error { return s.Shutdown(ctx) }),
		container.StopTimeout(30*time.Second))

	require.NoError(t, c.Start(t.Context()))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Get("http://" + addr)
	require.NoError(t, err)
	body, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	r.Body.Close()
	require.Equal(t, "hello", string(body))
	require.NoError(t, c.Stop(t.Context()))
	_, err = client.Get("http://" + addr)
	require.Error(t, err)
}

// OpenDB returns what undoes it as a result of its own.
func OpenDB(log *Log) (*DB, func(context.Context) error, error) {
	db := &DB{"orders"}
	return db, func(context.Context) error { log.Add("db closed"); return nil }, nil
}

// Log is what a program has done, in order.
type Log struct {
	mu    sync.Mutex
	lines []string
}

func (l *Log) Add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

func (l *Log) Lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.lines)
}

// RunShop is what main calls.
func RunShop(ctx context.Context, log *Log) error {
	c := container.New(container.StartTimeout(time.Minute))
	c.Supply(log)
	c.Provide(OpenDB)
	c.Provide(func(db *DB) *Orders { return &Orders{db} },
		container.OnStart(func(_ context.Context, o *Orders) error { log.Add("orders started"); return nil }),
		container.OnStop(func(_ context.Context, o *Orders) error { log.Add("orders stopped"); return nil }))
	return c.Run(ctx) // until ctx is done, or os.Interrupt or SIGTERM comes
}

func TestRun(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	log := &Log{}
	done := make(chan error)
	go func() { done <- RunShop(ctx, log) }()
	for !slices.Contains(log.Lines(), "orders started") {
		select {
		case err := <-done:
			t.Fatal(err)
		default:
			runtime.Gosched()
		}
	}
	end()
	require.NoError(t, <-done)
	require.Equal(t, []string{"orders started", "orders stopped", "db closed"}, log.Lines())
}

// One that does not start in time: what has started is stopped, and the error says which it was.
func TestAStartThatOverruns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := false
		c := container.New()
		c.Supply(&DB{}, container.OnStart(func(context.Context, *DB) error { return nil }),
			container.OnStop(func(context.Context, *DB) error { stopped = true; return nil }))
		c.Provide(func(db *DB) *Orders { return &Orders{db} },
			container.OnStart(func(ctx context.Context, _ *Orders) error { <-ctx.Done(); time.Sleep(time.Second); return ctx.Err() }))
		begin := time.Now()
		err := c.Start(t.Context())
		require.Error(t, err)
		require.Contains(t, err.Error(), "OnStart of Orders (snippets/container_life_test.go:")
		require.True(t, strings.HasSuffix(err.Error(), "has not returned within 15s"), err.Error())
		require.True(t, stopped)
		require.Equal(t, 16*time.Second, time.Since(begin))
		require.Equal(t, container.StateFailed, c.State())
	})
}

// Site serves, and ends the program when it can serve no longer.
type Site struct {
	server   *http.Server
	fail     context.CancelCauseFunc
	listener net.Listener
}

func NewSite(handler http.Handler, fail context.CancelCauseFunc) *Site {
	return &Site{server: &http.Server{Addr: "localhost:0", Handler: handler}, fail: fail}
}

func (s *Site) Start(ctx context.Context) (err error) {
	s.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", s.server.Addr)
	if err != nil {
		return err
	}
	go func() {
		if err := s.server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			s.fail(fmt.Errorf("serve: %w", err))
		}
	}()
	return nil
}

func (s *Site) Stop(ctx context.Context) error { return s.server.Shutdown(ctx) }

// RunSite returns the error with which a Site has failed.
func RunSite(wire func(*container.Container)) error {
	ctx, fail := context.WithCancelCause(context.Background())
	defer fail(nil)
	c := container.New()
	c.Supply(fail) // for who takes a context.CancelCauseFunc
	c.Provide(NewSite)
	wire(c)
	return c.Run(ctx)
}

// saboteur closes what a Site listens on.
type saboteur struct{ site *Site }

func (s *saboteur) Start(context.Context) error { return s.site.listener.Close() }

func TestAServiceEndsTheProgramWithItsError(t *testing.T) {
	log := &Log{}
	err := RunSite(func(c *container.Container) {
		c.Supply(http.NotFoundHandler(), container.As[http.Handler]())
		c.Supply(log)
		c.Provide(OpenDB)
		c.Provide(func(site *Site, _ *DB) *saboteur { return &saboteur{site} })
	})
	require.ErrorIs(t, err, net.ErrClosed)
	require.Contains(t, err.Error(), "serve: ")
	require.Equal(t, []string{"db closed"}, log.Lines(), "all is stopped")
}

// MuxParams are the handlers of a mux.
type MuxParams struct {
	container.In
	Health http.Handler `name:"health"`
}

// NewMux mounts what tells how the program is.
func NewMux(p MuxParams) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("/healthz", p.Health)
	return mux
}

func TestTheHealthHandlerIsMounted(t *testing.T) {
	c := container.New()

	c.Supply(c.HealthHandler(), container.As[http.Handler](), container.Name("health"))
	c.Provide(NewMux)

	require.NoError(t, c.Start(t.Context()))
	mux, err := container.Get[*http.ServeMux](c)
	require.NoError(t, err)
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", "/healthz", nil))
	require.Equal(t, http.StatusOK, w.Code)
	require.NoError(t, c.Stop(t.Context()))
}
