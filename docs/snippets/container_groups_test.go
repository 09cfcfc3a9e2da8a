package snippets_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Channel is a way to reach a customer.
type Channel interface{ Send(text string) string }

type MailChannel struct{}

func NewMailChannel() *MailChannel           { return &MailChannel{} }
func (*MailChannel) Send(text string) string { return "mail: " + text }

type SMSChannel struct{}

func NewSMSChannel() *SMSChannel            { return &SMSChannel{} }
func (*SMSChannel) Send(text string) string { return "sms: " + text }

// Notifier sends by all channels, or by one that is named when it runs.
type Notifier struct{ params NotifierParams }

type NotifierParams struct {
	container.In

	All    []Channel          `group:"channels"`          // in order of registration
	ByName map[string]Channel `group:"channels,required"` // by their names; somebody has to be in it
	Built  []Channel          `group:"channels,soft"`     // only those that something else has needed
}

func NewNotifier(p NotifierParams) *Notifier { return &Notifier{p} }

func (n *Notifier) Send(channel, text string) string { return n.params.ByName[channel].Send(text) }

func TestGroups(t *testing.T) {
	c := container.New()

	c.Provide(NewMailChannel, container.As[Channel](), container.Group("channels"), container.Name("mail"))
	c.Provide(NewSMSChannel, container.As[Channel](), container.Group("channels"), container.Name("sms"))
	c.Provide(NewNotifier)

	notifier, err := container.Get[*Notifier](c)
	require.NoError(t, err)
	require.Equal(t, "sms: hello", notifier.Send("sms", "hello"))
	require.Equal(t, "mail: a", notifier.params.All[0].Send("a"))
	require.Equal(t, "sms: a", notifier.params.All[1].Send("a"))
	require.Equal(t, []string{"mail", "sms"}, slices.Sorted(maps.Keys(notifier.params.ByName)))

	sms, err := container.Get[Channel](c, container.Name("sms"))
	require.NoError(t, err)
	require.Same(t, notifier.params.All[1], sms, "who has a name is found alone too")
	_, err = container.Get[Channel](c)
	require.ErrorContains(t, err, "nothing provides snippets_test.Channel")
}

func TestFlatten(t *testing.T) {
	c := container.New()

	c.Provide(func() []Channel { return []Channel{&MailChannel{}, &SMSChannel{}} }, container.Group("channels,flatten"))

	require.NoError(t, c.Invoke(func(p struct {
		container.In
		All []Channel `group:"channels"`
	}) {
		require.Len(t, p.All, 2)
	}))
}

func TestARequiredGroupThatIsEmptyIsADefinitionError(t *testing.T) {
	c := container.New()
	c.Provide(NewNotifier)
	require.ErrorContains(t, c.Verify(), `nothing of type snippets_test.Channel is in group "channels", which its constructor requires`)

	c = container.New()
	c.Provide(NewMailChannel, container.As[Channel](), container.Group("channels"))
	c.Provide(NewNotifier)
	require.ErrorContains(t, c.Verify(), "has none; give it one by container.Name, or take a slice")
}

func TestSupply(t *testing.T) {
	c := container.New()

	c.Supply(&DB{"postgres://orders"})
	c.Supply(&MailChannel{}, container.As[Channel]())
	c.Supply(retry.MatchFunc("busy", func(err error) bool { return strings.Contains(err.Error(), "busy") }), container.Name("busy"))

	require.NoError(t, c.Invoke(func(db *DB, _ Channel) { require.Equal(t, "postgres://orders", db.dsn) }))
	_, err := c.Lookup("DB")
	require.NoError(t, err)
}
