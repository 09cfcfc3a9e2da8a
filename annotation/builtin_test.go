package annotation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
)

// What is listed is known: a tag with each of the names refers to nothing.
func TestBuiltinNamesAreThoseThatATagKnows(t *testing.T) {
	for attribute, want := range map[string][]string{
		"sleepStrategy": {"flat", "backoff", "decorrelatedJitter"},
		"retryErrors":   {"any", "none"},
		"ignoreErrors":  {"any", "none"},
		"retryIfResult": {"falsy"},
		"fallback":      nil,
		"maxAttempts":   nil,
	} {
		require.Equal(t, want, annotation.BuiltinNames(attribute), attribute)
	}
	for _, name := range annotation.BuiltinNames("sleepStrategy") {
		d := registered(t, tag[aliases.Retry](`method:"Charge" sleepStrategy:"`+name+`"`))["Charge"]
		require.Nil(t, d.SleepStrategyRef)
	}
	require.Equal(t, "backof", registered(t, tag[aliases.Retry](`method:"Charge" sleepStrategy:"backof"`))["Charge"].SleepStrategyRef.String(), "may be somebody's own")
}
