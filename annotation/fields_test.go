package annotation_test

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
)

// everything has a field of each kind that a tag can set.
type everything struct {
	common
	Tenant   string
	APIKey   string
	TTL      time.Duration
	Fast     bool
	Cost     int
	Small    int8
	Size     uint16
	Share    float64
	Single   float32
	Regions  []string
	Codes    []uint
	Waits    []time.Duration
	Hosts    []netip.Addr
	Host     netip.Addr
	Level    level
	Limit    limits
	Bad      fussy
	Ordinary map[string]int
	Nested   [][]string
	hidden   string
}

// common lends its fields, though its own name is not exported.
type common struct{ Owner string }

type (
	level  string
	limits struct {
		PerSec  float64
		Burst   int
		HTTPTTL time.Duration
		Tags    []string
	}
	fussy struct{}
)

func (*fussy) UnmarshalText(text []byte) error {
	if string(text) == "panic" {
		panic("no")
	}
	return errors.New("nothing suits")
}

func TestTagSetsOwnFields(t *testing.T) {
	for _, x := range []struct {
		tag  string
		want everything
	}{
		{`tenant:"acme"`, everything{Tenant: "acme"}},
		{`tenant:"a, \"b\"\t"`, everything{Tenant: "a, \"b\"\t"}},
		{`apiKey:"k"`, everything{APIKey: "k"}},
		{`ttl:"90s"`, everything{TTL: 90 * time.Second}},
		{`ttl:"-5ns"`, everything{TTL: -5}}, // not every duration is a wait
		{`fast:"true"`, everything{Fast: true}},
		{`cost:"-3"`, everything{Cost: -3}},
		{`small:"127"`, everything{Small: 127}},
		{`size:"65535"`, everything{Size: 65535}},
		{`share:"0.25"`, everything{Share: 0.25}},
		{`single:"2"`, everything{Single: 2}},
		{`regions:"eu, us"`, everything{Regions: []string{"eu", "us"}}},
		{`regions:""`, everything{Regions: []string{}}},
		{`codes:"1,2"`, everything{Codes: []uint{1, 2}}},
		{`waits:"1s,2m"`, everything{Waits: []time.Duration{time.Second, 2 * time.Minute}}},
		{`host:"10.0.0.1"`, everything{Host: netip.MustParseAddr("10.0.0.1")}},
		{`hosts:"10.0.0.1,::1"`, everything{Hosts: []netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("::1")}}},
		{`level:"high"`, everything{Level: "high"}},
		{`limit:"perSec=2.5, burst=3,httpttl=1s"`, everything{Limit: limits{PerSec: 2.5, Burst: 3, HTTPTTL: time.Second}}},
		{`owner:"me"`, everything{common: common{Owner: "me"}}},
	} {
		t.Run(x.tag, func(t *testing.T) {
			d := registered(t, tag[everything](`method:"Ping" `+x.tag))["Ping"]
			require.False(t, d.Retry)
			require.Equal(t, x.want, d.Entries[0].Annotation)
		})
	}
}

func TestMistakesInOwnFields(t *testing.T) {
	for _, x := range []struct{ tag, want string }{
		{`ttl:"90"`, `tag ttl:"90": 90 has no unit; write ttl:"90ms"`},
		{`fast:"yes"`, `tag fast:"yes": "yes" is neither true nor false; write true or false`},
		{`cost:"x"`, `tag cost:"x": "x" is no int; write a number that fits into int`},
		{`small:"128"`, `tag small:"128": "128" is no int8; write a number that fits into int8`},
		{`size:"-1"`, `tag size:"-1": "-1" is no uint16; write a number that fits into uint16`},
		{`share:"Inf"`, `tag share:"Inf": "Inf" is no number; write digits, such as in 0.2`},
		{`codes:"1,,2"`, `tag codes:"1,,2": "" is no uint; write a number that fits into uint`},
		{`host:"here"`, `tag host:"here": ParseAddr("here"): unable to parse IP; write what netip.Addr takes`},
		{`bad:"x"`, `tag bad:"x": nothing suits; write what annotation_test.fussy takes`},
		{`bad:"panic"`, `tag bad:"panic": UnmarshalText panics: no; write what it accepts`},
		{`limit:"burst"`, `tag limit:"burst": "burst" has no =; write key=value pairs by comma`},
		{`limit:"brust=1"`, `tag limit:"brust=1": annotation_test.limits has no field with the key brust; write the name of a field in lower camel case`},
		{`limit:"burst=1,burst=2"`, `tag limit:"burst=1,burst=2": burst is there twice; write it once`},
		{`limit:"tags=1"`, `tag limit:"tags=1": []string cannot be written in a tag; write it in code, by annotation.Set`},
		{`ordinary:"a=1"`, `tag ordinary:"a=1": map[string]int cannot be written in a tag; write it in code, by annotation.Set`},
		{`nested:"a"`, `tag nested:"a": []string cannot be written in a tag; write it in code, by annotation.Set`},
		{`hidden:"x"`, `tag hidden:"x": there is no attribute or field hidden; write one of apiKey, bad, codes, cost, fast, host, hosts, level ...`},
		{`tennant:"x"`, `tag tennant:"x": there is no attribute or field tennant; write tenant`},
		{`maxAttempts:"3"`, `tag maxAttempts:"3": this is no retry annotation, and has no attributes; embed annotation.AbstractRetry, or leave it out`},
	} {
		t.Run(x.tag, func(t *testing.T) {
			require.Equal(t, []string{x.want}, said(tag[everything](`method:"Ping" `+x.tag)))
		})
	}
	require.Equal(t, []string{`tag topik:"x": there is no attribute or field topik; write topic`}, said(tag[audited](`method:"Ping" topik:"x"`)))
	require.Equal(t, []string{`tag colour:"x": there is no attribute or field colour; write one of method, topic`}, said(tag[audited](`method:"Ping" colour:"x"`)))
}

// pool has a field that its embedded pointer lends, which there is nothing to set in; its own field hides the other.
type pool struct {
	*everything
	aliases.Retry
	Tenant string
}

func TestFieldsThroughAPointerCannotBeSet(t *testing.T) {
	require.Equal(t, []string{`tag cost:"3": there is no attribute or field cost; write an attribute or an own field in lower camel case`},
		said(tag[pool](`method:"Charge" cost:"3"`)))
	d := registered(t, tag[pool](`method:"Charge" tenant:"acme"`))["Charge"]
	require.Equal(t, pool{Tenant: "acme"}, d.Entries[0].Annotation)
}

func TestOwnFieldsAreSetByTagThenByRegistration(t *testing.T) {
	d := registered(t,
		at[tenantRetry]("Charge", annotation.Set(func(a *tenantRetry) { a.Tenant += "-globex" })),
		tag[tenantRetry](`method:"Charge" tenant:"acme" cost:"3" maxAttempts:"4"`))["Charge"]
	require.Equal(t, tenantRetry{Tenant: "acme-globex", Cost: 3}, d.Entries[0].Annotation)
	require.Equal(t, 4, d.Settings.MaxAttempts)
}

func TestSetMayNameAPartThatTheAnnotationEmbeds(t *testing.T) {
	d := registered(t, at[metered]("Charge", annotation.Set(func(a *tenantRetry) { a.Tenant = "acme" })))["Charge"]
	require.Equal(t, metered{tenantRetry{Tenant: "acme", Cost: 3}}, d.Entries[0].Annotation)
}

func TestTagSetsPromotedFieldsOfAnUnexportedPart(t *testing.T) {
	d := registered(t, tag[metered](`method:"Charge" tenant:"acme"`))["Charge"]
	require.Equal(t, metered{tenantRetry{Tenant: "acme", Cost: 3}}, d.Entries[0].Annotation)
}
