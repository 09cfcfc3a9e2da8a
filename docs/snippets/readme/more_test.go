// Package readme_test holds the wiring that the README shows.
package readme_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

type PaymentGateway interface {
	Charge(ctx context.Context, order string) (receipt string, err error)
}

type StripeGateway struct {
	_     annotation.On[aliases.Retry] `method:"Charge" maxAttempts:"4"`
	calls int
}

func NewStripeGateway() *StripeGateway { return &StripeGateway{} }

func (g *StripeGateway) Charge(context.Context, string) (string, error) {
	g.calls++
	return "", context.DeadlineExceeded
}

// Metrics counts attempts.
type Metrics struct{ attempts int }

type counted struct {
	PaymentGateway
	metrics *Metrics
}

func (g *counted) Charge(ctx context.Context, order string) (string, error) {
	g.metrics.attempts++
	return g.PaymentGateway.Charge(ctx, order)
}

// Audited says that calls are told to Audit.
type Audited struct{}

type Audit struct{ calls int }

func NewAudit() *Audit { return &Audit{} }

func (a *Audit) Process(jp aspect.JoinPoint) error {
	a.calls++
	return jp.Proceed()
}

// Server charges when it is started.
type Server struct {
	gateway PaymentGateway
	log     []string
}

func (s *Server) Start(ctx context.Context) error {
	s.log = append(s.log, "start")
	_, _ = s.gateway.Charge(ctx, "order 42")
	return nil
}

func (s *Server) Stop(context.Context) error {
	s.log = append(s.log, "stop")
	return nil
}

func TestTheWiringOfTheReadme(t *testing.T) {
	metrics := &Metrics{}
	c := container.New()
	c.Supply(metrics)
	c.Provide(func(g PaymentGateway) *Server { return &Server{gateway: g} })
	wire(c)

	server, err := container.Get[*Server](c)
	require.NoError(t, err)
	require.NoError(t, c.Start(t.Context()))
	require.NoError(t, c.Stop(t.Context()))
	require.Equal(t, []string{"start", "stop"}, server.log)
	require.Equal(t, 2, metrics.attempts, "the deployment's two, under the weave")
	audit, err := container.Get[*Audit](c)
	require.NoError(t, err)
	require.Equal(t, 1, audit.calls, "outside of the retry: once a call")
}

func wire(c *container.Container) {
	c.Provide(NewStripeGateway, container.As[PaymentGateway]())
	c.Decorate(func(g PaymentGateway, m *Metrics) PaymentGateway { return &counted{g, m} })           // under the weave
	c.Provide(NewAudit, container.AsAspect(aspect.Annotated[Audited](), aspect.RetryPriority+1))      // outside the retry
	container.AnnotateAll[Audited](c, aspect.And(aspect.Class("Stripe*"), aspect.Method("Charge")))   // of many services
	c.Configure("StripeGateway@Charge", annotation.MaxAttempts(2), annotation.Timeout(3*time.Second)) // a deployment has the last word
}
