package annotation_test

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
)

// A tag that is accepted is one that reflect reads too, with every key once; and what is wrong is said in one line.
func FuzzTag(f *testing.F) {
	for _, seed := range []string{
		`method:"Charge"`, `method:"*,!Ping" maxAttempts:"3" tenant:"acme" cost:"3"`, `method: "Charge"`, `method:"Charge" method:"Ping"`,
		`method:"Charge" breaker:"window=50,failureRatio=0.5" budget:"ttl=10s,percent=0.2,deposit=call"`,
		`method:"Charge" base:"100" timeout:"3s" retryErrors:"any,none,x" fallback:"A#b@C" sleepStrategy:"backoff" policies:"sleep"`,
		`method:"Charge" maxAttempts:"9223372036854775808" base:"9223372036854775807ns" budget:"percent=NaN,minPerSec=1e400"`,
		"method:\"Charge\"\nx:\"y\"", `:`, `"`, `a:"\`, ` `, `method:"\x00" a:"\u2028"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := tag[tenantRetry](text)
		defs, errs := annotation.Resolve(asGateway[plain](), []annotation.Declaration{d}, nil, "")
		for _, err := range errs {
			require.NotContains(t, err.Error(), "\n")
			if !strings.Contains(text, "%") {
				require.NotContains(t, err.Error(), "%!", "a message is made of what it should be made of")
			}
		}
		if len(errs) > 0 {
			return
		}
		require.NotEmpty(t, defs, "what is accepted meets a method")
		_, ok := reflect.StructTag(text).Lookup("method")
		require.True(t, ok)
		for _, key := range regexp.MustCompile(`(?:^| )(\w+):"`).FindAllStringSubmatch(text, -1) {
			require.Equal(t, 1, strings.Count(" "+text, " "+key[1]+`:"`))
		}
	})
}

// What a selector meets is what the same thing as a regular expression matches.
func FuzzSelector(f *testing.F) {
	for _, seed := range []string{"Charge", "*", "Re*,!Ready", "*e*", "", ",", "!", "!Charge", "**", "C*h*a*r*g*e", "Ping,", "Gebühr*", "*1", "C*,A"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defs, errs := annotation.Resolve(asGateway[plain](), []annotation.Declaration{at[audited](text)}, nil, "")
		if len(errs) > 0 {
			return // a name that is not there; what else the list meets is looked at all the same, and not to be used
		}
		var in, out []*regexp.Regexp
		for item := range strings.SplitSeq(text, ",") {
			item = strings.Trim(item, " ")
			name, not := strings.CutPrefix(item, "!")
			re := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, `\w*`) + "$")
			if not { // taken out
				out = append(out, re)
			} else {
				in = append(in, re)
			}
		}
		matches := func(list []*regexp.Regexp, name string) bool {
			return slices.ContainsFunc(list, func(re *regexp.Regexp) bool { return re.MatchString(name) })
		}
		for _, m := range asGateway[plain]().Methods {
			met := slices.ContainsFunc(defs, func(d annotation.MethodDefinition) bool { return d.Ref.Method == m.Name })
			require.Equal(t, matches(in, m.Name) && !matches(out, m.Name), met, m.Name)
		}
	})
}

// A reference that is accepted prints as it was written, and means one thing.
func FuzzReference(f *testing.F) {
	for _, seed := range []string{"A@B", "A#b@C", "a/b.c/d.E[f.G,H]#i@J", "name", "", "@", "#", "A#@B", "A[@B", "[]@A", "A[#]@B", "A@B@C", "a.b@C"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := annotation.ParseReference(text)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.Equal(t, text, r.String())
		require.NotEqual(t, r.Name != "", r.Class != "")
		require.Equal(t, r.Class != "", r.Method != "")
		again, err := annotation.ParseReference(r.String())
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}

// A value that an own field takes is the one that was written.
func FuzzOwnField(f *testing.F) {
	for key, value := range map[string]string{
		"tenant": "a\"b", "ttl": "1h2m3s", "fast": "true", "cost": "-9223372036854775808", "small": "128", "size": "65535", "share": "0x1p-2",
		"regions": "a, b,[c,d]", "codes": "1,2", "waits": "1s,-2ms", "host": "::1%eth0", "limit": "perSec=1e3,burst=2", "bad": "panic", "nested": "",
	} {
		f.Add(key, value)
	}
	f.Fuzz(func(t *testing.T, key, value string) {
		defs, errs := annotation.Resolve(asGateway[plain](), []annotation.Declaration{tag[everything](`method:"Ping" ` + key + ":" + strconv.Quote(value))}, nil, "")
		if len(errs) > 0 || len(defs) == 0 {
			return
		}
		got := defs[0].Entries[0].Annotation.(everything)
		switch key {
		case "tenant":
			require.Equal(t, value, got.Tenant)
		case "ttl":
			want, err := time.ParseDuration(value)
			require.NoError(t, err)
			require.Equal(t, want, got.TTL)
		case "fast":
			require.Equal(t, value, strconv.FormatBool(got.Fast))
		case "cost":
			require.Equal(t, strings.TrimLeft(strings.TrimPrefix(value, "+"), "-0"), strings.TrimPrefix(strings.TrimLeft(strconv.Itoa(got.Cost), "0"), "-"))
		case "regions":
			require.Equal(t, strings.ReplaceAll(value, " ", ""), strings.ReplaceAll(strings.Join(got.Regions, ","), " ", ""))
		case "share":
			require.Equal(t, got.Share, got.Share, "no NaN")
		}
	})
}
