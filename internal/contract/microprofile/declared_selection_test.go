package microprofile_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// declaredProbes ask whether a policy takes the error for its own.
var declaredProbes = []struct {
	name  string
	match func(t *testing.T, s declaredSelecting, thrown error) bool
}{
	{"is retried", func(t *testing.T, s declaredSelecting, thrown error) bool {
		ctx, report := retry.WithReport(t.Context())
		require.True(t, s.Retried(ctx) == thrown)
		return report.Attempts == 2
	}},
	{"opens the breaker", func(t *testing.T, s declaredSelecting, thrown error) bool {
		require.True(t, s.Guarded(t.Context()) == thrown)
		return errors.Is(s.Guarded(t.Context()), retry.ErrCircuitOpen)
	}},
	// MicroProfile's Fallback has lists of its own, applyOn and skipOn. Ours runs when the session is exhausted or rejected,
	// so with one attempt it runs for what is worth a retry, and the lists are those of the retry. A failure that is not
	// worth a retry is an answer, and the caller's to see. A fallback that is to be choosier is given the cause, and can
	// return it.
	{"falls back", func(t *testing.T, s declaredSelecting, thrown error) bool {
		got, err := s.Replaced(t.Context())
		if err != nil {
			require.True(t, err == thrown)
			require.Empty(t, got)
			return false
		}
		require.Equal(t, "replacement", got)
		return true
	}},
}

// declaredWrappings are the ways in which a callee may hand on what was thrown.
var declaredWrappings = []struct {
	name string
	wrap func(error) error
}{
	{"bare", func(err error) error { return err }},
	{"wrapped", func(err error) error { return fmt.Errorf("order 7: %w", err) }},
	{"wrapped twice", func(err error) error { return fmt.Errorf("shop: %w", fmt.Errorf("order 7: %w", err)) }},
	{"joined", func(err error) error { return errors.Join(errDeclared, err) }},
	{"joined and wrapped", func(err error) error { return fmt.Errorf("%w, %w", fmt.Errorf("order 7: %w", err), errDeclared) }},
}

// declaredServices are the services of one setting: of each lattice, by marks and at the registration.
func declaredServices(t *testing.T, x *declaredSetting) (all []declaredService) {
	for i := range declaredLattices {
		for _, marks := range []bool{true, false} {
			s := declaredService{lattice: &declaredLattices[i], marks: marks, target: new(declaredSelectingPlain)}
			c := x.register(s.lattice, marks, s.target)
			s.declaredSelecting = declaredGet[declaredSelecting](t, c)
			var err error
			s.breaker, err = c.Breaker(declaredSelecting.Guarded)
			require.NoError(t, err)
			all = append(all, s)
		}
	}
	return all
}

// declaredService is a service of one setting.
type declaredService struct {
	declaredSelecting
	lattice *declaredLattice
	marks   bool
	target  *declaredSelectingPlain
	breaker *retry.Breaker
}

// throws lets the methods fail with err.
func (s *declaredService) throws(err error) {
	s.breaker.Reset()
	s.target.thrown = err
}

// Which errors a policy takes for its own: 9 thrown, 3 settings, 3 policies. The ignore list wins over the retry list, however
// much nearer a type in the latter is. (MicroProfile's own suites for retry and fallback call the service of setting A for an
// Error under setting B; what they expect is the same.)
func TestDeclaredErrorsAreSelected(t *testing.T) {
	checks := 0
	for i := range declaredSettings {
		x := &declaredSettings[i]
		services := declaredServices(t, x)
		for _, probe := range declaredProbes {
			for _, thrown := range declaredThrown {
				want := slices.Contains(x.match, thrown)
				checks++
				t.Run(fmt.Sprintf("%s %s %s: %v", x.name, thrown, probe.name, want), func(t *testing.T) {
					for _, s := range services {
						for _, w := range declaredWrappings {
							err := w.wrap(s.lattice.thrown[thrown])
							s.throws(err)
							require.Equal(t, want, probe.match(t, s, err), "%s, %s, by marks: %v", s.lattice.name, w.name, s.marks)
						}
					}
				})
			}
		}
	}
	require.Equal(t, 81, checks)
}

// A joined error is all of its parts: one that is ignored takes the others with it. MicroProfile has no joined errors.
func TestDeclaredJoinedErrorsAreIgnoredByAnyPart(t *testing.T) {
	for _, c := range []struct {
		name  string
		x     *declaredSetting
		parts []string
		want  bool
	}{
		{"mp:H-A E0 and E1", &declaredSettings[0], []string{"E0", "E1"}, false},
		{"mp:H-A E2S and E0S", &declaredSettings[0], []string{"E2S", "E0S"}, false},
		{"mp:H-A E0S and Error", &declaredSettings[0], []string{"E0S", "Error"}, true},
		{"mp:H-B RuntimeException and E0", &declaredSettings[1], []string{"RuntimeException", "E0"}, false},
		{"mp:H-B RuntimeException and Error", &declaredSettings[1], []string{"RuntimeException", "Error"}, true},
		{"mp:H-C Exception and Error", &declaredSettings[2], []string{"Exception", "Error"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, s := range declaredServices(t, c.x) {
				var parts []error
				for _, p := range c.parts {
					parts = append(parts, s.lattice.thrown[p])
				}
				err := errors.Join(parts...)
				for _, probe := range declaredProbes {
					s.throws(err)
					require.Equal(t, c.want, probe.match(t, s, err), "%s, it %s, by marks: %v", s.lattice.name, probe.name, s.marks)
				}
			}
		})
	}
}

// MicroProfile's breaker counts as a success what its lists leave out. To ours it is neutral: it is no result of the window,
// and a probe that ends in it is no proof that the peer is well, so its place is free for another.
func TestDeclaredErrorsThatTheBreakerLeavesOutAreNeutral(t *testing.T) {
	l := &declaredLattices[0]
	service := func(t *testing.T, n int) (*declaredSelectingPlain, declaredSelecting, *retry.Breaker) {
		target := new(declaredSelectingPlain)
		c := container.New()
		c.Provide(func() *declaredSelectingPlain { return target }, container.As[declaredSelecting](),
			container.Annotate[declaredGuard](declaredSelecting.Guarded, declaredWindow(n), annotation.RetryErrors(l.on["E0"], l.on["E2"]), annotation.IgnoreErrors(l.on["E1"])))
		b, err := c.Breaker(declaredSelecting.Guarded)
		require.NoError(t, err)
		return target, declaredGet[declaredSelecting](t, c), b
	}
	for _, left := range []string{"Exception", "E2"} {
		t.Run("mp:H-A in a window of two "+left, func(t *testing.T) {
			target, s, b := service(t, 2)
			for _, thrown := range []string{"E0", left, left, "E0"} {
				require.Equal(t, retry.BreakerClosed, b.State())
				target.thrown = l.thrown[thrown]
				require.Equal(t, target.thrown, s.Guarded(t.Context()))
			}
			require.Equal(t, retry.BreakerOpen, b.State(), "the window holds the two E0")
		})
		t.Run("mp:H-A of a probe "+left, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				target, s, b := service(t, 1)
				target.thrown = l.thrown["E0"]
				_ = s.Guarded(t.Context())
				time.Sleep(time.Minute)
				target.thrown = l.thrown[left]
				for range 3 {
					require.Equal(t, target.thrown, s.Guarded(t.Context()), "it is admitted")
					require.Equal(t, retry.BreakerHalfOpen, b.State())
				}
				target.thrown = nil
				require.NoError(t, s.Guarded(t.Context()))
				require.Equal(t, retry.BreakerClosed, b.State())
			})
		})
	}
}
