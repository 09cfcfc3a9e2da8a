package snippets_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// Quota has a field of each kind that a tag can hold.
type Quota struct {
	Window  time.Duration
	Calls   int
	Share   float64
	Strict  bool
	Tenants []string
	Level   slog.Level // an encoding.TextUnmarshaler
	Alarm   Alarm
}

type Alarm struct {
	After time.Duration
	Mail  string
}

type QuotaAccounts struct {
	_ annotation.On[Quota] `method:"*" window:"1m30s" calls:"50" share:"0.5" strict:"true" tenants:"acme,initech" level:"WARN" alarm:"after=5s,mail=ops@example.com"`
	BankOfNothing
}

func TestWhatATagHolds(t *testing.T) {
	c := container.New()
	c.Provide(func() *QuotaAccounts { return &QuotaAccounts{} }, container.As[Accounts]())
	require.NoError(t, c.Verify())
	for _, e := range annotation.AllOf[Quota](c.Registry()) {
		require.Equal(t, Quota{
			90 * time.Second, 50, 0.5, true, []string{"acme", "initech"}, slog.LevelWarn, Alarm{5 * time.Second, "ops@example.com"},
		}, e.Annotation)
	}
	require.Len(t, annotation.AllOf[Quota](c.Registry()), 2)
}
