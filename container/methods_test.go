package container_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

func TestMethodsAreThoseOfServicesDeclaredOrNot(t *testing.T) {
	c := container.New()
	c.Provide(func() *Plain { t.Error("built"); return nil }, container.As[Caller](), container.AsSelf())
	c.Provide(func() *Plain { t.Error("built"); return nil }, container.As[Caller](), container.Name("spare"))
	c.Provide(func() []Caller { return nil }, container.Group("callers,flatten"))
	c.Supply(http.HandlerFunc(http.NotFound))
	c.Supply(7)
	for name, test := range map[string]struct {
		method any
		want   []string
	}{
		"an expression of an interface":     {Caller.Call, []string{"Plain@Call", "Plain#spare@Call"}},
		"an expression of a class":          {(*Plain).Shut, []string{"Plain@Shut", "Plain#spare@Shut"}},
		"a class":                           {"Plain@Call", []string{"Plain@Call", "Plain#spare@Call"}},
		"a class in full":                   {"github.com/backstay/backstay/container_test.Plain@Call", []string{"Plain@Call", "Plain#spare@Call"}},
		"one that has a name":               {"Plain#spare@Call", []string{"Plain#spare@Call"}},
		"an interface":                      {"Caller@Call", []string{"Plain@Call", "Plain#spare@Call"}},
		"a method that the class has alone": {"Plain@Shut", []string{"Plain@Shut", "Plain#spare@Shut"}},
		"a func":                            {"HandlerFunc@Call", []string{"HandlerFunc@Call"}},
		"one that is not there":             {"Plain@Cal", nil},
		"another name":                      {"Plain#other@Call", nil},
		"a class that is not there":         {(*Client).Call, nil},
		"no reference":                      {"@@", nil},
		"no method":                         {7, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, ref := range c.Methods(test.method) {
				got = append(got, ref.String())
			}
			require.Equal(t, test.want, got)
		})
	}
	require.Len(t, c.Methods(nil), 6, "two of each Plain, and those of the HandlerFunc: Call and ServeHTTP")
	require.Empty(t, container.New().Methods(nil))
}
