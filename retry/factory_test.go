package retry_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// quota is a user's policy, made for each method by its factory.
type quota struct{ of int }

func (*quota) Kind() string                          { return "quota" }
func (*quota) Enter(context.Context) (uint64, error) { return 0, nil }
func (*quota) Leave(uint64, *retry.Session)          {}

type quotaAnnotation struct{ Of int }

var errNoQuota = errors.New("no quota")

func newQuota(a quotaAnnotation, s retry.Settings) (*quota, error) {
	if a.Of == 0 {
		return nil, errNoQuota
	}
	return &quota{a.Of}, nil
}

var quotaFactory = retry.PolicyFrom("quota", newQuota)

func TestBuiltinFactoriesInCanonicalOrder(t *testing.T) {
	var kinds []string
	for _, f := range retry.BuiltinPolicies() {
		require.True(t, f.IsBuiltin())
		require.NoError(t, f.Check())
		require.Nil(t, f.Inputs())
		require.Equal(t, f.Kind(), f.String())
		require.Equal(t, f == retry.CircuitBreaker, f.Rejects(), f.Kind())
		kinds = append(kinds, f.Kind())
	}
	require.Equal(t, []string{"fallback", "classifier", "timeout", "attemptTimeout", "circuitBreaker", "budget", "maxAttempts", "sleep"}, kinds)
}

func TestFactoriesAreComparable(t *testing.T) {
	other := retry.PolicyFrom("quota", newQuota)
	require.True(t, quotaFactory == quotaFactory) //nolint:staticcheck // that is the point
	require.False(t, quotaFactory == other, "two calls make two")
	require.Len(t, map[retry.PolicyFactory]int{quotaFactory: 1, other: 2, retry.Sleep: 3}, 3)
}

func TestAUsersFactory(t *testing.T) {
	require.Equal(t, "quota", quotaFactory.Kind())
	require.False(t, quotaFactory.IsBuiltin())
	require.True(t, quotaFactory.Rejects(), "it is a gate")
	require.NoError(t, quotaFactory.Check())
	require.Equal(t, []reflect.Type{reflect.TypeFor[quotaAnnotation](), reflect.TypeFor[retry.Settings]()}, quotaFactory.Inputs())

	in := func(of int) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(quotaAnnotation{of}), reflect.ValueOf(retry.Settings{})}
	}
	p, err := quotaFactory.Make(in(3))
	require.NoError(t, err)
	require.Equal(t, &quota{3}, p)

	p, err = retry.PolicyFrom("gate", func() gateFuncs { return closedGate }).Make(nil)
	require.NoError(t, err)
	require.Equal(t, "gate", p.Kind(), "a policy may be a value")

	p, err = quotaFactory.Make(in(0))
	require.Same(t, errNoQuota, err, "the constructor's own error comes back as it is")
	require.Nil(t, p)
}

func TestAFactoryRejectsWhereItsPolicyIsAGate(t *testing.T) {
	require.False(t, retry.PolicyFrom("ender", func() enderFunc { return nil }).Rejects())
	require.False(t, retry.PolicyFrom("mine", func() retry.Policy { return nil }).Rejects(), "its type does not tell")
	require.True(t, retry.PolicyFrom("gate", func() (retry.Gate, error) { return nil, nil }).Rejects())
}

func TestThePlaceOfAFactoryIsItsFileAndLine(t *testing.T) {
	var d *retry.DefinitionError
	require.ErrorAs(t, retry.PolicyFrom("", newQuota).Check(), &d)
	require.Regexp(t, `^factory_test\.go:\d+$`, d.Place)
}

func TestMakeRefusesANilPolicy(t *testing.T) {
	for name, f := range map[string]retry.PolicyFactory{
		"pointer":   retry.PolicyFrom("mine", func() *quota { return nil }),
		"interface": retry.PolicyFrom("mine", func() retry.Policy { return nil }),
		"func":      retry.PolicyFrom("mine", func() enderFunc { return nil }),
		"inside":    retry.PolicyFrom("mine", func() retry.Policy { return (*quota)(nil) }),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, f.Check())
			p, err := f.Make(nil)
			defined(t, err, `policy "mine"`, "returned nil", "factory_test.go:")
			require.Nil(t, p)
		})
	}
}

func TestAWrongFactoryIsADefinitionErrorWithItsPlace(t *testing.T) {
	for problem, constructor := range map[string]any{
		"is no func":                               42,
		"its constructor is no func":               nil,
		"constructor is no func; give":             (func() *quota)(nil),
		"its constructor is a func()":              func() {},
		"func() (*retry_test.quota, int)":          func() (*quota, int) { return nil, 0 },
		"func() (*retry_test.quota, error, error)": func() (*quota, error, error) { return nil, nil, nil },
		"func(...int) *retry_test.quota":           func(...int) *quota { return nil },
		"int is no retry.Policy; give it a method": func() int { return 0 },
		"retry_test.idle has no phase; implement":  func() idle { return idle{} },
	} {
		t.Run(problem, func(t *testing.T) {
			f := retry.PolicyFrom("mine", constructor)
			defined(t, f.Check(), `policy "mine"`, problem, "factory_test.go:")
			set := settings(f, retry.MaxAttempts)
			_, err := retry.Compile(retry.Definition{Settings: set})
			defined(t, err, problem)
			require.NotPanics(t, func() { f.Inputs(); f.Rejects() })
		})
	}
}

func TestTheZeroFactoryMakesNothing(t *testing.T) {
	var zero retry.PolicyFactory
	require.Empty(t, zero.Kind())
	require.False(t, zero.IsBuiltin())
	require.False(t, zero.Rejects())
	require.Nil(t, zero.Inputs())
	defined(t, zero.Check(), "zero value", "retry.PolicyFrom")
	_, err := retry.Compile(retry.Definition{Settings: settings(zero)})
	defined(t, err, "zero value")
}

func TestACustomPolicyHasToBeMadeBeforeItIsCompiled(t *testing.T) {
	set := settings(quotaFactory, retry.MaxAttempts)
	_, err := retry.Compile(retry.Definition{Settings: set})
	defined(t, err, "StripeGateway@Charge", `policy "quota" was not made`)

	h := compiled(t, retry.Definition{Settings: set, Custom: map[retry.PolicyFactory]retry.Policy{quotaFactory: &quota{1}}})
	require.Equal(t, "quota, maxAttempts", h.String())
}
