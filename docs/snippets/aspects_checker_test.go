package snippets_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Check makes Hedged an aspect.Checker. What it returns is a definition error, with the method and the aspect's place.
func (h Hedged) Check(m aspect.MetMethod) error {
	for parameter := range m.Method.Type.Ins() {
		if parameter == reflect.TypeFor[context.Context]() {
			return nil
		}
	}
	return errors.New("who comes second could not be told to give up: there is no context")
}

// Clock is a service without a context.
type Clock interface{ Now() (time.Time, error) }

type wallClock struct{}

func (*wallClock) Now() (time.Time, error) { return time.Time{}, nil }

func TestAnAspectThatDoesNotFitAMethodIsFoundByVerify(t *testing.T) {
	c := container.New()
	c.Provide(func() *wallClock { return &wallClock{} }, container.As[Clock]())
	c.Provide(NewStationWeather, container.As[Weather]())
	c.Supply(Hedged{time.Second}, container.AsAspect(aspect.Any(), 1))
	err := c.Verify()
	require.ErrorContains(t, err, "wallClock@Now: aspect Hedged does not fit: who comes second could not be told to give up: there is no context; "+
		"change the method, or let the aspect's pointcut leave it out")
	require.NotContains(t, err.Error(), "StationWeather")
}
