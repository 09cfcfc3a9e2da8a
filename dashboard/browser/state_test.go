package browser_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// answer is what the page's server tells a script, as far as tests compare it with the page.
type answer struct {
	State struct {
		Methods   []struct{ Ref string }
		Incidents []struct {
			Ref     string
			Since   int64
			Refused map[string]float64
		}
	}
	Method struct {
		Sessions []session
		Errors   []struct {
			Text  string
			Count int
		}
	}
}

type session struct {
	At        int64
	ElapsedMs float64
	End       string
	Made      int
	Attempts  []struct{ Error string }
	Waits     []struct{ Ms float64 }
}

// get is the body of what is served at an address.
func get(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, address)
	return string(body)
}

// ask is the state, with the figures of a method, of the page at an address.
func ask(t *testing.T, address, ref string) (a answer) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(get(t, address+"state?method="+url.QueryEscape(ref))), &a))
	return a
}

// clock is a time as the page writes it.
func clock(milliseconds int64) string {
	return time.UnixMilli(milliseconds).UTC().Format(time.TimeOnly)
}
