package aspect_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

func TestAPlanTellsWhatMustBeBuiltBefore(t *testing.T) {
	dir := services{
		"offline": supplied(&Offline{}), "timeouts": supplied(retry.Is(errDown)), "wait": supplied(&Steady{}), "audit": supplied(&Audit{}), "quota": supplied(&Ledger{}),
	}
	w := aspect.NewWeaver()
	audit, _ := dir.Name("audit")
	w.Advise(aspect.Advice{Pointcut: aspect.Method("Charge"), Priority: 1, Service: audit, Place: "shop/main.go:5"})
	p := planned(t, w, gatewayService(quick("Charge,Refund",
		annotation.IgnoreErrors(), annotation.SleepStrategy("wait"), annotation.AddPolicies(Paid)),
		annotation.Declare[Tagged]("Charge", "shop/main.go:12")), dir)
	require.True(t, p.IsWoven())
	type need struct {
		id        any
		why       string
		place     string
		reference bool
	}
	var needs []need
	for _, n := range p.Needs() {
		needs = append(needs, need{n.ID, n.Why, n.Place, n.Reference})
	}
	require.Equal(t, []need{
		{"audit", "aspect around method(Charge)", "shop/main.go:5", false},
		{"offline", "fallback Offline@Charge of Charge", "shop/main.go:12", true},
		{"wait", "sleepStrategy wait of Charge", "shop/main.go:11", true},
		{"quota", `policy "paid" of Charge`, "shop/main.go:11", false},
	}, needs, "each once")
}

// Tagged is a retry annotation with a fallback.
type Tagged struct{ annotation.AbstractRetry }

// Defaults are those of the annotation.
func (Tagged) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Fallback("Offline@Charge")}
}

// Steady is a sleep strategy that is a service.
type Steady struct{ asked int }

// Wait does not.
func (s *Steady) Wait(*retry.Session) (none time.Duration) { s.asked++; return none }

// Audit is an aspect that is a service.
type Audit struct{ seen []string }

// Process notes the call.
func (a *Audit) Process(jp aspect.JoinPoint) error {
	a.seen = append(a.seen, jp.Ref().Method)
	return jp.Proceed()
}

func TestAReferenceAndAnotherNeedOfOneServiceAreTwo(t *testing.T) {
	dir := services{"ledger": supplied(&Ledger{})}
	p := planned(t, aspect.NewWeaver(), gatewayService(quick("Charge", annotation.AddPolicies(Paid), annotation.OnlyIf("Ledger@Solvent"))), dir)
	require.Len(t, p.Needs(), 2)
	require.NotEqual(t, p.Needs()[0].Reference, p.Needs()[1].Reference)
}

func TestAPlanWithoutAspectsWeavesNothing(t *testing.T) {
	p := planned(t, aspect.NewWeaver(), gatewayService(), services{})
	require.False(t, p.IsWoven())
	require.Empty(t, p.Needs())
	require.Empty(t, p.Notes())
	s := &Stripe{}
	require.True(t, woven[*Stripe](t, p, s, nil) == s)
}

func TestAServiceThatIsProvidedAsNothing(t *testing.T) {
	s := gatewayService()
	s.Interfaces = nil
	require.False(t, planned(t, aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(proceed))), s, services{}).IsWoven())
	s.Declarations = []annotation.Declaration{quick("Charge")}
	require.Contains(t, onlyPlanProblem(t, aspect.NewWeaver(), s, services{}).Remedy, "container.As")
}

func TestOnePlanWeavesSeveralTargetsThatShareTheirChains(t *testing.T) {
	builds := 0
	factory := retry.PolicyFrom("built", func() retry.Policy { builds++; return retry.NewMaxAttempts(2) })
	w := aspect.NewWeaver()
	p := planned(t, w, gatewayService(quick("Charge", annotation.Policies(retry.Classifier, factory), annotation.BreakerName("peer"))), services{})
	require.Len(t, w.Shared().Breakers(), 1, "it is listed before anything is woven")
	a, b := down(always), &Stripe{}
	first, second := woven[Gateway](t, p, a, nil), woven[Gateway](t, p, b, nil)
	require.Equal(t, 1, builds)
	_, err := first.Charge(t.Context(), "7", 5)
	require.Equal(t, errDown, err)
	require.Equal(t, 2, a.calls)
	_, err = second.Charge(t.Context(), "7", 5)
	require.ErrorIs(t, err, retry.ErrCircuitOpen, "they share the breaker")
	require.Zero(t, b.calls)
	breaker, ok := w.Shared().Breaker("peer")
	require.True(t, ok)
	require.Equal(t, retry.BreakerOpen, breaker.State())
}

func TestAspectsThatAreServices(t *testing.T) {
	dir := services{"audit": supplied(&Audit{}), "offline": supplied(&Offline{})}
	advise := func(name string) (*aspect.Weaver, *aspect.Plan) {
		w := aspect.NewWeaver()
		found, err := dir.Name(name)
		require.NoError(t, err)
		w.Advise(aspect.Advice{Pointcut: aspect.Method("Charge,Name"), Service: found, Place: "shop/main.go:5"})
		return w, planned(t, w, gatewayService(), dir)
	}
	w, p := advise("audit")
	require.Empty(t, w.Unmatched())
	g := woven[Gateway](t, p, &Stripe{}, dir.resolve)
	_ = g.Name()
	_ = g.Tags()
	require.Equal(t, []string{"Name"}, dir["audit"].value.(*Audit).seen)

	_, p = advise("offline")
	_, err := p.Weave(reflect.ValueOf(&Stripe{}), dir.resolve)
	d := onlyProblem(t, err)
	require.Equal(t, "*aspect_test.Offline is no aspect.Aspect", d.Problem)
	require.Equal(t, "shop/main.go:5", d.Place)

	delete(dir, "audit")
	_, p = advise("offline")
	delete(dir, "offline")
	_, err = p.Weave(reflect.ValueOf(&Stripe{}), dir.resolve)
	require.EqualError(t, err, "offline is not built")
}

func TestWhatCannotBeResolvedIsTheErrorOfWeave(t *testing.T) {
	full := func() services {
		return services{"offline": supplied(&Offline{}), "matcher": supplied(retry.Is(errDown)), "wait": supplied(&Steady{}), "ledger": supplied(&Ledger{})}
	}
	for name, option := range map[string]annotation.Option{
		"offline": annotation.Fallback("Offline@Charge"),
		"wait":    annotation.SleepStrategy("wait"),
		"ledger":  annotation.AddPolicies(Paid),
	} {
		t.Run(name, func(t *testing.T) {
			dir := full()
			p := planned(t, aspect.NewWeaver(), gatewayService(quick("Charge", option)), dir)
			missing := full()
			delete(missing, name)
			_, err := p.Weave(reflect.ValueOf(&Stripe{}), missing.resolve)
			require.EqualError(t, err, name+" is not built")
			_ = woven[Gateway](t, p, &Stripe{}, dir.resolve) // a later one may succeed
		})
	}
}

func TestWeaveRefusesANilTarget(t *testing.T) {
	p := planned(t, aspect.NewWeaver(), gatewayService(quick("Charge")), services{})
	var none Gateway
	for _, target := range []reflect.Value{reflect.ValueOf((*Stripe)(nil)), reflect.ValueOf(&none).Elem(), {}} {
		_, err := p.Weave(target, nil)
		d := onlyProblem(t, err)
		require.Equal(t, "the service is nil, so there is nothing to weave", d.Problem)
		require.Equal(t, "shop/main.go:10", d.Place)
	}
	g := Gateway(&Stripe{})
	v, err := p.Weave(reflect.ValueOf(&g).Elem(), nil)
	require.NoError(t, err)
	require.True(t, aspect.Unwrap(v.Interface().(Gateway)) == g, "an interface value is opened")
}

func TestStrategiesAndMatchersThatAreServices(t *testing.T) {
	wait := &Steady{}
	dir := services{"wait": supplied(wait), "offline": supplied(&Offline{}), "down": supplied(retry.Is(errDown))}
	for _, name := range []string{"wait", "Steady", "aspect_test.Steady", "Steady#wait"} {
		wait.asked = 0
		p := planned(t, aspect.NewWeaver(), gatewayService(quick("Charge", annotation.SleepStrategy(name))), dir)
		_, err := woven[Gateway](t, p, down(2), dir.resolve).Charge(t.Context(), "7", 5)
		require.NoError(t, err)
		require.Equal(t, 2, wait.asked, name)
	}
	d := onlyPlanProblem(t, aspect.NewWeaver(), gatewayService(quick("Charge", annotation.SleepStrategy("offline"))), dir)
	require.Equal(t, "sleepStrategy offline is a *aspect_test.Offline, which is no retry.SleepStrategy", d.Problem)
	require.Equal(t, "name one that is", d.Remedy)
	d = onlyPlanProblem(t, aspect.NewWeaver(), gatewayService(quick("Charge", annotation.SleepStrategy("slow"))), dir)
	require.Equal(t, "there is no slow", d.Problem)
	require.Equal(t, "Stripe@Charge", d.Ref.String())
	require.Equal(t, "aspect_test.Quick", d.Annotation)
	require.Equal(t, "shop/main.go:11", d.Place)

	s := gatewayService()
	s.Impl = reflect.TypeFor[*Choosy]()
	s.Ref.Class = "Choosy"
	p := planned(t, aspect.NewWeaver(), s, services{"down": supplied(retry.Is(errDown)), "full": supplied(retry.Is(errFull))})
	require.Len(t, p.Needs(), 2)
	dir["full"] = supplied(retry.Is(errFull))
	c := &Choosy{Stripe: down(1)}
	_, err := woven[Gateway](t, p, c, dir.resolve).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, 2, c.calls)
	c = &Choosy{Stripe: &Stripe{charge: func(context.Context, string, int) (string, error) { return "", errFull }}}
	_, err = woven[Gateway](t, p, c, dir.resolve).Charge(t.Context(), "7", 5)
	require.Equal(t, errFull, err)
	require.Equal(t, 1, c.calls)
	for _, missing := range []string{"down", "full"} {
		again := planned(t, aspect.NewWeaver(), s, dir)
		less := services{"down": dir["down"], "full": dir["full"]}
		delete(less, missing)
		_, err := again.Weave(reflect.ValueOf(c), less.resolve)
		require.EqualError(t, err, missing+" is not built")
	}
	_, errs := aspect.NewWeaver().Plan(s, services{})
	require.Len(t, errs, 2)
}

// Choosy names matchers in its tag.
type Choosy struct {
	_ annotation.On[Quick] `method:"Charge" retryErrors:"down" ignoreErrors:"full"`
	*Stripe
}

func TestAFallbackThatIsAFuncUnderAName(t *testing.T) {
	dir := services{"offline": supplied(func(cause error) (string, error) { return cause.Error(), nil })}
	p := planned(t, aspect.NewWeaver(), gatewayService(quick("Charge", annotation.Fallback("offline"))), dir)
	receipt, err := woven[Gateway](t, p, down(always), dir.resolve).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, errDown.Error(), receipt)
}

func TestFallbacksThatComeBack(t *testing.T) {
	dir := services{"self": supplied(&Stripe{})}
	_, errs := aspect.NewWeaver().Plan(gatewayService(
		quick("Charge", annotation.Fallback((*Stripe).Charge))), dir)
	require.Equal(t, "fallback (*aspect_test.Stripe).Charge is the method itself", asDefinitionErrors(t, errs)[0].Problem)

	s := aspect.Service{Ref: retry.MethodRef{Class: "wheel"}, Impl: reflect.TypeFor[wheel](), Interfaces: []reflect.Type{reflect.TypeFor[Wheel]()}, Place: "shop/main.go:10"}
	dir = services{"self": supplied(wheel{})}
	s.Declarations = []annotation.Declaration{
		quick("A", annotation.Fallback("wheel@B")), quick("B", annotation.Fallback("wheel@C")), quick("C", annotation.Fallback("wheel@B")),
	}
	_, errs = aspect.NewWeaver().Plan(s, dir)
	var problems []string
	for _, d := range asDefinitionErrors(t, errs) {
		problems = append(problems, d.Ref.Method+": "+d.Problem)
	}
	require.Equal(t, []string{"B: fallback wheel@C comes back to the method itself", "C: fallback wheel@B comes back to the method itself"}, problems)

	s.Declarations = []annotation.Declaration{quick("A", annotation.Fallback("wheel@C")), quick("B", annotation.Fallback("wheel@A"))}
	p := planned(t, aspect.NewWeaver(), s, dir)
	require.NoError(t, woven[Wheel](t, p, wheel{}, dir.resolve).A(), "one that ends is fine")
}

// Wheel has methods that fall back to one another.
type Wheel interface {
	A() error
	B() error
	C() error
}

type wheel struct{}

func (wheel) A() error { return errDown }
func (wheel) B() error { return errDown }
func (wheel) C() error { return nil }

func TestAServiceOfWhichOnlyTheInterfaceIsKnown(t *testing.T) {
	s := gatewayService(quick("Charge"))
	s.Impl, s.Ref.Class = nil, "Gateway"
	var seen []string
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Class("Gateway"), 0, aspect.Func(func(jp aspect.JoinPoint) error {
		seen = append(seen, jp.Ref().String())
		return jp.Proceed()
	})))
	p := planned(t, w, s, services{})
	_, err := woven[Gateway](t, p, down(1), nil).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, []string{"Gateway@Charge", "Gateway@Charge"}, seen)
	require.Empty(t, p.Notes())

	s.Declarations = []annotation.Declaration{quick("Charge", annotation.Fallback("Gateway@Charge"))}
	dir := interfaceOnly{reflect.TypeFor[Gateway]()}
	require.Contains(t, onlyPlanProblem(t, aspect.NewWeaver(), s, dir).Problem, "is the method itself")
}

// interfaceOnly knows one service, by its interface.
type interfaceOnly struct{ t reflect.Type }

func (d interfaceOnly) Class(string, string) (aspect.Found, error) {
	return aspect.Found{ID: "only", Type: d.t}, nil
}
func (d interfaceOnly) Type(reflect.Type) (aspect.Found, error) {
	return aspect.Found{ID: "only", Type: d.t}, nil
}
func (d interfaceOnly) Name(string) (aspect.Found, error) {
	return aspect.Found{ID: "only", Type: d.t}, nil
}
