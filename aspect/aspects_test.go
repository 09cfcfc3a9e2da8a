package aspect_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
)

func TestAspectsAreToldOutermostFirst(t *testing.T) {
	pass := aspect.Func(func(jp aspect.JoinPoint) error { return jp.Proceed() })
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Any(), aspect.RetryPriority-1, pass),
		aspect.WithAspect(aspect.Method("Get*"), aspect.RetryPriority+1, pass),
	)
	type told struct {
		pointcut string
		priority int
		placed   bool
	}
	var got []told
	for _, a := range w.Aspects() {
		got = append(got, told{a.Pointcut, a.Priority, a.Place != ""})
	}
	require.Equal(t, []told{
		{"method(Get*)", aspect.RetryPriority + 1, true},
		{"annotated(annotation.AbstractRetry)", aspect.RetryPriority, false},
		{"any", aspect.RetryPriority - 1, true},
	}, got)
}
