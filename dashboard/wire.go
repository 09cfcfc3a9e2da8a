package dashboard

import (
	"encoding/json"
	"math"
	"time"

	"github.com/backstay/backstay/retry"
)

// What goes out, as PROTOCOL.md has it.
type (
	stateHead struct { // the state before its methods
		Now      int64 `json:"now"`
		Started  int64 `json:"started"`
		Controls bool  `json:"controls"`
	}
	stateTail struct { // and after them
		Breakers  []retry.BreakerStatus `json:"breakers"`
		Budgets   []retry.BudgetStatus  `json:"budgets"`
		Incidents []incidentJSON        `json:"incidents"`
	}
	summaryJSON struct {
		Ref                 string             `json:"ref"`
		Calls               uint64             `json:"calls"`
		Rate                float64            `json:"rate"`
		AttemptRate         float64            `json:"attemptRate"`
		RetryRate           float64            `json:"retryRate"`
		ErrorShare          float64            `json:"errorShare"`
		AttemptFailureShare float64            `json:"attemptFailureShare"`
		FallbackRate        float64            `json:"fallbackRate"`
		P50Ms               float64            `json:"p50Ms"`
		P95Ms               float64            `json:"p95Ms"`
		Refused             map[string]float64 `json:"refused"`
		LastError           string             `json:"lastError"`
		LastErrorAt         int64              `json:"lastErrorAt"`
		FailingSince        int64              `json:"failingSince"`
	}
	incidentJSON struct {
		Ref                 string             `json:"ref"`
		Since               int64              `json:"since"`
		AttemptFailureShare float64            `json:"attemptFailureShare"`
		Error               string             `json:"error"`
		Callers             callersJSON        `json:"callers"`
		Fallback            string             `json:"fallback"`
		Refused             map[string]float64 `json:"refused"`
		Breaker             retry.BreakerState `json:"breaker"`
		RetryInMs           float64            `json:"retryInMs"`
	}
	callersJSON struct {
		Succeeded float64 `json:"succeeded"`
		Fallback  float64 `json:"fallback"`
		Error     float64 `json:"error"`
	}
	methodJSON struct {
		Ref      string        `json:"ref"`
		Series   []pointJSON   `json:"series"`
		Sessions []sessionJSON `json:"sessions"`
		Errors   []errorJSON   `json:"errors"`
	}
	pointJSON struct {
		T         int64   `json:"t"` // in seconds
		Calls     uint32  `json:"calls"`
		Errors    uint32  `json:"errors"`
		Fallbacks uint32  `json:"fallbacks"`
		Attempts  uint32  `json:"attempts"`
		Failed    uint32  `json:"failed"`
		Retries   uint32  `json:"retries"`
		Refused   uint32  `json:"refused"`
		P50Ms     float64 `json:"p50Ms"`
		P95Ms     float64 `json:"p95Ms"`
	}
	sessionJSON struct {
		At        int64         `json:"at"`
		ElapsedMs float64       `json:"elapsedMs"`
		End       outcome       `json:"end"`
		Limit     string        `json:"limit"`
		Fallback  outcome       `json:"fallback"`
		Error     string        `json:"error"`
		Made      int           `json:"made"`
		Attempts  []attemptJSON `json:"attempts"`
		Waits     []waitJSON    `json:"waits"`
	}
	attemptJSON struct {
		StartMs float64 `json:"startMs"`
		EndMs   float64 `json:"endMs"`
		Error   string  `json:"error"`
	}
	waitJSON struct {
		StartMs float64 `json:"startMs"`
		Ms      float64 `json:"ms"`
	}
	errorJSON struct {
		At    int64  `json:"at"`
		Text  string `json:"text"`
		Count uint64 `json:"count"`
	}
)

// encode is data as JSON.
func encode(data any) []byte {
	text, err := json.Marshal(data)
	if err != nil {
		panic("backstay: dashboard: " + err.Error()) // a bug: there are numbers and texts in it, and no more
	}
	return text
}

// hundredths rounds a rate or a time, tenThousandths a share.
func hundredths(x float64) float64     { return math.Round(x*100) / 100 }
func tenThousandths(x float64) float64 { return math.Round(x*10000) / 10000 }

// inMs is a duration in milliseconds.
func inMs(d time.Duration) float64 { return hundredths(float64(d) / float64(time.Millisecond)) }
