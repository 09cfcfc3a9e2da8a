package annotation_test

import (
	"context"
	"net/http"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	yaml "github.com/backstay/backstay/annotation/testdata/yaml.v3"
)

type pair[K comparable, V any] struct {
	key   K
	value V
}

func TestClassesHaveThreeForms(t *testing.T) {
	const path = "github.com/backstay/backstay/annotation_test"
	const stock = "github.com/backstay/backstay/aliases"
	const node = "github.com/backstay/backstay/annotation/testdata/yaml.v3"
	type local struct{}
	for _, x := range []struct {
		t    reflect.Type
		want annotation.ClassName
	}{
		{reflect.TypeFor[http.Client](), annotation.ClassName{Short: "Client", Qualified: "http.Client", Full: "net/http.Client"}},
		{reflect.TypeFor[**http.Client](), annotation.ClassName{Short: "Client", Qualified: "http.Client", Full: "net/http.Client"}},
		{reflect.TypeFor[http.Handler](), annotation.ClassName{Short: "Handler", Qualified: "http.Handler", Full: "net/http.Handler"}},
		{reflect.TypeFor[yaml.Node](), annotation.ClassName{Short: "Node", Qualified: "yaml.Node", Full: node + ".Node"}},
		{reflect.TypeFor[local](), annotation.ClassName{Short: "local", Qualified: "annotation_test.local", Full: path + ".local"}},
		{reflect.TypeFor[*pgRepository[int]](), annotation.ClassName{Short: "pgRepository[int]", Qualified: "annotation_test.pgRepository[int]", Full: path + ".pgRepository[int]"}},
		{reflect.TypeFor[pgRepository[*aliases.Retry]](), annotation.ClassName{
			Short: "pgRepository[*Retry]", Qualified: "annotation_test.pgRepository[*aliases.Retry]", Full: path + ".pgRepository[*" + stock + ".Retry]",
		}},
		{reflect.TypeFor[pgRepository[yaml.Node]](), annotation.ClassName{
			Short: "pgRepository[Node]", Qualified: "annotation_test.pgRepository[yaml.Node]", Full: path + ".pgRepository[" + node + ".Node]",
		}},
		{reflect.TypeFor[pgRepository[local]](), annotation.ClassName{
			Short: "pgRepository[local]", Qualified: "annotation_test.pgRepository[annotation_test.local]", Full: path + ".pgRepository[" + path + ".local]",
		}},
		{reflect.TypeFor[pair[string, pgRepository[aliases.Retry]]](), annotation.ClassName{
			Short:     "pair[string,pgRepository[Retry]]",
			Qualified: "annotation_test.pair[string,annotation_test.pgRepository[aliases.Retry]]",
			Full:      path + ".pair[string," + path + ".pgRepository[" + stock + ".Retry]]",
		}},
		{reflect.TypeFor[pgRepository[map[string][]aliases.Retry]](), annotation.ClassName{
			Short: "pgRepository[map[string][]Retry]", Qualified: "annotation_test.pgRepository[map[string][]aliases.Retry]", Full: path + ".pgRepository[map[string][]" + stock + ".Retry]",
		}},
		{reflect.TypeFor[pgRepository[func(context.Context, ...aliases.Retry) chan<- error]](), annotation.ClassName{
			Short:     "pgRepository[func(Context, ...Retry) chan<- error]",
			Qualified: "annotation_test.pgRepository[func(context.Context, ...aliases.Retry) chan<- error]",
			Full:      path + ".pgRepository[func(context.Context, ..." + stock + ".Retry) chan<- error]",
		}},
		{reflect.TypeFor[pgRepository[struct {
			A int `json:"a.b/c.d"`
		}]](), annotation.ClassName{
			Short:     `pgRepository[struct { A int "json:\"a.b/c.d\"" }]`,
			Qualified: `annotation_test.pgRepository[struct { A int "json:\"a.b/c.d\"" }]`,
			Full:      path + `.pgRepository[struct { A int "json:\"a.b/c.d\"" }]`,
		}},
		{reflect.TypeFor[int](), annotation.ClassName{Short: "int", Qualified: "int", Full: "int"}},
		{reflect.TypeFor[error](), annotation.ClassName{Short: "error", Qualified: "error", Full: "error"}},
		{reflect.TypeFor[func(aliases.Retry) error](), annotation.ClassName{
			Short: "func(aliases.Retry) error", Qualified: "func(aliases.Retry) error", Full: "func(aliases.Retry) error",
		}},
	} {
		got := annotation.ClassOf(x.t)
		require.Equal(t, x.want, got)
		for _, form := range []string{got.Short, got.Qualified, got.Full} {
			require.True(t, got.Is(form))
		}
		require.False(t, got.Is("Other"))
	}
}
