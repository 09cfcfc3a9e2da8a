package annotation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
)

func TestMistakesInTags(t *testing.T) {
	const pairs = `write key:"value" pairs with a space between them, such as method:"*" maxAttempts:"3"`
	for _, x := range []struct{ tag, want string }{
		// the form
		{`method: "Charge"`, "the tag `method: \"Charge\"` is malformed: there is a space after method:; " + pairs},
		{`method`, "the tag `method` is malformed: \"method\" has no value; " + pairs},
		{`method:Charge`, "the tag `method:Charge` is malformed: the value of method is not in double quotes; " + pairs},
		{`method:'Charge'`, "the tag `method:'Charge'` is malformed: the value of method is not in double quotes; " + pairs},
		{`method:"Charge`, "the tag `method:\"Charge` is malformed: the value of method is no quoted string; " + pairs},
		{`method:"Char\qge"`, "the tag `method:\"Char\\qge\"` is malformed: the value of method is no quoted string; " + pairs},
		{`method:"Charge"maxAttempts:"3"`, "the tag `method:\"Charge\"maxAttempts:\"3\"` is malformed: there is no space after the value of method; " + pairs},
		{`method:"Charge",maxAttempts:"3"`, "the tag `method:\"Charge\",maxAttempts:\"3\"` is malformed: there is no space after the value of method; " + pairs},
		{`max-attempts:"3"`, "the tag `max-attempts:\"3\"` is malformed: \"max-attempts\" is no key; " + pairs},
		{`:"3"`, "the tag `:\"3\"` is malformed: \"\" is no key; " + pairs},
		{"method:\"Charge\"\n maxAttempts:\"3\"", `the tag "method:\"Charge\"\n maxAttempts:\"3\"" is malformed: it goes on in a second line; ` + pairs},
		{"method:\"Charge\"\tmaxAttempts:\"3\"", "the tag `method:\"Charge\"\tmaxAttempts:\"3\"` is malformed: there is no space after the value of method; " + pairs},
		{`method:"Charge" maxAttempts:"3" maxAttempts:"4"`, "the tag `method:\"Charge\" maxAttempts:\"3\" maxAttempts:\"4\"` has the key maxAttempts twice; write it once"},
		{``, `the tag has no key method; write method:"*"`},
		{`maxAttempts:"3"`, `the tag has no key method; write method:"*"`},

		// keys
		{`method:"Charge" maxAtempts:"3"`, `tag maxAtempts:"3": there is no attribute or field maxAtempts; write maxAttempts`},
		{`method:"Charge" MaxAttempts:"3"`, `tag MaxAttempts:"3": there is no attribute or field MaxAttempts; write maxAttempts`},
		{`method:"Charge" color:"red"`, `tag color:"red": there is no attribute or field color; write an attribute or an own field in lower camel case`},
		{`methods:"Charge"`, `tag methods:"Charge": there is no attribute or field methods; write method`},

		// values
		{`method:"Charge" maxAttempts:"three"`, `tag maxAttempts:"three": "three" is no whole number; write digits, such as in 3`},
		{`method:"Charge" maxAttempts:"0"`, `tag maxAttempts:"0": attempts are counted from 1, the first call included; write 1 or more, or retry.Unlimited ("unlimited" in a tag)`},
		{`method:"Charge" maxAttempts:"-1"`, `tag maxAttempts:"-1": it is below 1; write maxAttempts:"unlimited"`},
		{`method:"Charge" maxAttempts:"99999999999999999999"`, `tag maxAttempts:"99999999999999999999": "99999999999999999999" is no whole number; write digits, such as in 3`},
		{`method:"Charge" base:"100"`, `tag base:"100": 100 has no unit; write base:"100ms"`},
		{`method:"Charge" base:"1.5"`, `tag base:"1.5": 1.5 has no unit; write base:"1.5ms"`},
		{`method:"Charge" base:"100ns"`, `tag base:"100ns": 100 is 100ns; write base:"100ms"`},
		{`method:"Charge" base:"-1s"`, `tag base:"-1s": it is below zero; write 0 or more`},
		{`method:"Charge" base:"soon"`, `tag base:"soon": "soon" is no duration; write a number and its unit, such as 100ms`},
		{`method:"Charge" base:"NaN"`, `tag base:"NaN": "NaN" is no duration; write a number and its unit, such as 100ms`},
		{`method:"Charge" base:"9223372036854775807s"`, `tag base:"9223372036854775807s": "9223372036854775807s" is no duration; write a number and its unit, such as 100ms`},
		{`method:"Charge" maxDelay:"999ns"`, `tag maxDelay:"999ns": 999 is 999ns; write maxDelay:"999ms"`},
		{`method:"Charge" timeout:"5"`, `tag timeout:"5": 5 has no unit; write timeout:"5ms"`},
		{`method:"Charge" attemptTimeout:"0s"`, `tag attemptTimeout:"0s": there is no time at all; write how long it may take, or leave it out`},
		{`method:"Charge" attemptTimeout:"-1s"`, `tag attemptTimeout:"-1s": it is below zero; write how long it may take, or leave it out`},
		{`method:"Charge" breaker:"resetTimeout=-1s"`, `tag breaker:"resetTimeout=-1s": it is below zero; write more than 0, such as 10s`},
		{`method:"Charge" budget:"ttl=-1s"`, `tag budget:"ttl=-1s": it is below zero; write more than 0, such as 10s`},
		{`method:"Charge" attemptTimeout:"5ns"`, `tag attemptTimeout:"5ns": 5 is 5ns; write attemptTimeout:"5ms"`},
		{`method:"Charge" retryPanics:"yes"`, `tag retryPanics:"yes": "yes" is neither true nor false; write true or false`},
		{`method:"Charge" retryNested:"1"`, `tag retryNested:"1": "1" is neither true nor false; write true or false`},
		{`method:"Charge" sleepStrategy:""`, `tag sleepStrategy:"": "" is no sleep strategy; write flat, backoff, decorrelatedJitter, or the name or class of a service that is a strategy`},
		{`method:"Charge" fallback:"Offline@"`, `tag fallback:"Offline@": "" is no method; write Class@Method, Class#name@Method, or a name that a function is supplied under`},
		{`method:"Charge" fallback:"@Charge"`, `tag fallback:"@Charge": "" is no class; write Class@Method, Class#name@Method, or a name that a function is supplied under`},
		{`method:"Charge" fallback:"Offline#@Charge"`, `tag fallback:"Offline#@Charge": "" is no name; write Class@Method, Class#name@Method, or a name that a function is supplied under`},
		{`method:"Charge" fallback:"Offline#eu"`, `tag fallback:"Offline#eu": "Offline#eu" is no name; write Class@Method, Class#name@Method, or a name that a function is supplied under`},
		{`method:"Charge" fallback:"(*Offline).Charge"`, `tag fallback:"(*Offline).Charge": "(*Offline).Charge" is no name; write Class@Method, Class#name@Method, or a name that a function is supplied under`},
		{`method:"Charge" retryErrors:""`, `tag retryErrors:"": "" is no name of a matcher; write any, none, or names that matchers are supplied under, by comma`},
		{`method:"Charge" ignoreErrors:"a,,b"`, `tag ignoreErrors:"a,,b": "" is no name of a matcher; write any, none, or names that matchers are supplied under, by comma`},
		{`method:"Charge" policies:"maxAttempt,classifier"`, `tag policies:"maxAttempt,classifier": "maxAttempt" is no built-in policy; write maxAttempts`},
		{`method:"Charge" policies:"classifier,quotas"`, `tag policies:"classifier,quotas": "quotas" is no built-in policy; write a policy of your own in code, by annotation.Policies`},

		{`method:"Charge" breakerName:""`, `tag breakerName:"": without a name nothing is shared; write a name, or leave it out`},
		{`method:"Charge" budgetName:" "`, `tag budgetName:" ": without a name nothing is shared; write a name, or leave it out`},
		{`method:"Charge" retryErrors:"any,none"`, `tag retryErrors:"any,none": none stands beside what is retried; write none alone, or leave it out`},
		{`method:"Charge" retryErrors:"transient,none"`, `tag retryErrors:"transient,none": none stands beside what is retried; write none alone, or leave it out`},
		{`method:"Charge" ignoreErrors:"declined,any"`, `tag ignoreErrors:"declined,any": any ignores every error, so none is retried; write the errors to ignore, or maxAttempts 1 for no retry at all`},
		{`method:"Charge" sleepStrategy:"Backoff"`, `tag sleepStrategy:"Backoff": "Backoff" is none of the built-in strategies, did you mean backoff?; write backoff, or give what you have supplied another name`},
		{`method:"Charge" retryIfResult:"Falsy"`, `tag retryIfResult:"Falsy": "Falsy" is none of the built-in predicates, did you mean falsy?; write falsy, or give what you have supplied another name`},
		{`method:"Charge" retryErrors:"transient,Any"`, `tag retryErrors:"transient,Any": "Any" is none of the built-in matchers, did you mean any?; write any, or give what you have supplied another name`},

		// groups
		{`method:"Charge" breaker:"50"`, `tag breaker:"50": "50" has no =; write key=value pairs by comma`},
		{`method:"Charge" breaker:""`, `tag breaker:"": "" has no =; write key=value pairs by comma`},
		{`method:"Charge" breaker:"windw=50"`, `tag breaker:"windw=50": there is no windw in a breaker; write window`},
		{`method:"Charge" budget:"size=50"`, `tag budget:"size=50": there is no size in a budget; write one of ttl, minPerSec, percent, deposit`},
		{`method:"Charge" breaker:"window=50,window=60"`, `tag breaker:"window=50,window=60": window is there twice; write it once`},
		{`method:"Charge" breaker:"window=wide,failureRatio=.5"`, `tag breaker:"window=wide": "wide" is neither a number of calls nor a duration; write calls, such as 50, or time, such as 10s`},
		{`method:"Charge" breaker:"window=50ns,failureRatio=.5"`, `tag breaker:"window=50ns": 50 is 50ns; write breaker:"window=50ms"`},
		{`method:"Charge" breaker:"resetTimeout=10"`, `tag breaker:"resetTimeout=10": 10 has no unit; write breaker:"resetTimeout=10ms"`},
		{`method:"Charge" breaker:"window=50,failureRatio=half"`, `tag breaker:"failureRatio=half": "half" is no number; write digits, such as in 0.2`},
		{`method:"Charge" breaker:"window=50,failureRatio=NaN"`, `tag breaker:"failureRatio=NaN": "NaN" is no number; write digits, such as in 0.2`},
		{`method:"Charge" budget:"ttl=10s,deposit=failure"`, `tag budget:"deposit=failure": "failure" is no deposit; write call or success`},

		// methods
		{`method:""`, `"" in the methods "" is neither a name nor a glob; write names and globs by comma, such as "Charge,Get*,!GetAll"`},
		{`method:"Charge,"`, `"" in the methods "Charge," is neither a name nor a glob; write names and globs by comma, such as "Charge,Get*,!GetAll"`},
		{`method:"Get?"`, `"Get?" in the methods "Get?" is neither a name nor a glob; write names and globs by comma, such as "Charge,Get*,!GetAll"`},
		{`method:"Char ge"`, `"Char ge" in the methods "Char ge" is neither a name nor a glob; write names and globs by comma, such as "Charge,Get*,!GetAll"`},
		{`method:"!Charge"`, `the methods "!Charge" only take methods out; write "*,!Charge"`},
	} {
		t.Run(x.tag, func(t *testing.T) {
			require.Equal(t, []string{x.want}, said(tag[aliases.Retry](x.tag)))
		})
	}
}
