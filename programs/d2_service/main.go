// The life of a service: a server and a worker that start and stop in the order of the graph, a probe for its health, a
// decorator, a deployment's word over the author's, and a worker that ends the program by its error.
// A run asserts the order, the answers of the probe over real HTTP, the attempts, and what Run returns.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"

	"programs/check"
)

type Mailer interface {
	Send(ctx context.Context, to string) error
}

var errFull = errors.New("the mailbox is full")

type SMTP struct {
	_ annotation.On[aliases.Retry] `method:"Send" maxAttempts:"5"`
}

func (*SMTP) Send(context.Context, string) error { return errFull }

// counted counts attempts: a decorator stands under the weave.
type counted struct {
	Mailer
	journal *Journal
}

func (c *counted) Send(ctx context.Context, to string) error {
	c.journal.Add("send to " + to)
	return c.Mailer.Send(ctx, to)
}

// Journal is written by many.
type Journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *Journal) Add(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
}

// Spool has to be open before the worker starts, and is closed after it has stopped: it comes with what undoes it.
type Spool struct{}

func OpenSpool(j *Journal) (*Spool, func()) {
	j.Add("spool open")
	return &Spool{}, func() { j.Add("spool closed") }
}

// Worker sends what is in the spool. When that fails it ends the program.
type Worker struct {
	spool   *Spool
	mailer  Mailer
	journal *Journal
	fail    context.CancelCauseFunc
	probe   func() int
	done    chan struct{}
}

func NewWorker(s *Spool, m Mailer, j *Journal, fail context.CancelCauseFunc, p *Probe) *Worker {
	return &Worker{s, m, j, fail, p.Ask, make(chan struct{})}
}

func (w *Worker) Start(context.Context) error {
	w.journal.Add("worker started")
	go func() {
		defer close(w.done)
		for w.probe() != http.StatusOK { // until everything is started
		}
		w.journal.Add(fmt.Sprint("probe ", w.probe()))
		w.fail(w.mailer.Send(context.Background(), "ann@example.com"))
	}()
	return nil
}

func (w *Worker) Stop(context.Context) error {
	<-w.done
	w.journal.Add("worker stopped")
	return nil
}

// Probe serves the container's health on loopback, and asks for it as an orchestrator would.
type Probe struct {
	handler http.Handler
	server  *http.Server
	url     string
}

func (p *Probe) Start(ctx context.Context) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p.server, p.url = &http.Server{Handler: p.handler}, "http://"+l.Addr().String()
	go func() { _ = p.server.Serve(l) }() // ends by Shutdown
	return nil
}

func (p *Probe) Stop(ctx context.Context) error { return p.server.Shutdown(ctx) }

// Ask returns the status of the answer.
func (p *Probe) Ask() int {
	answer := check.Must(http.Get(p.url))
	check.True("closed", answer.Body.Close() == nil)
	return answer.StatusCode
}

func main() {
	ctx, fail := context.WithCancelCause(context.Background())
	journal := &Journal{}
	c := container.New()
	c.Supply(journal)
	c.Supply(fail)
	c.Supply(&Probe{handler: c.HealthHandler()})
	c.Provide(OpenSpool)
	c.Provide(NewWorker)
	c.Provide(func() *SMTP { return &SMTP{} }, container.As[Mailer]())
	c.Decorate(func(m Mailer, j *Journal) Mailer { return &counted{m, j} })
	c.Configure("SMTP@Send", annotation.MaxAttempts(2)) // the author's five are too many here

	err := c.Run(ctx)
	check.Is("what ended the program", err, errFull)
	check.Equal("state", c.State(), container.StateStopped)
	check.Equal("what happened", journal.lines, []string{
		"spool open", "worker started", "probe 200", "send to ann@example.com", "send to ann@example.com", "worker stopped", "spool closed",
	})
	check.Done()
}
