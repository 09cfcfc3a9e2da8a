package container_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

var panicky = retry.PolicyFrom("panicky", func() unhappyPolicy { panic("boom") })

// retriedBy lets the policy's constructor run when the service is woven.
func retriedBy(p retry.PolicyFactory) container.ProvideOption {
	return container.Annotate[aliases.Retry](Caller.Call, annotation.AddPolicies(p))
}

// Whoever asked, the error says by which way the failed constructor was reached, and nothing is handed out.
func TestTheChainOfAFailureThroughEverythingThatNeeds(t *testing.T) {
	type (
		named struct {
			container.In
			B *B `name:"b"`
		}
		optional struct {
			container.In
			B *B `optional:"true"`
		}
	)
	fails := func() (*B, error) { return nil, errDown }
	nothing := func(t *testing.T) func() *A { return func() *A { t.Error("built"); return nil } }
	for name, test := range map[string]struct {
		wire func(t *testing.T, c *container.Container)
		want string
	}{
		"a named parameter": {func(t *testing.T, c *container.Container) {
			c.Provide(func(named) *A { return nothing(t)() })
			c.Provide(fails, container.Name("b"))
		}, "A (HERE) needs B#b (HERE)"},
		"an optional parameter is no excuse": {func(t *testing.T, c *container.Container) {
			c.Provide(func(optional) *A { return nothing(t)() })
			c.Provide(fails)
		}, "A (HERE) needs B (HERE)"},
		"a transient": {func(t *testing.T, c *container.Container) {
			c.Provide(func(*C) *A { return nothing(t)() })
			c.Provide(func(*B) *C { return &C{} }, container.Transient())
			c.Provide(fails)
		}, "A (HERE) needs C (HERE) needs B (HERE)"},
		"an override": {func(t *testing.T, c *container.Container) {
			c.Provide(func(*B) *A { return nothing(t)() })
			c.Provide(func() *B { t.Error("built"); return nil })
			c.Override(fails)
		}, "A (HERE) needs B (HERE)"},
		"a result among several": {func(t *testing.T, c *container.Container) {
			c.Provide(func(*C) *A { return nothing(t)() })
			c.Provide(func() (*B, *C, error) { return &B{}, &C{}, errDown })
		}, "A (HERE) needs B (HERE)"},
		"what is woven": {func(t *testing.T, c *container.Container) {
			c.Provide(func(Caller) *A { return nothing(t)() })
			c.Provide(func(*B) *Client { t.Error("built"); return nil }, container.As[Caller]())
			c.Provide(fails)
		}, "A (HERE) needs Client (HERE) needs B (HERE)"},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(t, c)
			require.NoError(t, c.Verify())
			for range 2 { // and again, since a failure is not kept
				a, err := container.Get[*A](c)
				require.Nil(t, a)
				require.Equal(t, "backstay: container.Get (HERE) needs "+test.want+": down", text(err))
				require.ErrorIs(t, err, errDown)
			}
		})
	}
}

// A failed constructor is run again by each request for it, and by no other; what was built for it is kept.
func TestAFailedConstructorIsTriedAgainByTheNextRequestOnly(t *testing.T) {
	for name, fail := range map[string]func() (*B, error){
		"an error":     func() (*B, error) { return nil, errDown },
		"a panic":      func() (*B, error) { panic("boom") },
		"a nil result": nil,
	} {
		t.Run(name, func(t *testing.T) {
			runs := map[string]int{}
			broken := true
			c := container.New()
			c.Provide(func() *C { runs["C"]++; return &C{} })
			if fail == nil {
				c.Provide(func(*C) lively {
					if runs["B"]++; broken {
						return nil
					}
					return closingUnit{&journal{}}
				})
				c.Provide(func(lively) *B { return &B{} })
			} else {
				c.Provide(func(v *C) (*B, error) {
					if runs["B"]++; broken {
						return fail()
					}
					return &B{v}, nil
				})
			}
			c.Provide(func(b *B) *A { runs["A"]++; return &A{b} })
			c.Provide(func(b *B) *Left { runs["Left"]++; return &Left{} })
			get := func() (err error) {
				defer func() {
					if v := recover(); v != nil {
						err = errors.New(v.(string))
					}
				}()
				_, err = container.Get[*A](c)
				return err
			}
			require.Error(t, get())
			require.Equal(t, map[string]int{"C": 1, "B": 1}, runs)
			must[*C](t, c)
			require.Equal(t, map[string]int{"C": 1, "B": 1}, runs, "what does not need it does not run it")
			require.Error(t, get())
			require.Equal(t, map[string]int{"C": 1, "B": 2}, runs)
			broken = false
			must[*Left](t, c)
			must[*A](t, c)
			require.Equal(t, map[string]int{"C": 1, "B": 3, "A": 1, "Left": 1}, runs)
		})
	}
}

// Those who wait while a constructor fails run it again, one after the other, and each has its own error.
func TestEachOfManyWhoAskAtOnceRunsAFailedConstructorAgain(t *testing.T) {
	var mu sync.Mutex
	runs := 0
	c := container.New()
	c.Provide(func() (*A, error) {
		mu.Lock()
		defer mu.Unlock()
		if runs++; runs < 4 {
			return &A{}, errDown
		}
		return &A{}, nil
	})
	failed := 0
	together(8, func(int) {
		a, err := container.Get[*A](c)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed++
			if a != nil {
				t.Error("handed out beside an error")
			}
		}
	})
	require.Equal(t, 3, failed)
	require.Equal(t, 4, runs)
}

func TestOfSeveralResultsNothingIsHandedOutWhenOneIsRefused(t *testing.T) {
	nilCaller := true
	c := container.New()
	c.Provide(func() (*A, Caller, *B) {
		if nilCaller {
			return &A{}, nil, &B{}
		}
		return &A{}, &Plain{}, &B{}
	})
	c.Provide(func(a *A) *Left { t.Error("built on what is half built"); return nil })
	for _, err := range []error{
		second(container.Get[*A](c)), second(container.Get[*B](c)), second(container.Get[Caller](c)), second(container.Get[*Left](c)), c.Invoke(func(*B) { t.Error("called") }),
	} {
		require.ErrorContains(t, err, "its constructor returned a nil container_test.Caller and no error")
	}
	nilCaller = false
	must[*A](t, c)
	must[*B](t, c)
}

func TestTheEndOfTheGoroutineInAConstructorLeavesTheContainerUsable(t *testing.T) {
	exits := true
	c := container.New()
	c.Provide(func() (*A, error) {
		if exits {
			runtime.Goexit()
		}
		return &A{}, nil
	})
	c.Provide(func(a *A) *Left { return &Left{} })
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = container.Get[*Left](c); t.Error("it goes on") })
	wg.Wait()
	exits = false
	must[*Left](t, c)
}

func TestAPanicWithAnErrorIsNotTakenForAFailure(t *testing.T) {
	c := container.New()
	c.Provide(func() (*A, error) { panic(context.Canceled) })
	require.PanicsWithValue(t, context.Canceled, func() { _, _ = container.Get[*A](c) })
}

func TestErrorsThatAreJoinedStandApartOnTheLine(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"two":                       {errors.Join(errDown, errBroken), "down; broken"},
		"one":                       {errors.Join(errDown), "down"},
		"joined again":              {errors.Join(errors.Join(errDown, errBroken), errDown), "down; broken; down"},
		"in a sentence":             {fmt.Errorf("%w and %w", errDown, errBroken), "down and broken"},
		"of several lines":          {errors.New("a\nb"), "a b"},
		"a definition error inside": {errors.Join(&annotation.DefinitionError{Problem: "wrong"}, errDown), "wrong; down"},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			c.Provide(func() (*A, error) { return nil, test.err })
			c.Provide(func() *B { return &B{} })
			c.Decorate(func(*B) (*B, error) { return nil, test.err })
			_, err := container.Get[*A](c)
			require.Equal(t, "backstay: container.Get (HERE) needs A (HERE): "+test.want, text(err))
			require.ErrorIs(t, err, test.err)
			require.Equal(t, "backstay: container.Get (HERE) needs B (HERE): its decorator (HERE): "+test.want, text(second(container.Get[*B](c))))
		})
	}
}

// What the last step of the chain says is not said again; what it does not say is.
func TestADefinitionErrorOfABuildSaysItsServiceAndPlaceOnce(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { return &A{} })
	c.Decorate(func(*A) *A { return nil })
	c.Provide(func() (Caller, *B) { return nil, &B{} }, container.Name("x"))
	require.Equal(t, "backstay: container.Get (HERE) needs Caller#x (HERE): its constructor returned a nil container_test.Caller and no error; return a value, or an error",
		text(second(container.Get[*B](c, container.Name("x")))))
	require.Equal(t, "backstay: container.Get (HERE) needs A (HERE): its decorator returned a nil *container_test.A and no error; return a value, or an error (HERE)",
		text(second(container.Get[*A](c))))
}
