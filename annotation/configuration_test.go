package annotation_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// configure resolves declarations of a gateway with what a deployment says of its method Charge, and of Refund where methods
// says so.
func configure(declarations []annotation.Declaration, configurations ...*annotation.Configuration) (map[string]annotation.MethodDefinition, []string) {
	s := asGateway[plain]()
	var configured []annotation.Configured
	for _, c := range configurations {
		configured = append(configured, annotation.Configured{Configuration: c, Methods: methodsOf(c)})
	}
	defs, errs := annotation.Resolve(s, declarations, nil, "", configured...)
	var texts []string
	for _, c := range configurations {
		errs = append(append(errs, c.Mistakes()...), c.Unmet(func(ref string) string { return annotation.NearMiss(ref, []string{"plain@Charge"}) })...)
	}
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	byName := map[string]annotation.MethodDefinition{}
	for _, d := range defs {
		byName[d.Method.Name] = d
	}
	return byName, texts
}

// methodsOf stands for a weaver, which matches references.
func methodsOf(c *annotation.Configuration) []string {
	switch c.String() {
	case "plain@Charge", "plain#it@Charge", "*@Charge":
		return []string{"Charge"}
	case "plain@*", "*@*":
		return []string{"Charge", "Refund", "Ready", "Ping"}
	}
	return nil
}

// noted is an annotation of another kind.
type noted struct{ Text string }

func say(methods string, opts ...annotation.Option) *annotation.Configuration {
	return annotation.Configure(methods, "shop/deploy.go:3", opts...)
}

func TestADeploymentHasTheLastWordOnAttributes(t *testing.T) {
	one, two := annotation.MaxAttempts(1), annotation.MaxAttempts(2)
	for name, x := range map[string]struct {
		configurations []*annotation.Configuration
		want           int
	}{
		"over tag and registration":                  {[]*annotation.Configuration{say("plain@Charge", two)}, 2},
		"the later one of two":                       {[]*annotation.Configuration{say("plain@Charge", one), say("plain@Charge", two)}, 2},
		"the method over a glob":                     {[]*annotation.Configuration{say("plain@Charge", two), say("plain@*", one)}, 2},
		"the class over a glob":                      {[]*annotation.Configuration{say("plain@*", two), say("*@Charge", one)}, 2},
		"the service over its class":                 {[]*annotation.Configuration{say("plain#it@Charge", two), say("plain@Charge", one)}, 2},
		"nothing of what it does not say":            {[]*annotation.Configuration{say("plain@Charge", annotation.Base(time.Second))}, 7},
		"the last option of one attribute in a call": {[]*annotation.Configuration{say("plain@Charge", one, two)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			defs, problems := configure([]annotation.Declaration{
				tag[aliases.Retry](`method:"Charge" maxAttempts:"5"`),
				at[aliases.Retry]("Charge", annotation.MaxAttempts(7)),
			}, x.configurations...)
			require.Empty(t, problems)
			require.Equal(t, x.want, defs["Charge"].Settings.MaxAttempts)
			if x.want == 2 {
				from := defs["Charge"].Origins["maxAttempts"]
				require.Equal(t, annotation.LayerConfiguration, from.Layer)
				require.Equal(t, "configuration shop/deploy.go:3", from.String())
			}
		})
	}
}

func TestADeploymentBringsPoliciesIn(t *testing.T) {
	retrying := at[aliases.Retry]("Charge")
	for name, x := range map[string]struct {
		opts []annotation.Option
		want []string
	}{
		"by an attribute":     {[]annotation.Option{annotation.Timeout(time.Second)}, []string{"fallback", "classifier", "timeout", "budget", "maxAttempts", "sleep"}},
		"by adding":           {[]annotation.Option{annotation.AddPolicies(retry.CircuitBreaker)}, []string{"fallback", "classifier", "circuitBreaker", "budget", "maxAttempts", "sleep"}},
		"by replacing":        {[]annotation.Option{annotation.Policies(retry.Classifier, retry.MaxAttempts)}, []string{"classifier", "maxAttempts"}},
		"replaced and set":    {[]annotation.Option{annotation.Policies(retry.Classifier), annotation.MaxAttempts(2)}, []string{"classifier", "maxAttempts"}},
		"and conditions hold": {[]annotation.Option{annotation.RetryErrors(retry.Is(errBusy))}, []string{"fallback", "classifier", "budget", "maxAttempts", "sleep"}},
	} {
		t.Run(name, func(t *testing.T) {
			defs, problems := configure([]annotation.Declaration{retrying}, say("plain@Charge", x.opts...))
			require.Empty(t, problems)
			d := defs["Charge"]
			require.Equal(t, x.want, d.PolicyNames())
			if name == "and conditions hold" {
				require.Equal(t, []retry.Matcher{retry.Is(errBusy)}, d.Settings.RetryErrors, "in place of any")
			}
		})
	}
}

func TestADeploymentTurnsAnnotationsOff(t *testing.T) {
	declarations := []annotation.Declaration{
		tag[aliases.Retry](`method:"Charge" maxAttempts:"5"`),
		tag[aliases.CircuitBreaker](`method:"*"`),
		at[noted]("Charge", annotation.Set(func(n *noted) { n.Text = "author" })),
	}
	types := func(d annotation.MethodDefinition) (all []string) {
		for _, e := range d.Entries {
			all = append(all, annotation.ClassOf(reflect.TypeOf(e.Annotation)).Short)
		}
		slices.Sort(all)
		return all
	}
	for name, x := range map[string]struct {
		opts   []annotation.Option
		charge []string
		refund []string
	}{
		"one":                    {[]annotation.Option{annotation.Enabled[aliases.Retry](false)}, []string{"CircuitBreaker", "noted"}, []string{"CircuitBreaker"}},
		"every retry annotation": {[]annotation.Option{annotation.Enabled[annotation.AbstractRetry](false)}, []string{"noted"}, nil},
		"one of another kind":    {[]annotation.Option{annotation.Enabled[noted](false)}, []string{"CircuitBreaker", "Retry"}, []string{"CircuitBreaker"}},
		"one and its kind":       {[]annotation.Option{annotation.Enabled[aliases.Retry](false), annotation.Enabled[annotation.AbstractRetry](false)}, []string{"noted"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			defs, problems := configure(declarations, say("*@*", x.opts...))
			require.Empty(t, problems)
			require.Equal(t, x.charge, types(defs["Charge"]))
			require.Equal(t, x.refund, types(defs["Refund"]))
		})
	}
}

func TestWhatIsOffMayBeTunedAllTheSame(t *testing.T) {
	tuned := say("plain@Charge", annotation.MaxAttempts(2), annotation.Set(func(n *noted) { n.Text = "deployed" }))
	off := say("*@*", annotation.Enabled[annotation.AbstractRetry](false), annotation.Enabled[noted](false))
	for name, configurations := range map[string][]*annotation.Configuration{"tuned first": {tuned, off}, "off first": {off, tuned}} {
		t.Run(name, func(t *testing.T) {
			defs, problems := configure([]annotation.Declaration{at[aliases.Retry]("Charge"), at[noted]("Charge")}, configurations...)
			require.Empty(t, problems)
			require.Empty(t, defs["Charge"].Entries)
			require.Equal(t, []annotation.Off{
				{Type: reflect.TypeFor[aliases.Retry](), Place: "shop/main.go:12", By: "shop/deploy.go:3"},
				{Type: reflect.TypeFor[noted](), Place: "shop/main.go:12", By: "shop/deploy.go:3"},
			}, defs["Charge"].Off)
		})
	}
}

func TestSettingsAreTheOwnFieldsThatAreSet(t *testing.T) {
	defs, problems := configure([]annotation.Declaration{tag[fielded](`method:"Charge" topic:"ledger" ttl:"1m" apiKey:"hidden" sizes:"1,2"`)},
		say("plain@Charge", annotation.Set(func(f *fielded) { f.Level = 9 })))
	require.Empty(t, problems)
	e := defs["Charge"].Entries[0]
	require.Equal(t, "topic=ledger, level=9, ttl=1m0s, apiKey=***, sizes=[1 2]", e.Settings())
	require.Equal(t, []string{"shop/deploy.go:3"}, e.Configured)
	require.Empty(t, annotation.Entry{Annotation: fielded{}}.Settings())
}

// fielded is an annotation with fields of several types.
type fielded struct {
	Topic  string
	Level  int
	TTL    time.Duration
	APIKey secret
	Sizes  []int
}

// secret does not show itself.
type secret string

func (secret) String() string { return "***" }

func TestTheNearestSwitchHolds(t *testing.T) {
	off, on := annotation.Enabled[annotation.AbstractRetry](false), annotation.Enabled[aliases.Retry](true)
	for name, x := range map[string]struct {
		configurations []*annotation.Configuration
		want           bool
	}{
		"all off, the class on":              {[]*annotation.Configuration{say("plain@*", on), say("*@*", off)}, true},
		"all off, the method on":             {[]*annotation.Configuration{say("plain@Charge", on), say("*@*", off)}, true},
		"the class on, the method off":       {[]*annotation.Configuration{say("plain@Charge", off), say("plain@*", on)}, false},
		"the later of two that are as near":  {[]*annotation.Configuration{say("plain@*", off), say("plain@*", on)}, true},
		"the later option of one":            {[]*annotation.Configuration{say("plain@*", off, on)}, true},
		"the kind off, another of it may on": {[]*annotation.Configuration{say("plain@*", off), say("plain@Charge", annotation.Enabled[noted](true))}, false},
	} {
		t.Run(name, func(t *testing.T) {
			defs, problems := configure([]annotation.Declaration{at[aliases.Retry]("Charge"), at[noted]("Charge")}, x.configurations...)
			require.Empty(t, problems)
			require.Equal(t, x.want, defs["Charge"].Retry)
		})
	}
}

func TestADeploymentSetsOwnFieldsOverAllOthers(t *testing.T) {
	defs, problems := configure([]annotation.Declaration{tag[noted](`method:"Charge" text:"author"`)},
		say("plain@Charge", annotation.Set(func(n *noted) { n.Text += ", deployed" })))
	require.Empty(t, problems)
	require.Equal(t, noted{Text: "author, deployed"}, defs["Charge"].Entries[0].Annotation)
}

func TestAConfigurationWithoutEffectIsAMistake(t *testing.T) {
	retrying := at[aliases.Retry]("Charge")
	for name, x := range map[string]struct {
		declarations  []annotation.Declaration
		configuration *annotation.Configuration
		want          string
	}{
		"no such method":      {[]annotation.Declaration{retrying}, say("plain@Chrage", annotation.MaxAttempts(2)), `backstay: Configure of "plain@Chrage": it meets no method; did you mean plain@Charge? (shop/deploy.go:3)`},
		"far from any":        {[]annotation.Declaration{retrying}, say("other@Do", annotation.MaxAttempts(2)), `backstay: Configure of "other@Do": it meets no method; write Class@Method of a service that is provided as an interface or a func (shop/deploy.go:3)`},
		"nothing said":        {[]annotation.Declaration{retrying}, say("plain@Charge"), `backstay: Configure of "plain@Charge": it configures nothing; write options, such as annotation.MaxAttempts(3) or annotation.Enabled[aliases.Retry](false) (shop/deploy.go:3)`},
		"no retry annotation": {[]annotation.Declaration{at[noted]("Charge")}, say("plain@Charge", annotation.MaxAttempts(2)), `backstay: Configure of "plain@Charge": no method that it meets carries a retry annotation, so there is nothing that the attributes could change; annotate the method, or leave them out (shop/deploy.go:3)`},
		"no such annotation":  {[]annotation.Declaration{retrying}, say("plain@Charge", annotation.Set(func(*noted) {})), `backstay: Configure of "plain@Charge": no method that it meets carries a annotation_test.noted, whose fields annotation.Set sets; annotate the method, or leave it out (shop/deploy.go:3)`},
		"nothing to turn off": {[]annotation.Declaration{retrying}, say("plain@Charge", annotation.Enabled[noted](false)), `backstay: Configure of "plain@Charge": no method that it meets carries a annotation_test.noted, which annotation.Enabled turns off or on; leave it out (shop/deploy.go:3)`},
		"out of range":        {[]annotation.Declaration{retrying}, say("plain@Charge", annotation.MaxAttempts(0)), `backstay: Configure of "plain@Charge": MaxAttempts(0): attempts are counted from 1, the first call included; write 1 or more, or retry.Unlimited ("unlimited" in a tag) (shop/deploy.go:3)`},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := configure(x.declarations, x.configuration)
			require.Equal(t, []string{x.want}, problems)
		})
	}
}

func TestSwitchesAreForDeployments(t *testing.T) {
	require.Equal(t, []string{
		"backstay: plain@Charge: aliases.Retry: Enabled[aliases.CircuitBreaker](false) turns an annotation off or on, which is for a deployment to say; write it in Configure of the container, or leave the annotation out (shop/main.go:12)",
	}, problems(asGateway[plain](), []annotation.Declaration{at[aliases.Retry]("Charge", annotation.Enabled[aliases.CircuitBreaker](false))}))
}
