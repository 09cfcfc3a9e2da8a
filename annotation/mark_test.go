package annotation_test

import (
	"context"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
)

// marks of every kind that is right.
type stripe struct {
	_ annotation.On[aliases.Retry]          `method:"Charge, Refund" maxAttempts:"3"`
	_ annotation.On[aliases.CircuitBreaker] `  method:"*,!Ping"   maxAttempts:"3" `
	_ on                                    `method:"Ref*" retryErrors:"none" retryIfResult:"falsy"`
	_ annotation.On[audited]                `method:"Ping" topic:"a \"quoted\" one, with a comma"`
	methods
	client *int
}

// on is how one writes less.
type on = annotation.On[aliases.RetryFalsy]

func TestMarksAreReadInOrder(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[stripe](), reflect.TypeFor[*stripe]()} {
		marks := annotation.Marks(typ)
		var texts []string
		for _, m := range marks {
			require.True(t, m.FromTag())
			require.Equal(t, "stripe._", m.Place())
			texts = append(texts, m.String())
		}
		require.Equal(t, []string{
			"aliases.Retry on Charge, Refund (stripe._)",
			"aliases.CircuitBreaker on *,!Ping (stripe._)",
			"aliases.RetryFalsy on Ref* (stripe._)",
			"annotation_test.audited on Ping (stripe._)",
		}, texts)
		require.Equal(t, reflect.TypeFor[aliases.Retry](), marks[0].Type())
	}
}

func TestMarksTakeNoSpace(t *testing.T) {
	type bare struct{ client *int }
	require.Equal(t, unsafe.Sizeof(bare{}), unsafe.Sizeof(struct {
		_      annotation.On[aliases.Retry] `method:"*"`
		client *int
	}{}))
}

func TestTypesWithoutMarks(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[plain](), reflect.TypeFor[int](), reflect.TypeFor[gateway](), reflect.TypeFor[func()](), reflect.TypeFor[**stripe](),
		reflect.TypeFor[struct{ s stripe }](), reflect.TypeFor[struct{ _ struct{} }](), reflect.TypeFor[struct{ gateway }](),
	} {
		require.Empty(t, annotation.Marks(typ), typ.String())
	}
}

func TestDeclarationOfARegistration(t *testing.T) {
	byName, byExpression := at[aliases.Retry]("Get*,!Getaway"), at[aliases.Retry]((*plain).Charge)
	require.False(t, byName.FromTag())
	require.Equal(t, "shop/main.go:12", byName.Place())
	require.Equal(t, reflect.TypeFor[aliases.Retry](), byName.Type())
	require.Equal(t, "aliases.Retry on Get*,!Getaway (shop/main.go:12)", byName.String())
	require.Equal(t, "aliases.Retry on (*annotation_test.plain).Charge (shop/main.go:12)", byExpression.String())
	require.Equal(t, "aliases.Retry (shop/main.go:12)", at[aliases.Retry](3).String())
}

// Marks that are not blank fields of the type itself.
type (
	namedMark struct {
		retry annotation.On[aliases.Retry] `method:"Charge"`
	}
	embeddedMark struct {
		annotation.On[aliases.Retry] `method:"Charge"`
	}
	pointerMark struct {
		_ *annotation.On[aliases.Retry] `method:"Charge"`
	}
)

func (namedMark) Charge(context.Context) error    { return nil }
func (embeddedMark) Charge(context.Context) error { return nil }
func (pointerMark) Charge(context.Context) error  { return nil }

func TestMarkIsABlankFieldOfItsOwnType(t *testing.T) {
	type charger interface{ Charge(context.Context) error }
	as := reflect.TypeFor[charger]()
	for _, x := range []struct {
		s    annotation.Subject
		want string
	}{
		{service[namedMark](as), "backstay: namedMark@Charge: aliases.Retry: the mark is the field retry; write it as a blank field: _ annotation.On[aliases.Retry] (namedMark.retry)"},
		{service[embeddedMark](as), "backstay: embeddedMark@Charge: aliases.Retry: the mark is the field On; write it as a blank field: _ annotation.On[aliases.Retry] (embeddedMark.On)"},
		{service[pointerMark](as), "backstay: pointerMark: aliases.Retry: the mark is a pointer; write the type itself: _ annotation.On[aliases.Retry] (pointerMark._)"},
	} {
		require.Equal(t, []string{x.want}, problems(x.s, annotation.Marks(x.s.Impl)))
	}
}

// What embedded structs promote, and what the outer ones shadow.
type (
	author struct {
		_ annotation.On[aliases.Retry] `method:"Charge,Cancel" maxAttempts:"3"`
	}
	written struct {
		author
		methods
	}
	inner struct {
		_ annotation.On[aliases.Retry] `method:"Charge,Refund" maxAttempts:"3"`
		_ annotation.On[aliases.Retry] `method:"Close*" maxAttempts:"4"`
		_ annotation.On[audited]       `method:"*" topic:"inner"`
		methods
	}
	shadowing struct{ inner }
	byPtr     struct{ *inner }
	deep      struct{ shadowing }
	rival     struct {
		inner
		other
	}
	other          struct{}
	generic[T any] struct {
		inner
		value T
	}
	selfish struct {
		*selfish
		inner
	}
	byInterface struct {
		deeper
		gateway
	}
	deeper      struct{ inner }
	allShadowed struct{ onlyCharge }
	onlyCharge  struct {
		_ annotation.On[aliases.Retry] `method:"Charge" maxAttempts:"3"`
		_ annotation.On[aliases.Retry] `method:"Ch*" wrapExhausted:"true"`
	}
	misnamed  struct{ wrongName }
	wrongName struct {
		_ annotation.On[aliases.Retry] `method:"Chrage"`
		methods
	}
	hidden     struct{ hiddenName }
	hiddenName struct {
		_ annotation.On[aliases.Retry] `method:"Close"`
		methods
	}
	hiddenGlob  struct{ hiddenGlobs }
	hiddenGlobs struct {
		_ annotation.On[aliases.Retry] `method:"Clo*"`
		methods
	}
)

func (*shadowing) Charge(context.Context, int) (string, error)   { return "", nil }
func (other) Refund(context.Context, string) error               { return nil }
func (*generic[T]) Charge(context.Context, int) (string, error)  { return "", nil }
func (onlyCharge) Charge(context.Context, int) (string, error)   { return "", nil }
func (*allShadowed) Charge(context.Context, int) (string, error) { return "", nil }
func (*allShadowed) Refund(context.Context, string) error        { return nil }
func (*allShadowed) Ready(context.Context) bool                  { return false }
func (*allShadowed) Ping()                                       {}

func TestMarksOfAnEmbeddedStructCountForWhatItPromotes(t *testing.T) {
	type closing interface {
		gateway
		Close() error
	}
	as := reflect.TypeFor[closing]()
	for name, x := range map[string]struct {
		s    annotation.Subject
		want []string // methods with a retry annotation
	}{
		"promoted":                 {service[byPtr](as), []string{"Charge", "Close", "Refund"}},
		"shadowed by the outer":    {service[shadowing](as), []string{"Close", "Refund"}},
		"shadowed in between":      {service[deep](as), []string{"Close", "Refund"}},
		"promoted by a shallower":  {service[rival](as), []string{"Charge", "Close"}},
		"shadowed in a generic":    {service[generic[int]](as), []string{"Close", "Refund"}},
		"beside itself":            {service[selfish](as), []string{"Charge", "Close", "Refund"}},
		"all shadowed":             {service[allShadowed](reflect.TypeFor[gateway]()), nil},
		"promoted by an interface": {service[byInterface](as), []string{"Close"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			defs := resolved(t, x.s, annotation.Marks(x.s.Impl))
			for _, m := range x.s.Methods {
				if d, ok := defs[m.Name]; ok && d.Retry {
					got = append(got, m.Name)
				}
			}
			require.Equal(t, x.want, got)
		})
	}
}

func TestGlobOfAnEmbeddedStructMeetsWhatItPromotes(t *testing.T) {
	type closing interface {
		gateway
		Close() error
	}
	s := service[shadowing](reflect.TypeFor[closing]())
	defs := resolved(t, s, annotation.Marks(s.Impl))
	require.Len(t, defs["Refund"].Entries, 2)
	require.Len(t, defs["Ping"].Entries, 1)
	require.NotContains(t, defs, "Charge")
	require.Equal(t, "inner._", defs["Refund"].Entries[0].Place)
}

func TestMistakesInMarksOfAnEmbeddedStruct(t *testing.T) {
	require.Equal(t, []string{"backstay: misnamed: aliases.Retry: there is no method Chrage; write Charge (wrongName._)"}, problemsOf[misnamed]())
	require.Equal(t, []string{"backstay: hidden: aliases.Retry: Close is not in an interface that hidden is provided as; provide it as one that has the method, by container.As (hiddenName._)"}, problemsOf[hidden]())
	require.Equal(t, []string{"backstay: hiddenGlob: aliases.Retry: Clo* meets no method; write one of Charge, Ping, Ready, Refund (hiddenGlobs._)"}, problemsOf[hiddenGlob]())
	require.Equal(t, []string{
		"backstay: written@Charge: aliases.Retry: Charge is no method that author promotes; move the mark to the struct that has the method (author._)",
		"backstay: written: aliases.Retry: there is no method Cancel; leave it out (author._)",
	}, problemsOf[written]())
}
