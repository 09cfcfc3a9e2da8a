package explain_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/explain"
	"github.com/backstay/backstay/retry"
)

func TestAWiringIsReadBackFromItsJSON(t *testing.T) {
	text, err := json.Marshal(shop())
	require.NoError(t, err)
	var got explain.Wiring
	require.NoError(t, json.Unmarshal(text, &got))
	require.Equal(t, shop(), &got)
}

func TestTheJSONOfAServiceIsStable(t *testing.T) {
	for _, c := range []struct {
		name    string
		service explain.Service
		want    string
	}{
		{"what is empty is left out", explain.Service{}, `{"ref":"","class":"","lifetime":"","origin":"","place":"","built":false,"proxy":""}`},
		{"references are text", explain.Service{Ref: retry.MethodRef{Class: "A", Name: "b"}, Took: 5, Needs: []explain.Need{{To: explain.Nobody, Kind: explain.Lazy}}},
			`{"ref":"A#b","class":"","lifetime":"","origin":"","place":"","built":false,"tookNanoseconds":5,"proxy":"","needs":[{"to":-1,"kind":"lazy"}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := json.Marshal(c.service)
			require.NoError(t, err)
			require.Equal(t, c.want, string(text))
		})
	}
}

func TestJSONThatIsNoServiceIsRefused(t *testing.T) {
	require.Error(t, json.Unmarshal([]byte(`{"ref": 1}`), new(explain.Service)))
}

func TestFindReturnsTheServiceOfAReference(t *testing.T) {
	w := shop()
	require.Same(t, &w.Services[2], w.Find("InvoiceGateway#paper"))
	require.Same(t, &w.Services[3], w.Find("Meter"))
	require.Nil(t, w.Find("InvoiceGateway"))
	require.True(t, w.Find("CardGateway").IsWoven())
	require.False(t, w.Find("Meter").IsWoven())
}
