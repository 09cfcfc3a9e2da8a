package microprofile_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// MicroProfile's interceptors with a lower number are outside; our aspects with a larger one are. Where MicroProfile moves
// its own interceptor by a property, ours stays at RetryPriority, and the aspects choose their place.
func TestSessionAspectsAroundTheRetry(t *testing.T) {
	const inside, outside = aspect.RetryPriority - 1, aspect.RetryPriority + 1
	for _, c := range []struct {
		name        string
		early, late int // priorities
		want        []string
	}{
		{"mp:I1 one outside, once per call, and one inside, once per attempt", outside, inside,
			[]string{"Early", "Late", "method", "Late", "method"}},
		{"mp:I2 both inside, once per attempt", inside, inside - 1,
			[]string{"Early", "Late", "method", "Early", "Late", "method"}},
		{"mp:I2 both outside, once per call", outside + 1, outside,
			[]string{"Early", "Late", "method", "method"}},
		{"mp:I2 of one priority, in order", inside, inside,
			[]string{"Early", "Late", "method", "Early", "Late", "method"}},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			var order []string
			build := container.New()
			for _, a := range []struct {
				name     string
				priority int
			}{{"Early", c.early}, {"Late", c.late}} {
				recording := aspect.Func(func(jp aspect.JoinPoint) error {
					order = append(order, a.name)
					return jp.Proceed()
				})
				build.Supply(recording, container.AsAspect(aspect.Class("sPeer"), a.priority))
			}
			peer := sFailsFirst(1, sErrT)
			do := peer.do
			peer.do = func(ctx context.Context, exec int) (string, error) {
				order = append(order, "method")
				return do(ctx, exec)
			}
			service := sBuildIn(t, build, peer, container.Annotate[sRetry](sService.ServiceA, annotation.MaxAttempts(2)))
			result, err := service.ServiceA(t.Context())
			require.NoError(t, err)
			require.Equal(t, "done", result)
			require.Equal(t, c.want, order)
		})
	}
}
