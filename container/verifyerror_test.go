package container_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// muddled wires a bit of everything that is wrong.
func muddled(c *container.Container) {
	c.Provide(nil)
	c.Supply(aspect.Func(aspect.JoinPoint.Proceed), container.AsAspect(aspect.Class("Nowhere*"), 1))
	c.Provide(func(*C) *Plain { return nil }, container.As[Caller](),
		container.Annotate[aliases.Retry]("Call", annotation.MaxAttempts(0), annotation.Fallback("Plian@Call")),
		container.Annotate[aliases.CircuitBreaker]("Cal"))
	c.Provide(func(*B) *A { return nil })
	c.Provide(func(*A) *B { return nil })
}

const muddle = `backstay: 7 definition errors

Provide (HERE)
  the constructor is nil
    remedy: give it a func

Plain (HERE)
  aliases.CircuitBreaker: there is no method Cal (HERE)
    remedy: write Call
  nothing provides *container_test.C, which its constructor takes
    remedy: Provide one
  @Call
    aliases.Retry: MaxAttempts(0): attempts are counted from 1, the first call included (HERE)
      remedy: write 1 or more, or retry.Unlimited ("unlimited" in a tag)
    aliases.Retry: there is no service of class Plian (HERE)
      remedy: did you mean Plain?

A (HERE)
  a cycle
    A needs B (HERE)
    B needs A (HERE)
    remedy: let the constructor of A take a container.Lazy[*container_test.B]

the container
  pointcut class(Nowhere*) matches nothing (HERE)
    remedy: correct it, or leave it out; only services that are provided as an interface or a func can be met`

func TestVerifyErrorIsALineForEachMistakeAndATree(t *testing.T) {
	c := container.New()
	muddled(c)
	err := c.Verify()
	require.Equal(t, muddle, placeOfTest.ReplaceAllString(fmt.Sprintf("%+v", err), "HERE"))

	lines := strings.Join(verified(t, c), "\n")
	require.Equal(t, lines, text(err))
	require.Equal(t, err.Error(), fmt.Sprint(err))
	require.Equal(t, err.Error(), fmt.Sprintf("%s", err))
	require.Equal(t, fmt.Sprintf("%q", err.Error()), fmt.Sprintf("%q", err))
	require.Equal(t, fmt.Sprintf("%.9s", err.Error()), fmt.Sprintf("%.9s", err))
}

// What is wrong between services stands at the one that it names.
func TestAMistakeOfTheWholePlanStandsAtItsService(t *testing.T) {
	c := container.New()
	budget := func(ttl time.Duration) container.ProvideOption {
		return container.Annotate[aliases.Retry](Caller.Call, annotation.BudgetName("shared"), annotation.Budget(retry.BudgetSettings{TTL: ttl, Percent: 0.5}))
	}
	c.Provide(func() *A { return &A{} })
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), budget(10*time.Second))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Name("eu"), budget(20*time.Second))
	require.Equal(t, `backstay: 1 definition error

Plain#eu (HERE)
  @Call
    aliases.Retry: budget "shared" is shared, and its settings differ from those of Plain@Call (HERE) (HERE)
      remedy: write the settings at one of the methods, or use another name`, placeOfTest.ReplaceAllString(fmt.Sprintf("%+v", c.Verify()), "HERE"))
}

// The line of a decorator is not the one where its service is registered.
func TestAMistakeInADecoratorStandsUnderItsDecorate(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { return nil })
	c.Decorate(func(*A) *B { return nil })
	c.Decorate(nil)
	require.Equal(t, `backstay: 2 definition errors

Decorate of B (HERE)
  it returns a *container_test.B and takes none
    remedy: take the one that it decorates as a parameter, or say Override to replace it

Decorate (HERE)
  the decorator is nil
    remedy: give it a func`, placeOfTest.ReplaceAllString(fmt.Sprintf("%+v", c.Verify()), "HERE"))
}

func TestEveryUseReturnsTheVerifyError(t *testing.T) {
	c := container.New()
	muddled(c)
	var want *container.VerifyError
	require.ErrorAs(t, c.Verify(), &want)
	require.Len(t, want.Unwrap(), 7)
	_, got := container.Get[*A](c)
	_, found := c.Lookup("A")
	_, scopes := container.Get[*A](c.Scope())
	for name, err := range map[string]error{"Get": got, "Lookup": found, "Get of a scope": scopes, "Invoke": c.Invoke(func() {})} {
		var verify *container.VerifyError
		require.ErrorAs(t, err, &verify, name)
		require.Equal(t, want, verify, name)
		var first *annotation.DefinitionError
		require.ErrorAs(t, err, &first, name)
		require.Same(t, want.Unwrap()[0], first, name)
	}
}

func TestVerifyErrorHasOneMistakeInTheSingular(t *testing.T) {
	c := container.New()
	require.NoError(t, c.Verify())
	c.Provide(func() *A { return nil })
	require.Equal(t, `backstay: 1 definition error

A
  it comes after Verify (HERE), which has frozen the plan (HERE)
    remedy: call Provide before the first use`, placeOfTest.ReplaceAllString(fmt.Sprintf("%+v", c.Verify()), "HERE"))

	c = nil
	require.Equal(t, `backstay: 1 definition error

the container
  the container is nil (HERE)
    remedy: make one by container.New`, placeOfTest.ReplaceAllString(fmt.Sprintf("%+v", c.Verify()), "HERE"))
}
