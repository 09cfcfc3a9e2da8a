package aspect_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// Ledger says who may retry.
type Ledger struct{ broke bool }

// Solvent reports whether there is something left.
func (l *Ledger) Solvent(*retry.Session) bool { return !l.broke }

// payer is a policy made by a user's constructor.
type payer struct {
	left int
	from any
}

func (p *payer) Kind() string { return "paid" }

func (p *payer) Limit(*retry.Session) error {
	if p.left--; p.left < 0 {
		return errFull
	}
	return nil
}

// Paid is a factory whose constructor takes a service.
var Paid = retry.PolicyFrom("paid", func(l *Ledger) *payer { return &payer{left: 1, from: l} })

// Quota is an annotation with fields for its policy.
type Quota struct {
	annotation.AbstractRetry
	Left int
}

// Defaults are those of the annotation.
func (Quota) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.Fallback, retry.Classifier, byQuota), annotation.Set(func(q *Quota) { q.Left = 2 })}
}

var byQuota retry.PolicyFactory

func init() {
	byQuota = retry.PolicyFrom("quota", func(q Quota, s retry.Settings, l *Ledger) (retry.Policy, error) {
		if l.broke {
			return nil, errBroke
		}
		return &payer{left: q.Left, from: s.Ref.String()}, nil
	})
}

var errBroke = errors.New("the ledger is broke")

// TenantQuota embeds Quota.
type TenantQuota struct {
	Quota
	Tenant string
}

func TestConstructorsOfPoliciesTakeAnnotationSettingsAndServices(t *testing.T) {
	for _, c := range []struct {
		name string
		opt  aspect.WrapOption
		want int
	}{
		{"the defaults of the annotation", aspect.Annotate[Quota](Gateway.Charge), 3},
		{"what is set by hand", aspect.Annotate[Quota](Gateway.Charge, annotation.Set(func(q *Quota) { q.Left = 4 })), 5},
		{"an annotation that embeds it", aspect.Annotate[TenantQuota](Gateway.Charge, annotation.Set(func(q *TenantQuota) { q.Left = 1 })), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := down(always)
			g := wrapped[Gateway](t, aspect.NewWeaver(aspect.WithService(&Ledger{})), s, c.opt)
			_, err := g.Charge(t.Context(), "7", 5)
			require.Equal(t, errDown, err)
			require.Equal(t, c.want, s.calls)
		})
	}
}

func TestTheErrorOfAConstructorIsKept(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithService(&Ledger{broke: true}))
	g, err := aspect.Wrap[Gateway](w, &Stripe{}, aspect.Annotate[Quota](Gateway.Charge))
	require.True(t, g == nil)
	require.ErrorIs(t, err, errBroke)
	require.EqualError(t, err, `Stripe@Charge: make policy "quota": the ledger is broke`)
	require.False(t, errors.As(err, new(*annotation.DefinitionError)), "it is no mistake in what is declared")
}

func TestConstructorsThatLackSomething(t *testing.T) {
	nothing := retry.PolicyFrom("nothing", func() *payer { return nil })
	byGateway := retry.PolicyFrom("gateway", func(Gateway) *payer { return &payer{} })
	noPhase := retry.PolicyFrom("lazy", func() lazy { return lazy{} })
	asInterface := retry.PolicyFrom("lazy", func() retry.Policy { return lazy{} })
	for _, c := range []struct {
		name            string
		factory         retry.PolicyFactory
		problem, remedy string
	}{
		{"a service", Paid, `policy "paid" takes a *aspect_test.Ledger: there is no *aspect_test.Ledger`, "wrap it before, or give it by aspect.WithService"},
		{"an annotation", byQuota, `policy "quota" takes a aspect_test.Quota, and the method has no such annotation`, "annotate the method with aspect_test.Quota or with a type that embeds it"},
		{"a policy", nothing, `policy "nothing": its constructor returned nil`, "return the policy, or an error"},
		{"a phase, as the type tells", noPhase, `policy "lazy": aspect_test.lazy has no phase`, "retry.Limiter"},
		{"a phase, as only the value tells", asInterface, "policy lazy has no phase", "retry.Limiter"},
		{"the one service", byGateway, `policy "gateway" takes a aspect_test.Gateway: there are 2 of aspect_test.Gateway`, "write Cash or Marked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := aspect.NewWeaver(aspect.WithService(&Cash{}), aspect.WithService(&Marked{}))
			_, err := aspect.Wrap[Gateway](w, &Stripe{}, aspect.Annotate[Quick](Gateway.Charge, annotation.AddPolicies(c.factory)))
			errs := definitionErrors(t, err)
			require.Contains(t, errs[0].Problem, c.problem)
			require.Contains(t, errs[0].Remedy, c.remedy)
			require.Equal(t, "Stripe@Charge", errs[0].Ref.String())
			require.Equal(t, "aspect_test.Quick", errs[0].Annotation)
			require.NotEmpty(t, errs[0].Place)
		})
	}
}

// lazy is a policy of no phase.
type lazy struct{}

func (lazy) Kind() string { return "lazy" }

func TestAConstructorGetsAServiceAsItIsHandedOver(t *testing.T) {
	var got any
	byClass := retry.PolicyFrom("class", func(s *Offline) *payer { got = s; return &payer{} })
	byInterface := retry.PolicyFrom("interface", func(g Gateway) *payer { got = g; return &payer{} })
	byPart := retry.PolicyFrom("part", func(n namer) *payer { got = n; return &payer{} })
	wrapOther := func(w *aspect.Weaver, f retry.PolicyFactory) error {
		_, err := aspect.Wrap[Gateway](w, &Stripe{}, aspect.Annotate[Quick](Gateway.Charge, annotation.AddPolicies(f)))
		return err
	}
	o := &Offline{}
	require.NoError(t, wrapOther(aspect.NewWeaver(aspect.WithService(o)), byClass))
	require.True(t, got == o)
	require.NoError(t, wrapOther(aspect.NewWeaver(aspect.WithService(o)), byInterface))
	require.True(t, got == o)

	w := aspect.NewWeaver()
	g := wrapped[Gateway](t, w, &Offline{}, aspect.Annotate[Quick]("Charge"))
	d := onlyProblem(t, wrapOther(w, byClass))
	require.Equal(t, `policy "class" takes a *aspect_test.Offline, which is handed over as a aspect_test.Gateway`, d.Problem)
	require.Equal(t, "let its constructor take a aspect_test.Gateway", d.Remedy)
	require.NoError(t, wrapOther(w, byInterface))
	require.True(t, got == g, "the woven one")

	w = aspect.NewWeaver()
	g = wrapped[Gateway](t, w, &Offline{}, aspect.Annotate[Quick]("Charge"))
	require.NoError(t, wrapOther(w, byPart))
	require.True(t, got == namer(g))
}

func TestTheListOfPoliciesOfAMethod(t *testing.T) {
	var settings *retry.Settings
	dir := services{"ledger": supplied(&Ledger{})}
	p := planned(t, aspect.NewWeaver(), gatewayService(quick("Charge", annotation.AddPolicies(Paid), annotation.OnlyIf(func(s *retry.Session) bool {
		settings = s.Settings()
		return true
	}))), dir)
	s := down(1)
	_, err := woven[Gateway](t, p, s, dir.resolve).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, []retry.PolicyFactory{retry.Fallback, retry.Classifier, retry.MaxAttempts, Paid}, settings.Policies)
}
