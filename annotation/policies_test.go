package annotation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Lists that two annotation types and their parts have.
type (
	first  struct{ annotation.AbstractRetry }
	second struct{ first }
	third  struct{ second }
)

func (first) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Timeout(time.Second), annotation.BreakerName("db")}
}

func (second) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.MaxAttempts, quota), annotation.BudgetName("db")}
}

func (third) Defaults() []annotation.Option {
	return []annotation.Option{annotation.AddPolicies(retry.Sleep)}
}

func TestPoliciesOfAMethod(t *testing.T) {
	policies, add := annotation.Policies, annotation.AddPolicies
	list := func(f ...retry.PolicyFactory) []retry.PolicyFactory { return f }
	for _, x := range []struct {
		name         string
		declarations []annotation.Declaration
		container    []annotation.Option
		want         []retry.PolicyFactory
	}{
		{"the table's", []annotation.Declaration{at[aliases.Retry]("Charge")}, nil, list(retry.Fallback, retry.Classifier, retry.Budget, retry.MaxAttempts, retry.Sleep)},
		{"in canonical order, each once", []annotation.Declaration{at[aliases.Retry]("Charge", policies(retry.Sleep, retry.MaxAttempts, retry.Sleep, retry.Classifier))}, nil, list(retry.Classifier, retry.MaxAttempts, retry.Sleep)},
		{"the union", []annotation.Declaration{at[aliases.CircuitBreaker]("Charge"), at[aliases.Retry]("*")}, nil, list(retry.Fallback, retry.Classifier, retry.CircuitBreaker, retry.Budget, retry.MaxAttempts, retry.Sleep)},
		{"added to", []annotation.Declaration{at[aliases.Retry]("Charge", add(retry.CircuitBreaker))}, nil, list(retry.Fallback, retry.Classifier, retry.CircuitBreaker, retry.Budget, retry.MaxAttempts, retry.Sleep)},
		{"an own one after its neighbour", []annotation.Declaration{at[aliases.Retry]("Charge", policies(retry.Classifier, quota, retry.Sleep, retry.MaxAttempts))}, nil, list(retry.Classifier, quota, retry.MaxAttempts, retry.Sleep)},
		{"an own one before its neighbour, if it is the first", []annotation.Declaration{at[aliases.Retry]("Charge", policies(quota, retry.Sleep, retry.MaxAttempts))}, nil, list(retry.MaxAttempts, quota, retry.Sleep)},
		{"two own ones keep their order", []annotation.Declaration{at[aliases.Retry]("Charge", policies(judging, quota, retry.MaxAttempts, gatekeep))}, nil, list(judging, quota, retry.MaxAttempts, gatekeep)},
		{"an own one that is added alone, at the end", []annotation.Declaration{at[aliases.Retry]("Charge", add(quota))}, nil, list(retry.Fallback, retry.Classifier, retry.Budget, retry.MaxAttempts, retry.Sleep, quota)},
		{"an own one that is added beside another", []annotation.Declaration{at[aliases.Retry]("Charge", add(retry.Classifier, quota))}, nil, list(retry.Fallback, retry.Classifier, quota, retry.Budget, retry.MaxAttempts, retry.Sleep)},
		{"an own one of two annotations, once", []annotation.Declaration{at[aliases.Retry]("Charge", policies(retry.MaxAttempts, quota)), at[bare]("Charge", policies(retry.Classifier, quota))}, nil, list(retry.Classifier, retry.MaxAttempts, quota)},
		{"two own ones of two annotations, beside one neighbour", []annotation.Declaration{at[aliases.Retry]("Charge", policies(retry.MaxAttempts, quota)), at[bare]("Charge", policies(retry.MaxAttempts, judging))}, nil, list(retry.MaxAttempts, quota, judging)},
		{"the nearer annotation's neighbour counts", []annotation.Declaration{at[aliases.Retry]("*", policies(retry.MaxAttempts, quota)), at[bare]("Charge", policies(retry.Classifier, quota))}, nil, list(retry.Classifier, quota, retry.MaxAttempts)},
		{"a nearer layer replaces the list", []annotation.Declaration{at[second]("Charge")}, nil, list(retry.Budget, retry.MaxAttempts, quota)},
		{"or adds to it", []annotation.Declaration{at[third]("Charge")}, nil, list(retry.Budget, retry.MaxAttempts, quota, retry.Sleep)},
		{"by hand replaces all of them", []annotation.Declaration{at[third]("Charge", policies(retry.Classifier))}, nil, list(retry.Classifier)},
		{"by hand, attributes bring theirs in all the same", []annotation.Declaration{at[third]("Charge", annotation.Timeout(time.Second), policies(retry.Classifier))}, nil, list(retry.Classifier, retry.Timeout)},
		{"Defaults that no list replaces bring theirs in", []annotation.Declaration{at[first]("Charge")}, nil, list(retry.Fallback, retry.Classifier, retry.Timeout, retry.CircuitBreaker, retry.Budget, retry.MaxAttempts, retry.Sleep)},
		{"the container's list", []annotation.Declaration{at[aliases.Retry]("Charge")}, []annotation.Option{policies(retry.MaxAttempts)}, list(retry.MaxAttempts)},
		{"an annotation's over the container's", []annotation.Declaration{at[aliases.CircuitBreaker]("Charge")}, []annotation.Option{policies(retry.MaxAttempts)}, list(retry.Fallback, retry.Classifier, retry.CircuitBreaker, retry.MaxAttempts, retry.Sleep)},
		{"the container adds", []annotation.Declaration{at[aliases.Retry]("Charge")}, []annotation.Option{add(quota)}, list(retry.Fallback, retry.Classifier, retry.Budget, retry.MaxAttempts, retry.Sleep, quota)},
		{"the container's attributes bring theirs in", []annotation.Declaration{at[aliases.Retry]("Charge")}, []annotation.Option{annotation.Timeout(time.Second)}, list(retry.Fallback, retry.Classifier, retry.Timeout, retry.Budget, retry.MaxAttempts, retry.Sleep)},
		{"but not into a list that an annotation has replaced", []annotation.Declaration{at[aliases.CircuitBreaker]("Charge")}, []annotation.Option{annotation.Timeout(time.Second)}, list(retry.Fallback, retry.Classifier, retry.CircuitBreaker, retry.MaxAttempts, retry.Sleep)},
		{"ignoreErrors bring the classifier in from anywhere", []annotation.Declaration{at[second]("Charge")}, []annotation.Option{annotation.IgnoreErrors(retry.Is(errNoRows))}, list(retry.Classifier, retry.Budget, retry.MaxAttempts, quota)},
	} {
		t.Run(x.name, func(t *testing.T) {
			for _, declarations := range permutations(x.declarations) {
				d := resolved(t, asGateway[plain](), declarations, x.container...)["Charge"]
				require.Equal(t, x.want, d.Settings.Policies)
			}
		})
	}
}

func TestOriginOfTheListOfPolicies(t *testing.T) {
	origin := func(d map[string]annotation.MethodDefinition) string { return d["Charge"].Origins["policies"].String() }
	require.Equal(t, "table", origin(registered(t, at[aliases.Retry]("Charge"))))
	require.Equal(t, "defaults of annotation_test.third", origin(registered(t, at[third]("Charge"))))
	require.Equal(t, "defaults of annotation_test.second", origin(registered(t, at[second]("Charge"))))
	require.Equal(t, "aliases.Retry, registration shop/main.go:12", origin(registered(t, at[aliases.Retry]("Charge", annotation.AddPolicies(quota)))))
	require.Equal(t, "container defaults shop/main.go:5", origin(resolved(t, asGateway[plain](), []annotation.Declaration{at[aliases.Retry]("Charge")}, annotation.AddPolicies(quota))))
}
