package aspect_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// fellBack wraps a Stripe that is down with that fallback, and returns what its Charge gives.
func fellBack(t *testing.T, w *aspect.Weaver, fallback any) string {
	t.Helper()
	receipt, err := wrapped[Gateway](t, w, down(always), aspect.Annotate[Quick](Gateway.Charge, annotation.Fallback(fallback)),
		aspect.WithName("under test")).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	return receipt
}

// notFound wraps a Stripe with a fallback that is not found, and returns the one problem.
func notFound(t *testing.T, w *aspect.Weaver, fallback any) *annotation.DefinitionError {
	t.Helper()
	_, err := aspect.Wrap[Gateway](w, &Stripe{}, aspect.Annotate[Quick](Gateway.Charge, annotation.Fallback(fallback)), aspect.WithName("under test"))
	d := onlyProblem(t, err)
	require.Equal(t, "Stripe#under test@Charge", d.Ref.String())
	require.Equal(t, "aspect_test.Quick", d.Annotation)
	require.Regexp(t, `^aspect/directory_test.go:\d+$`, d.Place)
	return d
}

func TestReferencesFindServices(t *testing.T) {
	for _, c := range []struct {
		name   string
		weaver func() *aspect.Weaver
	}{
		{"given by WithService", func() *aspect.Weaver { return aspect.NewWeaver(aspect.WithService(&Offline{})) }},
		{"wrapped before", func() *aspect.Weaver {
			w := aspect.NewWeaver()
			wrapped[Gateway](t, w, &Offline{})
			return w
		}},
		{"wrapped before, and woven", func() *aspect.Weaver {
			w := aspect.NewWeaver()
			require.True(t, aspect.IsWoven(wrapped[Gateway](t, w, &Offline{}, aspect.Annotate[Quick]("Charge"))))
			return w
		}},
		{"wrapped before, with a name", func() *aspect.Weaver {
			w := aspect.NewWeaver()
			wrapped[Gateway](t, w, &Offline{}, aspect.WithName("backup"))
			return w
		}},
		{"woven by another weaver", func() *aspect.Weaver {
			return aspect.NewWeaver(aspect.WithService(wrapped[Gateway](t, aspect.NewWeaver(), &Offline{}, aspect.Annotate[Quick]("Charge"))))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, fallback := range []any{
				"Offline@Charge", "aspect_test.Offline@Charge", full + "Offline@Charge", (*Offline).Charge,
			} {
				require.Equal(t, "offline 7", fellBack(t, c.weaver(), fallback), "%v", fallback)
			}
		})
	}
}

func TestReferencesByTheNameOfAnInterface(t *testing.T) {
	w := aspect.NewWeaver()
	wrapped[Gateway](t, w, &Offline{})
	require.Equal(t, "offline 7", fellBack(t, w, "Gateway@Charge"))
	w = aspect.NewWeaver()
	wrapped[Gateway](t, w, &Offline{})
	require.Equal(t, "offline 7", fellBack(t, w, Gateway.Charge))
}

func TestReferencesTellServicesOfOneClassApart(t *testing.T) {
	for name, want := range map[string]string{"Stripe#eu@Charge": "eu 7", "Stripe@Charge": "main 7", "Stripe#us@Charge": "us 7"} {
		w := aspect.NewWeaver()
		for _, n := range []string{"", "eu", "us"} {
			s := &Stripe{charge: func(_ context.Context, order string, _ int) (string, error) {
				if n == "" {
					return "main " + order, nil
				}
				return n + " " + order, nil
			}}
			wrapped[Gateway](t, w, s, aspect.WithName(n))
		}
		require.Equal(t, want, fellBack(t, w, name))
	}
}

func TestMethodExpressionsOfAValueFindItsPointer(t *testing.T) {
	require.Equal(t, "cash", fellBack(t, aspect.NewWeaver(aspect.WithService(&Cash{})), Cash.Charge))
	require.Equal(t, "cash", fellBack(t, aspect.NewWeaver(aspect.WithService(Cash{})), Cash.Charge))
}

func TestReferencesThatAreNotFound(t *testing.T) {
	weaver := func() *aspect.Weaver {
		w := aspect.NewWeaver(aspect.WithService(&Offline{}), aspect.WithService(nil), aspect.WithService(&Buffer{}), aspect.WithService(&bytes.Buffer{}))
		for _, n := range []string{"a", "b"} {
			wrapped[Gateway](t, w, &Cash{}, aspect.WithName(n))
		}
		return w
	}
	for _, c := range []struct {
		fallback        any
		problem, remedy string
	}{
		{"Offlin@Charge", "there is no class Offlin", "did you mean Offline?"},
		{"offline@Charge", "there is no class offline", "did you mean Offline?"},
		{"Paypal@Charge", "there is no class Paypal", "wrap it before, or give it by aspect.WithService"},
		{"other.Offline@Charge", "there is no class other.Offline", "wrap it before, or give it by aspect.WithService"},
		{"Offline#eu@Charge", `there is no class Offline named "eu"`, "write Offline"},
		{"Cash#c@Charge", `there is no class Cash named "c"`, "write Cash#a or Cash#b"},
		{"Cash@Charge", "there are 2 of class Cash", "tell them apart by aspect.WithName, and write Class#name"},
		{"Buffer@Write", "there are 2 of class Buffer", "write aspect_test.Buffer or bytes.Buffer"},
		{"Gateway@Charge", "there are 2 of class Gateway", "tell them apart by aspect.WithName, and write Class#name"},
		{(*Marked).Charge, "there is no *aspect_test.Marked", "wrap it before, or give it by aspect.WithService"},
		{(*Cash).Charge, "there are 2 of *aspect_test.Cash", "tell them apart by aspect.WithName, and write Class#name"},
		{"c", `there is no service named "c"`, "wrap it with aspect.WithName, or write Class@Method or a Go function"},
		{"a", `fallback "a" is a aspect_test.Gateway, not a func`, "supply a func under that name, or write Class@Method"},
		{"Offline@Chrage", "fallback Offline@Chrage: *aspect_test.Offline has no exported method Chrage", "did you mean Charge?"},
		{"Offline@Pay", "fallback Offline@Pay: *aspect_test.Offline has no exported method Pay", "write one that it has"},
		{"Offline@charge", "fallback Offline@charge: *aspect_test.Offline has no exported method charge", "did you mean Charge?"},
	} {
		t.Run(c.problem, func(t *testing.T) {
			d := notFound(t, weaver(), c.fallback)
			require.Equal(t, c.problem, d.Problem)
			require.Equal(t, c.remedy, d.Remedy)
		})
	}
}

func TestAMethodIsNotItsOwnFallback(t *testing.T) {
	for _, fallback := range []any{"Stripe@Charge", "aspect_test.Stripe@Charge", (*Stripe).Charge} {
		_, err := aspect.Wrap[Gateway](aspect.NewWeaver(), &Stripe{}, aspect.Annotate[Quick]("Charge", annotation.Fallback(fallback)))
		d := onlyProblem(t, err)
		require.Contains(t, d.Problem, "is the method itself")
		require.Equal(t, "name another one", d.Remedy)
		require.Equal(t, "Stripe@Charge", d.Ref.String())
	}
	_, err := aspect.Wrap[Gateway](aspect.NewWeaver(), &Marked{}, aspect.Annotate[Quick]("Charge", annotation.Fallback("Marked@Refund")))
	require.Contains(t, onlyProblem(t, err).Problem, "does not fit Charge", "another method of its own is known, and has to fit")
}

// hidden is a Gateway with a method that its interface does not have.
type hidden struct{ Stripe }

// Later is what Charge falls back to.
func (*hidden) Later(context.Context, error) (string, error) { return "later", nil }

func TestAMethodThatIsNotInTheInterfaceGoesToTheTarget(t *testing.T) {
	for _, fallback := range []any{"hidden@Later", (*hidden).Later} {
		w := aspect.NewWeaver()
		wrapped[Gateway](t, w, &hidden{}, aspect.Annotate[Quick]("*e*"))
		require.Equal(t, "later", fellBack(t, w, fallback))
	}
}

func TestTheServiceThatIsFoundIsTheWovenOne(t *testing.T) {
	w := aspect.NewWeaver()
	backup := down(2)
	wrapped[Gateway](t, w, backup, aspect.WithName("backup"), aspect.Annotate[Quick]("Charge", annotation.MaxAttempts(3)))
	require.Equal(t, "paid 7", fellBack(t, w, "Stripe#backup@Charge"))
	require.Equal(t, 3, backup.calls, "its own retry holds, and is not nested")
}
