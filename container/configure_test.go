package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Trail is an annotation that is no retry annotation.
type Trail struct{ Topic string }

// caller provides a Client, which is marked with three attempts, and a Plain, which is not marked, both failing for ever.
func caller(c *container.Container) (client *Client, plain *Plain) {
	client, plain = &Client{fail: 1 << 30}, &Plain{err: errDown}
	c.Supply(client, container.As[Caller](), container.As[Closer]())
	c.Supply(plain, container.As[Caller](), container.As[Closer](), container.Name("plain"))
	return client, plain
}

func TestConfigureTunesWhatIsDeclared(t *testing.T) {
	for name, x := range map[string]struct {
		methods string
		opts    []annotation.Option
		want    int
	}{
		"nothing":           {"", nil, 3},
		"by class":          {"Client@Call", []annotation.Option{annotation.MaxAttempts(5)}, 5},
		"by glob":           {"Cl*@*", []annotation.Option{annotation.MaxAttempts(5)}, 5},
		"an annotation off": {"Client@Call", []annotation.Option{annotation.Enabled[aliases.Retry](false)}, 1},
		"all off":           {"*@*", []annotation.Option{annotation.Enabled[annotation.AbstractRetry](false)}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			client, _ := caller(c)
			if x.methods != "" {
				c.Configure(x.methods, x.opts...)
			}
			require.NoError(t, c.Verify())
			woven, err := container.Get[Caller](c)
			require.NoError(t, err)
			require.ErrorIs(t, woven.Call(context.Background()), errDown)
			require.Equal(t, x.want, client.calls)
			require.Equal(t, x.want > 1, aspect.IsWoven(woven), "a service whose annotations are off is not wrapped")
		})
	}
}

func TestConfigureMistakesAreReportedByVerify(t *testing.T) {
	for name, x := range map[string]struct {
		say  func(c *container.Container)
		want string
	}{
		"a typo": {func(c *container.Container) { c.Configure("Cleint@Call", annotation.MaxAttempts(2)) },
			`backstay: Configure of "Cleint@Call": it meets no method; did you mean Client@Call? (HERE)`},
		"no reference": {func(c *container.Container) { c.Configure("Client", annotation.MaxAttempts(2)) }, ""},
		"out of range": {func(c *container.Container) { c.Configure("Client@Call", annotation.MaxAttempts(-3)) },
			`backstay: Configure of "Client@Call": MaxAttempts(-3): attempts are counted from 1, the first call included; write 1 or more, or retry.Unlimited ("unlimited" in a tag) (HERE)`},
		"not retried": {func(c *container.Container) { c.Configure("Plain#plain@Call", annotation.MaxAttempts(2)) },
			`backstay: Configure of "Plain#plain@Call": no method that it meets carries a retry annotation, so there is nothing that the attributes could change; annotate the method, or leave them out (HERE)`},
		"too late": {func(c *container.Container) { _ = c.Verify(); c.Configure("Client@Call", annotation.MaxAttempts(2)) },
			`backstay: Configure comes after Verify (HERE), which has frozen the plan; call it before the first use (HERE)`},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			caller(c)
			x.say(c)
			got := verified(t, c)
			require.Len(t, got, 1)
			if x.want != "" {
				require.Equal(t, x.want, got[0])
			}
		})
	}
}

func TestAnnotateAllMeetsManyServices(t *testing.T) {
	for name, x := range map[string]struct {
		say           func(c *container.Container)
		client, plain int
	}{
		"an interface": {func(c *container.Container) {
			container.AnnotateAll[aliases.Retry](c, aspect.And(aspect.Interface[Caller](), aspect.Method("Call")), annotation.MaxAttempts(2))
		}, 3, 2},
		"what is said of one service is nearer, on a glob too": {func(c *container.Container) {
			container.AnnotateAll[aliases.Retry](c, aspect.Any(), annotation.MaxAttempts(2))
		}, 3, 2},
		"different types merge": {func(c *container.Container) {
			container.AnnotateAll[aliases.RetryThrowable](c, aspect.Annotated[aliases.Retry](), annotation.WrapExhausted(true))
		}, 3, 1},
		"and a deployment tunes it": {func(c *container.Container) {
			container.AnnotateAll[aliases.Retry](c, aspect.Any(), annotation.MaxAttempts(2))
			c.Configure("*@Call", annotation.MaxAttempts(4))
		}, 4, 4},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			client, plain := caller(c)
			x.say(c)
			require.NoError(t, c.Verify())
			for _, opts := range [][]container.GetOption{nil, {container.Name("plain")}} {
				woven, err := container.Get[Caller](c, opts...)
				require.NoError(t, err)
				require.ErrorIs(t, woven.Call(context.Background()), errDown)
			}
			require.Equal(t, x.client, client.calls)
			require.Equal(t, x.plain, plain.calls)
		})
	}
}

func TestAnnotateAllIsReadByAspects(t *testing.T) {
	c := container.New()
	caller(c)
	container.AnnotateAll[Trail](c, aspect.Class("Pl*"), annotation.Set(func(t *Trail) { t.Topic = "calls" }))
	var topics []string
	c.Supply(aspect.Func(func(jp aspect.JoinPoint) error {
		trail, _ := aspect.AnnotationOf[Trail](jp)
		topics = append(topics, jp.Ref().String()+" "+trail.Topic)
		return jp.Proceed()
	}), container.AsAspect(aspect.Annotated[Trail](), 1))
	woven, err := container.Get[Caller](c, container.Name("plain"))
	require.NoError(t, err)
	require.ErrorIs(t, woven.Call(context.Background()), errDown)
	require.Equal(t, []string{"Plain#plain@Call calls"}, topics)
}

func TestAnnotateAllMistakesAreReportedByVerifyOnce(t *testing.T) {
	for name, x := range map[string]struct {
		say  func(c *container.Container)
		want string
	}{
		"nothing met": {func(c *container.Container) { container.AnnotateAll[Trail](c, aspect.Class("Nobody")) },
			"backstay: annotation container_test.Trail of class(Nobody) matches nothing; correct it, or leave it out; only services that are provided as an interface or a func can be met (HERE)"},
		"a part meets nothing": {func(c *container.Container) {
			container.AnnotateAll[Trail](c, aspect.Not(aspect.Class("Nobody")))
		}, "backstay: class(Nobody) in annotation container_test.Trail of not(class(Nobody)) matches nothing; correct it, or leave it out; only services that are provided as an interface or a func can be met (HERE)"},
		"a nil pointcut": {func(c *container.Container) { container.AnnotateAll[Trail](c, nil) },
			"backstay: a pointcut is nil; write aspect.Any() or leave it out (HERE)"},
		"an option of a retry": {func(c *container.Container) { container.AnnotateAll[Trail](c, aspect.Any(), annotation.MaxAttempts(2)) },
			"backstay: container_test.Trail: this is no retry annotation, and has no attributes; embed annotation.AbstractRetry, or write annotation.Set alone (HERE)"},
		"out of range": {func(c *container.Container) {
			container.AnnotateAll[aliases.Retry](c, aspect.Any(), annotation.MaxAttempts(0))
		}, `backstay: aliases.Retry: MaxAttempts(0): attempts are counted from 1, the first call included; write 1 or more, or retry.Unlimited ("unlimited" in a tag) (HERE)`},
		"nothing retriable": {func(c *container.Container) {
			container.AnnotateAll[aliases.RetryFalsy](c, aspect.Method("Call"))
		}, "backstay: aliases.RetryFalsy: method(Call) meets only methods that can never be retried, or that carry a nearer one; correct the pointcut, or leave the annotation out (HERE)"},
		"too late": {func(c *container.Container) { _ = c.Verify(); container.AnnotateAll[Trail](c, aspect.Any()) },
			"backstay: AnnotateAll comes after Verify (HERE), which has frozen the plan; call it before the first use (HERE)"},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			caller(c)
			x.say(c)
			require.Equal(t, []string{x.want}, verified(t, c))
		})
	}
}
