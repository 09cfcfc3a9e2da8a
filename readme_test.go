package backstay_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

type PaymentGateway interface {
	Charge(ctx context.Context, order string) (receipt string, err error)
}

// StripeGateway knows nothing of retries: a mark says what Charge may do.
type StripeGateway struct {
	_     annotation.On[aliases.BackoffRetryThrowable] `method:"Charge" maxAttempts:"4" base:"1ms" fallback:"OfflineGateway@Charge"`
	calls int
}

func (g *StripeGateway) Charge(context.Context, string) (string, error) {
	if g.calls++; g.calls%4 != 0 {
		return "", errors.New("503 service unavailable")
	}
	return "charged", nil
}

// OfflineGateway is what remains when Charge is exhausted. It takes the arguments, then the cause.
type OfflineGateway struct{}

func (*OfflineGateway) Charge(_ context.Context, order string, cause error) (string, error) {
	return "queued " + order, nil
}

func Example_readme() {
	c := container.New()
	c.Provide(func() *StripeGateway { return &StripeGateway{} }, container.As[PaymentGateway]())
	c.Provide(func() *OfflineGateway { return &OfflineGateway{} })
	err := c.Invoke(func(gateway PaymentGateway) error { // gets the woven one
		receipt, err := gateway.Charge(context.Background(), "order 42")
		fmt.Println(receipt)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: charged
}

// The README shows this file's code.
func TestTheReadmesExampleIsTheOneThatRuns(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, code, found := strings.Cut(string(readme), "Example_readme in readme_test.go. -->\n```go\n")
	require.True(t, found)
	code, _, found = strings.Cut(code, "```")
	require.True(t, found)

	here, err := os.ReadFile("readme_test.go")
	require.NoError(t, err)
	source := strings.Replace(string(here), "func Example_readme() {", "func main() {", 1)
	source = strings.Replace(source, "\t// Output: charged\n", "", 1)
	require.Contains(t, source, code)
}
