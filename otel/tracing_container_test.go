package backstayotel_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// Branch is a service that needs another.
type Branch interface {
	Withdraw(ctx context.Context, id string) (string, error)
}

// CityBranch opens its vault.
type CityBranch struct{ vault Vault }

func (b *CityBranch) Withdraw(ctx context.Context, id string) (string, error) {
	return b.vault.Open(ctx, id)
}

func newCityBranch(v Vault) *CityBranch { return &CityBranch{v} }

func TestTheSpansOfServicesOfAContainer(t *testing.T) {
	for _, c := range []struct {
		name       string
		instrument func(t *testing.T, c *container.Container, tr *traced)
	}{
		{"in one line", func(t *testing.T, c *container.Container, tr *traced) {
			_, err := backstayotel.Instrument(c, backstayotel.WithTracerProvider(tr.provider))
			require.NoError(t, err)
		}},
		{"by hand", func(t *testing.T, c *container.Container, tr *traced) {
			c.Supply(tr.Listener(), container.As[retry.Listener]())
			c.Supply(tr.SessionAspect(), container.AsAspect(aspect.Annotated[annotation.AbstractRetry](), backstayotel.SessionPriority))
			c.Supply(tr.AttemptAspect(), container.AsAspect(aspect.Annotated[annotation.AbstractRetry](), backstayotel.AttemptPriority))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tr := newTraced(t)
				services := container.New()
				services.Provide(newCityBranch, container.As[Branch](), container.Annotate[aliases.Retry](Branch.Withdraw))
				services.Provide(func() *SteelVault { return &SteelVault{open: failing(1, errJam)} }, container.As[Vault](),
					container.Annotate[aliases.Retry](Vault.Open, annotation.Base(time.Second)))
				c.instrument(t, services, tr)
				require.NoError(t, services.Invoke(func(b Branch) error {
					_, err := b.Withdraw(t.Context(), "7")
					return err
				}))
				require.Equal(t, `
CityBranch@Withdraw 0s-1s attempts=1 result=succeeded
  CityBranch@Withdraw attempt 0s-1s attempt=1
    SteelVault@Open 0s-1s attempts=2 result=succeeded
      · backstay.wait 0s attempt=2 wait.duration=1
      SteelVault@Open attempt 0s-0s attempt=1 error.type=*backstayotel_test.JamError Error
      SteelVault@Open attempt 1s-1s attempt=2
`, tr.tree())
			})
		})
	}
}
