package annotation_test

import (
	"context"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
)

// adyen and stripeEU are two services of a gateway; ledger is another one.
type (
	adyen  struct{ methods }
	ledger struct{ methods }
)

type pinger interface{ Ping() }

func registry(t *testing.T) *annotation.Registry {
	r := &annotation.Registry{}
	add := func(s annotation.Subject, declarations ...annotation.Declaration) {
		defs, errs := annotation.Resolve(s, declarations, nil, "")
		require.Empty(t, errs)
		r.Add(s, defs)
	}
	eu := asGateway[adyen]()
	eu.Ref.Name = "eu"
	add(asGateway[adyen](), tag[aliases.RetryThrowable](`method:"*"`), at[audited]("Charge"))
	add(eu, at[aliases.CircuitBreaker]("Charge"), at[aliases.Retry]("Ch*"))
	add(service[ledger](reflect.TypeFor[pinger]()), at[audited]("Ping", annotation.Set(func(a *audited) { a.Topic = "ledger" })))
	return r
}

// inShort is entries in short.
func inShort(entries []annotation.Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Ref.String()+" "+reflect.TypeOf(e.Annotation).String())
	}
	return all
}

func TestRegistryTellsTheAnnotationsOfAMethod(t *testing.T) {
	r := registry(t)
	own := []string{"adyen@Charge annotation_test.audited", "adyen@Charge aliases.RetryThrowable"}
	eu := []string{"adyen#eu@Charge aliases.CircuitBreaker", "adyen#eu@Charge aliases.Retry"}
	ping := []string{"ledger@Ping annotation_test.audited"}
	for _, x := range []struct {
		method any
		want   []string
	}{
		{"adyen@Charge", append(own[:2:2], eu...)},
		{"annotation_test.adyen@Charge", append(own[:2:2], eu...)},
		{"github.com/backstay/backstay/annotation_test.adyen@Charge", append(own[:2:2], eu...)},
		{"adyen#eu@Charge", eu},
		{(*adyen).Charge, append(own[:2:2], eu...)},
		{adyen.Charge, append(own[:2:2], eu...)},
		{gateway.Charge, append(own[:2:2], eu...)},
		{"pinger@Ping", ping}, // exactly one service provides it
		{pinger.Ping, ping},
		{"ledger@Ping", ping},
		{"gateway@Charge", nil}, // two services do
		{"adyen@Ping", nil},
		{"adyen#us@Charge", nil},
		{"adyen", nil},
		{"adyen@", nil},
		{(*ledger).Charge, nil},
		{offline.Charge2, nil},
		{context.Context.Done, nil},
		{rewind, nil},
		{nil, nil},
		{3, nil},
	} {
		require.Equal(t, x.want, inShort(r.Of(x.method)), "%v", x.method)
	}
	require.Equal(t, audited{Topic: "ledger"}, r.Of("ledger@Ping")[0].Annotation)
	require.Equal(t, "shop/main.go:12", r.Of("ledger@Ping")[0].Place)
}

// Charge2 is a method of a type that is no service.
func (offline) Charge2() {}

func TestRegistryTellsTheMethodsOfAnAnnotation(t *testing.T) {
	r := registry(t)
	require.Equal(t, []string{"adyen@Charge annotation_test.audited", "ledger@Ping annotation_test.audited"}, inShort(annotation.AllOf[audited](r)))
	require.Equal(t, []string{"adyen#eu@Charge aliases.CircuitBreaker"}, inShort(annotation.AllOf[aliases.CircuitBreaker](r)))
	require.Equal(t, []string{
		"adyen@Charge aliases.RetryThrowable", "adyen@Refund aliases.RetryThrowable", "adyen#eu@Charge aliases.Retry",
	}, inShort(annotation.AllOf[aliases.Retry](r)), "those that embed it, too")
	require.Len(t, annotation.AllOf[annotation.AbstractRetry](r), 4)
	require.Empty(t, annotation.AllOf[tenantRetry](r))
	require.Empty(t, annotation.AllOf[audited](&annotation.Registry{}))
}

func TestRegistryIsSafeForConcurrentUse(t *testing.T) {
	r := registry(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			defs, _ := annotation.Resolve(asGateway[adyen](), []annotation.Declaration{at[audited]("*")}, nil, "")
			r.Add(asGateway[adyen](), defs)
			_ = r.Of("adyen@Charge")
			_ = annotation.AllOf[audited](r)
		})
	}
	wg.Wait()
	require.Len(t, annotation.AllOf[audited](r), 2+4*4)
}

func TestEntriesComeNearestFirst(t *testing.T) {
	d := registered(t,
		tag[audited](`method:"*" topic:"farthest"`), // replaced as a whole
		tag[aliases.RetryThrowable](`method:"*"`),
		tag[aliases.CircuitBreaker](`method:"Char*"`),
		tag[aliases.Retry](`method:"Charge"`),
		at[bare]("Charge"),
		tag[audited](`method:"Charge" topic:"a"`),
	)["Charge"]
	require.Equal(t, []string{
		"plain@Charge annotation_test.bare", "plain@Charge aliases.Retry", "plain@Charge annotation_test.audited",
		"plain@Charge aliases.CircuitBreaker", "plain@Charge aliases.RetryThrowable",
	}, inShort(d.Entries))
	require.Equal(t, audited{Topic: "a"}, d.Entries[2].Annotation)
}

// An annotation of another kind may be there several times; a mark and a registration of it are one.
func TestEntriesOfOtherKinds(t *testing.T) {
	topics := func(declarations ...annotation.Declaration) []string {
		var all []string
		for _, e := range registered(t, declarations...)["Ping"].Entries {
			all = append(all, e.Annotation.(audited).Topic)
		}
		return all
	}
	byTag := func(topic string) annotation.Declaration { return tag[audited](`method:"Ping" topic:"` + topic + `"`) }
	inCode := func(topic string) annotation.Declaration {
		return at[audited]("Ping", annotation.Set(func(a *audited) { a.Topic += topic }))
	}
	require.Equal(t, []string{"ab"}, topics(byTag("a"), inCode("b")))
	require.Equal(t, []string{"ab"}, topics(inCode("b"), byTag("a")))
	require.Equal(t, []string{"a", "b"}, topics(byTag("a"), byTag("b")))
	require.Equal(t, []string{"a", "b"}, topics(inCode("a"), inCode("b")))
	require.Equal(t, []string{"c", "a", "b"}, topics(byTag("a"), byTag("b"), inCode("c")))
}

func TestValueOfFindsAnAnnotationOrAPartOfOne(t *testing.T) {
	entries := []annotation.Entry{{Annotation: audited{"first"}}, {Annotation: audited{"second"}}, {Annotation: metered{tenantRetry{Tenant: "acme"}}}}

	v, ok := annotation.ValueOf(entries, reflect.TypeFor[audited]())
	require.True(t, ok)
	require.Equal(t, audited{"first"}, v.Interface())

	v, ok = annotation.ValueOf(entries, reflect.TypeFor[tenantRetry]()) // embedded, and not exported
	require.True(t, ok)
	require.Equal(t, tenantRetry{Tenant: "acme"}, v.Interface())

	v, ok = annotation.ValueOf(entries, reflect.TypeFor[annotation.AbstractRetry]())
	require.True(t, ok)
	require.Equal(t, annotation.AbstractRetry{}, v.Interface())

	_, ok = annotation.ValueOf(entries, reflect.TypeFor[strict]())
	require.False(t, ok)
}

func TestRetryAnnotationsAreKnownByWhatTheyEmbed(t *testing.T) {
	for typ, want := range map[reflect.Type]bool{
		reflect.TypeFor[annotation.AbstractRetry]():  true,
		reflect.TypeFor[aliases.Retry]():             true,
		reflect.TypeFor[careful]():                   true,
		reflect.TypeFor[regional[int]]():             true,
		reflect.TypeFor[audited]():                   false,
		reflect.TypeFor[byPointer]():                 false,
		reflect.TypeFor[*aliases.Retry]():            false,
		reflect.TypeFor[struct{ r aliases.Retry }](): false,
		reflect.TypeFor[int]():                       false,
	} {
		require.Equal(t, want, annotation.IsRetry(typ), typ.String())
	}
	require.True(t, annotation.EmbedsOrIs(reflect.TypeFor[careful](), reflect.TypeFor[aliases.RetryThrowable]()))
	require.False(t, annotation.EmbedsOrIs(reflect.TypeFor[careful](), reflect.TypeFor[aliases.RetryFalsy]()))
	require.True(t, annotation.EmbedsOrIs(reflect.TypeFor[int](), reflect.TypeFor[int]()))
}

func TestMethodsWithoutARetryAnnotationHaveNoSettings(t *testing.T) {
	d := registered(t, at[audited]("Ping"))["Ping"]
	require.False(t, d.Retry)
	require.Zero(t, d.Settings.MaxAttempts)
	require.Nil(t, d.Origins)
	require.Equal(t, "Ping", d.Method.Name)
	require.Equal(t, "plain@Ping", d.Ref.String())
}

func TestDefinitionsComeInOrderOfMethods(t *testing.T) {
	defs, errs := annotation.Resolve(asGateway[plain](), []annotation.Declaration{at[audited]("Refund"), at[audited]("Ping,Charge")}, nil, "")
	require.Empty(t, errs)
	var names []string
	for _, d := range defs {
		names = append(names, d.Ref.Method)
	}
	require.Equal(t, []string{"Charge", "Ping", "Refund"}, names)
}

func TestOriginsSayWhere(t *testing.T) {
	for _, x := range []struct {
		origin annotation.Origin
		want   string
	}{
		{annotation.Origin{}, "table"},
		{annotation.Origin{Layer: annotation.LayerContainer, Place: "a.go:1"}, "container defaults a.go:1"},
		{annotation.Origin{Layer: annotation.LayerAnnotation, Annotation: "aliases.Retry", Place: "a.go:1"}, "defaults of aliases.Retry"},
		{annotation.Origin{Layer: annotation.LayerTag, Annotation: "aliases.Retry", Place: "T._"}, "aliases.Retry, tag T._"},
		{annotation.Origin{Layer: annotation.LayerRegistration, Annotation: "aliases.Retry", Place: "a.go:1"}, "aliases.Retry, registration a.go:1"},
		{annotation.Origin{Layer: annotation.LayerRegistration}, "registration"},
	} {
		require.Equal(t, x.want, x.origin.String())
	}
	require.Equal(t, "annotation defaults", annotation.LayerAnnotation.String())
}
