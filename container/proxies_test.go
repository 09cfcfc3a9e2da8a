package container_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

func TestProxiesTellsHowEachServiceIsWoven(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[unprepared](), container.Name("first"))
	c.Provide(func() *A { t.Error("nothing is built"); return &A{} })
	c.Provide(func() Fetch { return nil }, container.Annotate[aliases.Retry]("Call"))
	all := c.Proxies()
	require.Len(t, all, 2, "what is not woven has no proxy")
	require.Equal(t, "Client#first", all[0].Ref.String())
	require.Equal(t, []reflect.Type{reflect.TypeFor[unprepared]()}, all[0].Interfaces)
	require.Equal(t, aspect.RunTime, all[0].Kind)
	require.Equal(t, []reflect.Type{reflect.TypeFor[Fetch]()}, all[1].Interfaces)
	require.Equal(t, aspect.RunTime, all[1].Kind)
}
