package annotation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
)

func TestReferencesAreToldApartWhenTheyAreWritten(t *testing.T) {
	for _, x := range []struct {
		text string
		want annotation.Reference
	}{
		{"Offline@Charge", annotation.Reference{Class: "Offline", Method: "Charge"}},
		{"Offline#eu-1@Charge", annotation.Reference{Class: "Offline", Service: "eu-1", Method: "Charge"}},
		{"payment.Offline@Charge", annotation.Reference{Class: "payment.Offline", Method: "Charge"}},
		{"example.com/shop/payment.Offline@Charge", annotation.Reference{Class: "example.com/shop/payment.Offline", Method: "Charge"}},
		{"gopkg.in/yaml.v3.Offline@Charge", annotation.Reference{Class: "gopkg.in/yaml.v3.Offline", Method: "Charge"}},
		{"Cache[User]@Find", annotation.Reference{Class: "Cache[User]", Method: "Find"}},
		{"Cache[map[string]*model.User,int]#eu@Find", annotation.Reference{Class: "Cache[map[string]*model.User,int]", Service: "eu", Method: "Find"}},
		{"transient", annotation.Reference{Name: "transient"}},
		{"is-transient.v2/a:b", annotation.Reference{Name: "is-transient.v2/a:b"}},
	} {
		got, err := annotation.ParseReference(x.text)
		require.NoError(t, err)
		require.Equal(t, x.want, got)
		require.Equal(t, x.text, got.String())
	}
}

func TestMalformedReferences(t *testing.T) {
	for _, text := range []string{
		"", "@", "A@", "@B", "A@b c", "A@1", "A#@B", "#a@B", "A#b#c@D", "A#b", "A b@C", "*A@B", "A,B", "A[@B", "A[x@B", "A]@B", "a.1@B", "A\n@B", "\"A\"",
		"Cache[User", "Cache[\"a\"]@B", "(*A).B", "x[a#b]", "A.@B",
	} {
		_, err := annotation.ParseReference(text)
		var d *annotation.DefinitionError
		require.ErrorAs(t, err, &d, text)
		require.Equal(t, "write Class@Method, Class#name@Method, or a name that a function is supplied under", d.Remedy)
	}
}

func TestReferencesInCode(t *testing.T) {
	fallback := func(f any) annotation.Reference {
		return *registered(t, at[aliases.Retry]("Charge", annotation.Fallback(f)))["Charge"].Fallback
	}
	byMethod := fallback((*offline).Charge)
	require.NotNil(t, byMethod.Recv)
	require.Equal(t, "Charge", byMethod.Method)
	require.Nil(t, byMethod.Func)
	require.Equal(t, "(*annotation_test.offline).Charge", byMethod.String())
	require.Equal(t, "annotation_test.gateway.Charge", fallback(gateway.Charge).String())

	bound := fallback((&offline{}).Charge) // a func like any other
	require.NotNil(t, bound.Func)
	require.Nil(t, bound.Recv)
	require.Equal(t, "annotation_test.rewind", fallback(rewind).String())
	require.Equal(t, "Offline@Charge", fallback("Offline@Charge").String())
}
