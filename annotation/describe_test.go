package annotation_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

func TestAttributesTellWhatHoldsAndWhereItComesFrom(t *testing.T) {
	tell := func(d annotation.MethodDefinition) (lines []string) {
		for _, a := range d.Attributes() {
			lines = append(lines, fmt.Sprintf("%s %s (%v)", a.Key, a.Value, a.Origin))
		}
		return lines
	}
	for name, x := range map[string]struct {
		declarations []annotation.Declaration
		defaults     []annotation.Option
		want         []string
	}{
		"the table": {
			[]annotation.Declaration{at[aliases.Retry]("Charge")}, nil,
			[]string{
				"maxAttempts 10 (table)", "base 0s (table)", "sleepStrategy flat (table)", "maxDelay 1m0s (table)",
				"budget.ttl 10s (table)", "budget.minPerSec 1 (table)", "budget.percent 0.2 (table)", `budget.deposit "call" (table)`,
				"retryErrors any (table)",
			},
		},
		"every layer": {
			[]annotation.Declaration{
				tag[aliases.BackoffRetryThrowable](`method:"Charge" maxAttempts:"4" retryErrors:"busy" fallback:"OfflineGateway@Charge"`),
				at[aliases.BackoffRetryThrowable]("Charge", annotation.Timeout(3*time.Second), annotation.RetryIfError(isBusy), annotation.BudgetName("peer"), annotation.SleepStrategy("Fair")),
			},
			[]annotation.Option{annotation.IgnoreErrors(retry.Is(errNoRows)), annotation.Budget(retry.BudgetSettings{TTL: time.Second, Percent: 0.1, Deposit: retry.DepositSuccess})},
			[]string{
				"maxAttempts 4 (aliases.BackoffRetryThrowable, tag struct._)",
				"base 100ms (defaults of aliases.BackoffRetryThrowable)",
				"sleepStrategy Fair (aliases.BackoffRetryThrowable, registration shop/main.go:12)",
				"maxDelay 1m0s (table)",
				"budget.ttl 1s (container defaults shop/main.go:5)",
				"budget.minPerSec 0 (container defaults shop/main.go:5)",
				"budget.percent 0.1 (container defaults shop/main.go:5)",
				`budget.deposit "success" (container defaults shop/main.go:5)`,
				`budgetName "peer" (aliases.BackoffRetryThrowable, registration shop/main.go:12)`,
				"ignoreErrors is(no rows) (container defaults shop/main.go:5)",
				"retryIfError annotation_test.isBusy (aliases.BackoffRetryThrowable, registration shop/main.go:12)",
				"fallback OfflineGateway@Charge (aliases.BackoffRetryThrowable, tag struct._)",
				"timeout 3s (aliases.BackoffRetryThrowable, registration shop/main.go:12)",
			},
		},
		"a breaker": {
			[]annotation.Declaration{tag[aliases.CircuitBreaker](`method:"Charge" breaker:"window=10s,failureRatio=0.5" maxAttempts:"1"`)}, nil,
			[]string{
				"maxAttempts 1 (aliases.CircuitBreaker, tag struct._)", "base 0s (table)", "sleepStrategy flat (table)", "maxDelay 1m0s (table)",
				"retryErrors any (table)",
				"breaker.resetTimeout 10s (table)",
				"breaker.window 10s (aliases.CircuitBreaker, tag struct._)",
				"breaker.failureRatio 0.5 (aliases.CircuitBreaker, tag struct._)",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			defs, errs := annotation.Resolve(asGateway[plain](), x.declarations, x.defaults, "shop/main.go:5")
			require.Empty(t, errs)
			require.Equal(t, x.want, tell(defs[0]))
		})
	}
}

func TestAnnotationsOfAnotherKindHaveNoAttributes(t *testing.T) {
	d := registered(t, at[noted]("Charge"))["Charge"]
	require.Empty(t, d.Attributes())
	require.Empty(t, d.PolicyNames())
}
