package containertest_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
	"github.com/backstay/backstay/retry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type Gateway interface {
	Charge(ctx context.Context) error
	Refund(ctx context.Context) error
}

type Stripe struct {
	_ annotation.On[aliases.Retry] `method:"*" maxAttempts:"3"`
}

func (*Stripe) Charge(context.Context) error { return errors.New("network in a unit test") }
func (*Stripe) Refund(context.Context) error { return errors.New("network in a unit test") }

// fake fails so many times.
type fake struct{ fail int }

func (f *fake) Charge(context.Context) error {
	if f.fail--; f.fail >= 0 {
		return errors.New("busy")
	}
	return nil
}

func (f *fake) Refund(context.Context) error { return retry.Permanent(errors.New("no such charge")) }

func wire(c *container.Container) {
	c.Provide(func() *Stripe { return &Stripe{} }, container.As[Gateway]())
	c.Provide(func() *Stripe { return &Stripe{} }, container.As[Gateway](), container.Name("eu"))
}

func TestAttemptsAreThoseOfFinishedSessions(t *testing.T) {
	gateway := &fake{fail: 2}
	c, rec := containertest.New(t, wire, func(c *container.Container) {
		c.Override(func() Gateway { return gateway })
		c.Override(func() Gateway { return &fake{} }, container.Name("eu"))
	})
	var g, eu Gateway
	require.NoError(t, c.Invoke(func(p struct {
		container.In
		Gateway Gateway
		EU      Gateway `name:"eu"`
	}) {
		g, eu = p.Gateway, p.EU
	}))
	require.Empty(t, rec.Events())
	require.NoError(t, g.Charge(t.Context())) // succeeds with the third attempt
	gateway.fail = 9
	require.Error(t, g.Charge(t.Context())) // is exhausted after three
	require.Error(t, g.Refund(t.Context())) // fails for good
	require.NoError(t, eu.Charge(t.Context()))

	for _, test := range []struct {
		method any
		want   int
	}{
		{"Stripe@Charge", 7},
		{"Stripe#eu@Charge", 1},
		{"containertest_test.Stripe@Charge", 7},
		{Gateway.Charge, 7},
		{(*Stripe).Charge, 7},
		{Gateway.Refund, 1},
		{"Stripe@Refund", 1},
	} {
		require.Equal(t, test.want, rec.Attempts(test.method), "%v", test.method)
	}
	require.IsType(t, retry.Succeeded{}, rec.Events()[len(rec.Events())-1])
}

func TestTheZeroRecorderIsReady(t *testing.T) {
	var rec containertest.Recorder
	c := container.New(container.WithListener(&rec))
	c.Supply(&fake{fail: 1}, container.As[Gateway](), container.Annotate[aliases.Retry](Gateway.Charge))
	require.NoError(t, c.Invoke(func(g Gateway) error { return g.Charge(t.Context()) }))
	require.Equal(t, 2, rec.Attempts("fake@Charge"))
	require.Equal(t, 2, rec.Attempts((*fake).Charge))
	require.Zero(t, rec.Attempts(7))
	require.Zero(t, rec.Attempts("fake"))
}

// spy is a testing.TB that notes how it was failed.
type spy struct {
	testing.TB
	failed   []string
	cleanups []func()
}

func (s *spy) Helper() {}

func (s *spy) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *spy) Fatal(args ...any) {
	s.failed = append(s.failed, fmt.Sprint(args...))
	panic(s) // as Fatal does not return
}

func (s *spy) Fatalf(format string, args ...any) { s.Fatal(fmt.Sprintf(format, args...)) }

func (s *spy) Errorf(format string, args ...any) {
	s.failed = append(s.failed, fmt.Sprintf(format, args...))
}

// end ends the test of the spy.
func (s *spy) end() {
	for i := len(s.cleanups) - 1; i >= 0; i-- {
		s.cleanups[i]()
	}
}

// here stands for the places in these tests.
func here(text string) string { return placeOfTest.ReplaceAllString(text, "HERE") }

var placeOfTest = regexp.MustCompile(`containertest/\w+_test\.go:\d+`)

func TestDefinitionErrorsFailTheTestWithATree(t *testing.T) {
	wrong := func(c *container.Container) {
		c.Provide(nil)
		c.Provide(func(*fake) *Stripe { return nil }, container.As[Gateway]())
	}
	wired := func() *container.Container {
		c := container.New()
		wrong(c)
		return c
	}
	for name, verify := range map[string]func(t testing.TB){
		"New":           func(t testing.TB) { containertest.New(t, wrong) },
		"RequireVerify": func(t testing.TB) { containertest.RequireVerify(t, wired()) },
		"Verify":        func(t testing.TB) { containertest.Verify(t, wired()) },
		"AssertPolicy":  func(t testing.TB) { containertest.AssertPolicy(t, wired(), "Stripe@Charge", "") },
	} {
		t.Run(name, func(t *testing.T) {
			s := &spy{}
			require.PanicsWithValue(t, s, func() { verify(s) })
			require.Len(t, s.failed, 1)
			require.Equal(t, `backstay: 2 definition errors

Provide (HERE)
  the constructor is nil
    remedy: give it a func

Stripe (HERE)
  nothing provides *containertest_test.fake, which its constructor takes
    remedy: Provide one`, here(s.failed[0]))
			require.Empty(t, s.cleanups, "there is nothing to stop")
		})
	}
	c := container.New()
	wire(c)
	containertest.RequireVerify(t, c)
	containertest.Verify(t, c)
}

// drawer is closed with its container.
type drawer struct {
	err    error
	closed int
}

func (d *drawer) Close() error { d.closed++; return d.err }

func TestTheContainerIsStoppedWhenTheTestEnds(t *testing.T) {
	for name, inside := range map[string]func(t *testing.T, f func(t *testing.T)){
		"of its own":  func(t *testing.T, f func(t *testing.T)) { t.Run("inner", f) },
		"in a bubble": func(t *testing.T, f func(t *testing.T)) { synctest.Test(t, f) },
	} {
		t.Run(name, func(t *testing.T) {
			d := &drawer{}
			inside(t, func(t *testing.T) {
				c, _ := containertest.New(t, func(c *container.Container) { c.Provide(func() *drawer { return d }) })
				got, err := container.Get[*drawer](c)
				require.NoError(t, err)
				require.Same(t, d, got)
				require.Zero(t, d.closed)
			})
			require.Equal(t, 1, d.closed)
		})
	}
}

func TestAnErrorOfTheStopFailsTheTest(t *testing.T) {
	s := &spy{}
	c, _ := containertest.New(s, func(c *container.Container) {
		c.Provide(func() *drawer { return &drawer{err: errors.New("jammed")} })
	})
	_, err := container.Get[*drawer](c)
	require.NoError(t, err)
	s.end()
	require.Len(t, s.failed, 1)
	require.Contains(t, s.failed[0], "containertest: stop the container: ")
	require.Contains(t, s.failed[0], "drawer")
	require.Contains(t, s.failed[0], "jammed")
}

func TestOverrideByAValueStandsUnderTheWeave(t *testing.T) {
	us, eu := &fake{fail: 2}, &fake{}
	c, rec := containertest.New(t, wire,
		containertest.Override[Gateway](us), containertest.Override[Gateway](eu, container.Name("eu")))
	require.NoError(t, c.Invoke(func(p struct {
		container.In
		Gateway Gateway
		EU      Gateway `name:"eu"`
	}) {
		require.NoError(t, p.Gateway.Charge(t.Context()))
		require.NoError(t, p.EU.Charge(t.Context()))
	}))
	require.Equal(t, []string{"Stripe@Charge: 3 attempts, waits 0s 0s, succeeded", "Stripe#eu@Charge: 1 attempt, succeeded"}, texts(rec.Sessions("Stripe@Charge")))
}

func TestOverrideOfWhatNobodyProvidesNamesTheLineOfTheTest(t *testing.T) {
	s := &spy{}
	require.Panics(t, func() { containertest.New(s, wire, containertest.Override[charger](&oneway{})) })
	require.Equal(t, `backstay: 1 definition error

charger (HERE)
  Override replaces containertest_test.charger, and nothing provides it
    remedy: Provide it`, here(s.failed[0]))
}

func TestAttemptsOfAMethodWithoutSessionsFailTheTest(t *testing.T) {
	s := &spy{}
	_, rec := containertest.New(s, wire, func(c *container.Container) {
		c.Provide(func() *fake { return &fake{} })
		c.Provide(func() *oneway { return nil }, container.As[charger](), container.Annotate[aliases.Retry]("Charge"))
	})
	const none, all = "the container has no such method with a retry annotation; ", "it has Stripe@Charge, Stripe@Refund, Stripe#eu@Charge, Stripe#eu@Refund, oneway@Charge"
	for _, test := range []struct {
		method any
		want   string
	}{
		{"Stripe@Chagre", "containertest: Attempts(Stripe@Chagre): " + none + "did you mean Stripe@Charge?"},
		{"Strpie#eu@Charge", "containertest: Attempts(Strpie#eu@Charge): " + none + "did you mean Stripe#eu@Charge?"},
		{"Stripe#us@Charge", "containertest: Attempts(Stripe#us@Charge): " + none + "did you mean Stripe#eu@Charge?"},
		{"Adyen@Charge", "containertest: Attempts(Adyen@Charge): " + none + all},
		{"Stripe", "containertest: Attempts(Stripe): " + none + all},
		{"Gateway@Charge", "containertest: Attempts(Gateway@Charge): " + none + all}, // two services provide one
		{charger.Void, "containertest: Attempts(charger@Void): " + none + all},
		{(*fake).Charge, "containertest: Attempts(fake@Charge): " + none + all},
		{3, "containertest: Attempts(3): backstay: a value of type int is no method"},
	} {
		s.failed = nil
		require.Zero(t, rec.Attempts(test.method))
		require.Len(t, s.failed, 1)
		require.Contains(t, s.failed[0], test.want)
	}
	s.failed = nil
	for _, method := range []any{"Stripe@Charge", "Stripe#eu@Refund", Gateway.Charge, (*Stripe).Refund, "charger@Charge"} {
		require.Zero(t, rec.Attempts(method))
	}
	require.Empty(t, s.failed)

	_, rec = containertest.New(s)
	require.Zero(t, rec.Attempts("Stripe@Charge"))
	require.Equal(t, []string{"containertest: Attempts(Stripe@Charge): the container has no such method with a retry annotation, and no other either"}, s.failed)
}

type charger interface {
	Charge(ctx context.Context) error
	Void()
}

type oneway struct{ fake }

func (*oneway) Void() {}

func TestARegistrationAfterRequireVerifySaysWhoHasFrozenThePlan(t *testing.T) {
	c := container.New()
	containertest.RequireVerify(t, c)
	c.Supply(1)
	require.Equal(t, "backstay: int: it comes after containertest.RequireVerify (HERE), which has frozen the plan; call Supply before the first use (HERE)", here(c.Verify().Error()))
}
