package aspect_test

import (
	"bytes"
	"context"
	"errors"
	htmltemplate "html/template"
	"io"
	"net/http"
	"sync"
	"testing"
	"text/template"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// Marked declares by tags.
type Marked struct {
	_ annotation.On[Quick] `method:"Charge" maxAttempts:"4"`
	*Stripe
}

func TestWrapReadsTheMarksOfTheTarget(t *testing.T) {
	m := &Marked{Stripe: down(3)}
	g := wrapped[Gateway](t, aspect.NewWeaver(), m)
	receipt, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "paid 7", receipt)
	require.Equal(t, 4, m.calls)
}

func TestWhatIsAnnotatedInCodeIsNearerThanTheMarks(t *testing.T) {
	m := &Marked{Stripe: down(always)}
	g := wrapped[Gateway](t, aspect.NewWeaver(), m, aspect.Annotate[Quick](Gateway.Charge, annotation.MaxAttempts(2)))
	_, err := g.Charge(t.Context(), "7", 5)
	require.Equal(t, errDown, err)
	require.Equal(t, 2, m.calls)
}

func TestMethodsWithoutAspectsGoStraightThrough(t *testing.T) {
	s := down(always)
	g := retried(t, s)
	require.True(t, aspect.IsWoven(g))
	require.NoError(t, g.Refund(t.Context(), "7"))
	require.Equal(t, "stripe", g.Name())
	require.Equal(t, []string{"a"}, g.Tags("a"))
	require.Equal(t, 3, s.calls)
}

func TestAServiceWithoutAspectsIsReturnedAsItIs(t *testing.T) {
	s := &Stripe{}
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Class("Other"), 0, aspect.Func(proceed)))
	g := wrapped[Gateway](t, w, s, aspect.Annotate[Audited]("Charge"))
	require.True(t, g == Gateway(s))
	require.False(t, aspect.IsWoven(g))
	require.Len(t, annotation.AllOf[Audited](w.Registry()), 1, "what is declared is told all the same")
}

func TestUnwrapAndIsWoven(t *testing.T) {
	s := &Stripe{}
	g := retried(t, s)
	require.True(t, aspect.IsWoven(g))
	require.True(t, aspect.Unwrap(g) == Gateway(s))
	require.True(t, aspect.Unwrap[any](g) == any(s))
	require.True(t, aspect.Unwrap(namer(g)) == namer(s))
	require.True(t, aspect.Unwrap(Gateway(s)) == Gateway(s))
	require.Nil(t, aspect.Unwrap[Gateway](nil))
	require.Equal(t, 7, aspect.Unwrap(7))

	type plan interface{ Gateway } // the target implements it, too
	require.True(t, aspect.Unwrap(g.(plan)) == plan(s))

	for _, v := range []any{nil, 7, s, "text", func() {}, struct{}{}, (*Stripe)(nil)} {
		require.False(t, aspect.IsWoven(v), "%T", v)
	}
}

func TestAProxyKeepsItsIdentity(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(proceed)))
	s := &Stripe{}
	a, b := wrapped[Gateway](t, w, s), wrapped[Gateway](t, w, s)
	require.True(t, a == a && a != b)
	require.Len(t, map[Gateway]bool{a: true, b: true}, 2)
	_, ok := a.(io.Closer)
	require.False(t, ok)
	_, ok = a.(namer)
	require.True(t, ok)
	name := a.Name // a method value
	require.Equal(t, "stripe", name())
}

func TestANilTargetIsNeverWrapped(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(proceed)))
	g, err := aspect.Wrap[Gateway](w, nil)
	require.NoError(t, err)
	require.True(t, g == nil)
	job, err := aspect.Wrap[Job](w, nil)
	require.NoError(t, err)
	require.True(t, job == nil)
}

// table is a Gateway that is a map.
type table map[string]string

func (table) Charge(context.Context, string, int) (string, error) { return "", nil }
func (table) Refund(context.Context, string) error                { return nil }
func (table) Tags(...string) []string                             { return nil }
func (table) Name() string                                        { return "table" }

func TestWhatCannotBeWrapped(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(proceed)))
	woven := wrapped[Gateway](t, w, &Stripe{})
	job := wrapped[Job](t, w, func(context.Context) error { return nil })
	for _, c := range []struct {
		name            string
		wrap            func() error
		problem, remedy string
	}{
		{"a typed nil", func() error { _, err := aspect.Wrap[Gateway](w, (*Stripe)(nil)); return err },
			"the target is a nil *aspect_test.Stripe", "give it a value, or a nil interface"},
		{"a nil map", func() error { _, err := aspect.Wrap[Gateway](w, table(nil)); return err },
			"the target is a nil aspect_test.table", "give it a value, or a nil interface"},
		{"a concrete type", func() error { _, err := aspect.Wrap(w, &Stripe{}); return err },
			"*aspect_test.Stripe is neither an interface nor a func", "write the interface that its users take, as in aspect.Wrap[PaymentGateway](...)"},
		{"a value", func() error { _, err := aspect.Wrap(w, 7); return err },
			"int is neither an interface nor a func", "write the interface that its users take, as in aspect.Wrap[PaymentGateway](...)"},
		{"what is woven already", func() error { _, err := aspect.Wrap(w, woven); return err },
			"the target is woven already", "say all that holds for it in one Wrap"},
		{"a func that is woven already", func() error { _, err := aspect.Wrap(w, job); return err },
			"the target is woven already", "say all that holds for it in one Wrap"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := onlyProblem(t, c.wrap())
			require.Equal(t, c.problem, d.Problem)
			require.Equal(t, c.remedy, d.Remedy)
			require.Regexp(t, `^aspect/wrap_test.go:\d+$`, d.Place)
		})
	}
}

func TestNilWeaversAndOptions(t *testing.T) {
	_, err := aspect.Wrap[Gateway](nil, &Stripe{})
	d := onlyProblem(t, err)
	require.Equal(t, "the weaver is nil", d.Problem)
	require.Regexp(t, `^aspect/wrap_test.go:\d+$`, d.Place)
	g := wrapped[Gateway](t, aspect.NewWeaver(nil, aspect.WithAspect(aspect.Any(), 0, aspect.Func(proceed)), nil), &Stripe{}, nil)
	require.Equal(t, "stripe", g.Name(), "an option that is nil says nothing")
}

func TestWrapJoinsAllDefinitionErrors(t *testing.T) {
	g, err := aspect.Wrap[Gateway](aspect.NewWeaver(), &Stripe{},
		aspect.Annotate[Quick]("Charg"),
		aspect.Annotate[Quick]("Charge", annotation.MaxAttempts(0)),
		aspect.Annotate[Quick]("Refund", annotation.Fallback("Offline@Charge")))
	require.True(t, g == nil)
	errs := definitionErrors(t, err)
	require.Len(t, errs, 3)
	for _, d := range errs {
		require.Equal(t, "Stripe", d.Ref.Class)
		require.Equal(t, "aspect_test.Quick", d.Annotation)
		require.Regexp(t, `^aspect/wrap_test.go:\d+$`, d.Place)
	}
	require.Contains(t, errs[0].Error(), "Charge")
	require.Contains(t, errs[1].Error(), "MaxAttempts(0)")
	require.Contains(t, errs[2].Error(), "there is no class Offline")
	require.ErrorAs(t, err, new(*annotation.DefinitionError))
}

func TestAFailedWrapDoesNotStandInTheWay(t *testing.T) {
	w := aspect.NewWeaver()
	_, err := aspect.Wrap[Gateway](w, &Stripe{}, aspect.Annotate[Quick]("Charge", annotation.Fallback("Offline@Charge")))
	require.Error(t, err)
	wrapped[Gateway](t, w, &Offline{})
	g := wrapped[Gateway](t, w, down(always), aspect.Annotate[Quick]("Charge", annotation.Fallback("Offline@Charge")))
	receipt, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "offline 7", receipt)
}

// Buffer has the short name of another package's type.
type Buffer struct{ bytes.Buffer }

func TestClassesOfTwoPackagesWithOneShortName(t *testing.T) {
	var refs []string
	see := aspect.Func(func(jp aspect.JoinPoint) error { refs = append(refs, jp.Ref().Class); return jp.Proceed() })
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, see))
	for _, target := range []io.Writer{&bytes.Buffer{}, &Buffer{}, &bytes.Buffer{}} {
		_, err := wrapped(t, w, target).Write(nil)
		require.NoError(t, err)
	}
	require.Equal(t, []string{"Buffer", "aspect_test.Buffer", "bytes.Buffer"}, refs, "the shortest form that no other has")

	refs = nil
	w = aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, see))
	for _, target := range []namer{htmltemplate.New("html"), template.New("text")} {
		_ = wrapped(t, w, target).Name()
	}
	require.Equal(t, []string{"Template", "text/template.Template"}, refs, "the packages have one name, too")
	_, err := aspect.Wrap[Gateway](w, &Stripe{}, aspect.Annotate[Quick]("Charge", annotation.Fallback("template.Template@Name")))
	require.Equal(t, "write html/template.Template or text/template.Template", onlyProblem(t, err).Remedy)
}

func TestWithDefaultsHoldForAllThatIsWoven(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithDefaults("shop/main.go:1", annotation.IgnoreErrors(retry.Is(errDown))))
	s := down(always)
	g := wrapped[Gateway](t, w, s, aspect.Annotate[Quick](Gateway.Charge))
	_, err := g.Charge(t.Context(), "7", 5)
	require.Equal(t, errDown, err)
	require.Equal(t, 1, s.calls)
}

func TestListenersAreToldInOrder(t *testing.T) {
	var told []string
	tell := func(name string) retry.Listener {
		return retry.ListenerFunc(func(_ context.Context, e retry.Event) {
			if x, ok := e.(retry.Exhausted); ok {
				told = append(told, name+" "+x.Ref().String()+" "+x.Limit)
			}
		})
	}
	w := aspect.NewWeaver(aspect.WithListener(tell("a")), aspect.WithListener(nil), aspect.WithListener(tell("b")))
	g := wrapped[Gateway](t, w, down(always), aspect.Annotate[Quick](Gateway.Charge), aspect.WithName("eu"))
	_, err := g.Charge(t.Context(), "7", 5)
	require.Equal(t, errDown, err)
	require.Equal(t, []string{"a Stripe#eu@Charge maxAttempts", "b Stripe#eu@Charge maxAttempts"}, told)
}

func TestSeveralGoroutinesMayWrapAtOnce(t *testing.T) {
	w := aspect.NewWeaver(
		aspect.WithService(&Offline{}),
		aspect.WithAspect(aspect.Method("Charge"), 0, aspect.Func(proceed)))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			g, err := aspect.Wrap[Gateway](w, down(always), aspect.Annotate[Quick](Gateway.Charge,
				annotation.Fallback("Offline@Charge"), annotation.BudgetName("shared"), annotation.BreakerName("shared")))
			if err != nil {
				t.Error(err)
				return
			}
			for range 3 {
				if receipt, err := g.Charge(context.Background(), "7", 5); err != nil || receipt != "offline 7" {
					t.Errorf("got %q, %v", receipt, err)
				}
			}
			rt, err := aspect.Wrap[http.RoundTripper](w, &http.Transport{}, aspect.Annotate[Quick]("*"))
			if err != nil || !aspect.IsWoven(rt) {
				t.Errorf("got %v, %v", rt, err)
			}
			_ = w.Verify()
		})
	}
	wg.Wait()
	require.NoError(t, w.Verify())
	require.Len(t, w.Shared().Breakers(), 1)
	require.Len(t, annotation.AllOf[Quick](w.Registry()), 16)
}

// Offline is what Stripe falls back to.
type Offline struct{ Stripe }

// Charge takes note of the order.
func (*Offline) Charge(_ context.Context, order string, _ int) (string, error) {
	return "offline " + order, nil
}

func TestAnnotateRefusesAFuncThatIsNoMethod(t *testing.T) {
	_, err := aspect.Wrap[Gateway](aspect.NewWeaver(), &Stripe{}, aspect.Annotate[Quick](errors.New))
	d := onlyProblem(t, err)
	require.Contains(t, d.Problem, "errors.New is a func, and no method")
	require.Regexp(t, `^aspect/wrap_test.go:\d+$`, d.Place)
}
