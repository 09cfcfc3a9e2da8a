package annotation_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Annotations that are wrong in themselves.
type (
	notAStruct int
	twoKinds   struct {
		aliases.Retry
		aliases.CircuitBreaker
	}
	twoKindsBelow struct{ twoKinds }
	byPointer     struct{ *aliases.Retry }
	nearMiss      struct{ aliases.Retry }
	farMiss       struct{ aliases.Retry }
	wrongCase     struct{ aliases.RetryFalsy }
	wrongResult   struct{ annotation.AbstractRetry }
	wrongBelow    struct{ wrongResult }
	wrongParams   struct{ annotation.AbstractRetry }
	panicking     struct{ annotation.AbstractRetry }
	throughNil    struct {
		aliases.Retry
		*tuning2
	}
	tuning2   struct{ n int }
	ambiguous struct {
		aliases.RetryFalsy
		tuning
	}
	unmeant    struct{ Topic string }
	badSet     struct{ annotation.AbstractRetry }
	badDefault struct{ annotation.AbstractRetry }
	badFactory struct{ annotation.AbstractRetry }
	takenKey   struct {
		aliases.Retry
		Timeout time.Duration
	}
	takenGroup struct {
		aliases.Retry
		Breaker string
	}
	methodKey struct{ Method string }
	oneKey    struct{ TTL, Ttl string }
)

func (nearMiss) Default() []annotation.Option        { return nil }
func (farMiss) Details() []annotation.Option         { return nil }
func (*wrongCase) DEFAULTS() []annotation.Option     { return nil }
func (wrongResult) Defaults() []string               { return nil }
func (wrongParams) Defaults(int) []annotation.Option { return nil }
func (panicking) Defaults() []annotation.Option      { panic(errDown) }
func (t *tuning2) Defaults() []annotation.Option {
	return []annotation.Option{annotation.MaxAttempts(t.n)}
}
func (unmeant) Defaults() []annotation.Option { return nil }
func (badSet) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Set(func(*tenantRetry) {})}
}
func (badDefault) Defaults() []annotation.Option { return []annotation.Option{annotation.Base(100)} }
func (badFactory) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(noPhase)}
}

// Annotations with a method that was meant to be Validate, or with a kind that is not embedded; the last two are right.
type (
	validBool  struct{ aliases.Retry }
	validBelow struct{ validBool }
	validFor   struct{ Topic string }
	validMiss  struct{ Topic string }
	validCase  struct{ aliases.Retry }
	unembedded struct {
		Retry aliases.Retry
		Topic string
	}
	unembeddedMark struct {
		_     annotation.On[aliases.Retry]
		Topic string
	}
	markEmbedded struct {
		*annotation.On[aliases.Retry]
		Topic string
	}
	validity   struct{ Topic string }
	besideKind struct {
		aliases.Retry
		Beside aliases.RetryFalsy
	}
)

func (validBool) Validate() bool         { return false }
func (*validFor) Validate(int) error     { return nil }
func (validMiss) Validat() error         { return nil }
func (validCase) VALIDATE() bool         { return false }
func (validity) Validity() time.Duration { return 0 }

type nothing struct{}

func (nothing) Kind() string { return "nothing" }

var noPhase = retry.PolicyFrom("nothing", func() nothing { return nothing{} })

func TestMistakesInAnnotations(t *testing.T) {
	for _, x := range []struct {
		d    annotation.Declaration
		want string
	}{
		{at[notAStruct]("Charge"), "it is no struct; declare the annotation as a struct"},
		{at[*aliases.Retry]("Charge"), "it is no struct; declare the annotation as a struct"},
		{at[twoKinds]("Charge"), "it embeds 2 retry annotations, such as aliases.Retry and aliases.CircuitBreaker; embed one of them, and attach the other beside it"},
		{at[twoKindsBelow]("Charge"), "annotation_test.twoKinds embeds 2 retry annotations, such as aliases.Retry and aliases.CircuitBreaker; embed one of them, and attach the other beside it"},
		{at[byPointer]("Charge"), "it embeds *aliases.Retry, a pointer; embed aliases.Retry itself"},
		{at[nearMiss]("Charge"), "it has a method Default, which nothing calls; name it Defaults, or give it another name"},
		{at[wrongCase]("Charge"), "it has a method DEFAULTS, which nothing calls; name it Defaults, or give it another name"},
		{at[wrongResult]("Charge"), "Defaults of annotation_test.wrongResult is a func() []string; write func (wrongResult) Defaults() []annotation.Option"},
		{at[wrongParams]("Charge"), "Defaults of annotation_test.wrongParams is a func(int) []annotation.Option; write func (wrongParams) Defaults() []annotation.Option"},
		{at[wrongBelow]("Charge"), "Defaults of annotation_test.wrongResult is a func() []string; write func (wrongResult) Defaults() []annotation.Option"},
		{at[panicking]("Charge"), "Defaults of annotation_test.panicking panics: down; let Defaults return options whatever the annotation's fields hold"},
		{at[throughNil]("Charge"), "Defaults of annotation_test.throughNil panics: runtime error: invalid memory address or nil pointer dereference; let Defaults return options whatever the annotation's fields hold"},
		{at[ambiguous]("Charge"), "it embeds several types with Defaults, so it has none of them; write func (ambiguous) Defaults() []annotation.Option"},
		{at[unmeant]("Charge"), "it has Defaults, and is no retry annotation; embed annotation.AbstractRetry, or leave Defaults out"},
		{at[badSet]("Charge"), "Defaults of annotation_test.badSet: annotation.Set[annotation_test.tenantRetry] sets no field of it; write annotation.Set[annotation_test.badSet]"},
		{at[badDefault]("Charge"), "Defaults of annotation_test.badDefault: Base(100ns): 100 is 100ns; write 100*time.Millisecond"},
		{at[badFactory]("Charge"), `policy "nothing": annotation_test.nothing has no phase; implement retry.Gate, retry.Starter, retry.Judge, retry.Limiter, retry.Waiter, retry.Taker or retry.Ender`},
		{at[takenKey]("Charge"), "its field Timeout has the key timeout, which is an attribute's; rename the field"},
		{at[takenGroup]("Charge"), "its field Breaker has the key breaker, which is an attribute's; rename the field"},
		{at[methodKey]("Charge"), "its field Method has the key method, which selects methods; rename the field"},
		{at[oneKey]("Charge"), "its fields TTL and Ttl have one key, ttl; rename one of them"},
		{at[strict]("Charge"), "it is not valid: tenant is missing; set its fields in the tag, or by annotation.Set"},
		{at[validBool]("Charge"), "Validate of annotation_test.validBool is a func() bool; write func (validBool) Validate() error"},
		{at[validFor]("Charge"), "Validate of annotation_test.validFor is a func(int) error; write func (validFor) Validate() error"},
		{at[validBelow]("Charge"), "Validate of annotation_test.validBool is a func() bool; write func (validBool) Validate() error"},
		{at[validMiss]("Charge"), "it has a method Validat, which nothing calls; name it Validate, or give it another name"},
		{at[validCase]("Charge"), "it has a method VALIDATE, which nothing calls; name it Validate, or give it another name"},
		{at[unembedded]("Charge"), "its field Retry is a aliases.Retry, which makes no retry annotation of it; embed aliases.Retry"},
		{at[unembeddedMark]("Charge"), "its field _ is a annotation.On[github.com/backstay/backstay/aliases.Retry], which makes no retry annotation of it; embed aliases.Retry"},
		{at[markEmbedded]("Charge"), "it marks a field, and is no annotation; write Annotate[aliases.Retry] at a registration, or annotation.On[aliases.Retry] in a struct"},
		{tag[annotation.On[aliases.Retry]](`method:"Charge"`), "it marks a field, and is no annotation; write Annotate[aliases.Retry] at a registration, or annotation.On[aliases.Retry] in a struct"},
		{at[unstable]("Charge"), "its Validate panics: no; let it return an error"},
	} {
		t.Run(x.d.String(), func(t *testing.T) {
			require.Equal(t, []string{x.want}, said(x.d))
		})
	}
	require.Empty(t, said(at[farMiss]("Charge")))
	require.Empty(t, said(at[validity]("Charge")), "a near miss of Validate that means something else")
	require.Empty(t, said(at[besideKind]("Charge")), "a field of a retry kind beside an embedded one")
}

// strict checks its own fields; unstable cannot.
type (
	strict   struct{ Tenant string }
	unstable struct{}
)

func (s *strict) Validate() error {
	if s.Tenant == "" {
		return errors.New("tenant is missing")
	}
	return nil
}

func (unstable) Validate() error { panic("no") }

func TestValidateIsAskedWhenOwnFieldsAreSet(t *testing.T) {
	require.Empty(t, said(tag[strict](`method:"Charge" tenant:"acme"`)))
	require.Empty(t, said(at[strict]("Charge", annotation.Set(func(s *strict) { s.Tenant = "acme" }))))
	require.Len(t, said(tag[strict](`method:"*"`)), 1, "once, not for each method")
}
