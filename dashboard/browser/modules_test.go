package browser_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// row of a table: what an expression over a module's functions comes to, as JSON. Spaces that do not break are written as
// others.
type moduleCase struct{ expression, want string }

// evaluates runs a table of cases against the functions of a module of the page.
func (tb *tab) evaluates(module string, cases []moduleCase) {
	tb.t.Helper()
	var lines []string
	for _, c := range cases {
		lines = append(lines, "() => "+c.expression)
	}
	results := eval[[]string](tb, fmt.Sprintf(`import(new URL('assets/%s', document.baseURI).href).then((module) => {
		Object.assign(window, module);
		return [%s].map((f) => { try { return JSON.stringify(f()) ?? 'undefined'; } catch (error) { return String(error); } });
	})`, module, strings.Join(lines, ",\n")))
	for i, c := range cases {
		got := strings.ReplaceAll(results[i], "\u00a0", " ")
		if json.Valid([]byte(c.want)) && json.Valid([]byte(got)) {
			require.JSONEq(tb.t, c.want, got, c.expression)
		} else {
			require.Equal(tb.t, c.want, got, c.expression)
		}
	}
}

func TestNumbersAndTimesAreWrittenForReaders(t *testing.T) {
	t.Parallel()
	page := open(t, newShop(t).served(t), desktop)
	page.evaluates("format.js", []moduleCase{
		{"[0, 7, 1234, undefined].map(count)", `["0", "7", "1,234", "0"]`},
		{"[0, 99999, 422000, 1.5e6].map(total)", `["0", "99,999", "422K", "1.5M"]`},
		{"[0, 0.01, 0.06, 1.24, 69.84, 99.94, 99.96, 1234, 12345].map(amount)", `["0", "<0.1", "0.1", "1.2", "69.8", "99.9", "100", "1,234", "12.3K"]`},
		{"[0, 69.84].map(rate)", `["0/s", "69.8/s"]`},
		{"[0, -1, NaN, 0.0004, 0.004, 0.0994, 0.0996, 0.5, 0.994, 0.9996, 1, 1.2].map(percent)",
			`["0%", "0%", "0%", "<0.1%", "0.4%", "9.9%", "10%", "50%", "99.4%", "99.9%", "100%", "100%"]`},
		{"[0, 0.01, 0.44, 2, 9.94, 22.3, 480, 999, 1000, 1240, 10000, 59000, 72000].map(latency)",
			`["0 ms", "<0.1 ms", "0.4 ms", "2 ms", "9.9 ms", "22 ms", "480 ms", "999 ms", "1 s", "1.24 s", "10 s", "59 s", "1 min 12 s"]`},
		{"[-5, 0, 800, 9949, 12000].map(until)", `["0.0 s", "0.0 s", "0.8 s", "9.9 s", "12 s"]`},
		{"[-1, 0, 47e3, 60e3, 72e3, 7.5e6, 9e7, 8.64e7].map(span)", `["0 s", "0 s", "47 s", "1 min", "1 min 12 s", "2 h 5 min", "1 d 1 h", "1 d"]`},
		{"clock(Date.UTC(2026, 0, 2, 3, 12, 7), Date.UTC(2026, 0, 2, 23))", `"03:12:07"`},
		{"clock(Date.UTC(2026, 0, 1, 23, 59, 59), Date.UTC(2026, 0, 2))", `"Jan 1, 23:59:59"`},
		{"clock(Date.UTC(2026, 0, 2, 0, 0, 1), Date.UTC(2026, 0, 2))", `"00:00:01"`},
		{"moment(Date.UTC(2026, 0, 2, 3, 12, 7))", `"Jan 2, 2026, 3:12:07 AM UTC"`},
		{"[plural(1, 'service'), plural(9, 'service'), plural(2000, 'entry', 'entries'), plural(0, 'call')]", `["1 service", "9 services", "2,000 entries", "0 calls"]`},
	})
}

// Numbers are in the reader's own locale.
func TestNumbersAreThoseOfTheReadersLocale(t *testing.T) {
	t.Parallel()
	page := open(t, newShop(t).served(t), look{width: 1440, height: 900, locale: "de-DE"})
	page.evaluates("format.js", []moduleCase{
		{"[rate(69.84), percent(0.004), latency(1240), count(1234)]", `["69,8/s", "0,4 %", "1,24 s", "1.234"]`},
		{"clock(Date.UTC(2026, 0, 1, 23, 59, 59), Date.UTC(2026, 0, 2))", `"1. Jan., 23:59:59"`},
	})
}

func TestIncidentsAreToldInWords(t *testing.T) {
	t.Parallel()
	page := open(t, newShop(t).served(t), desktop)
	eval[any](page, `(() => {
		window.at = Date.UTC(2026, 0, 2, 3, 12, 7);
		window.incident = (change) => ({ref: 'Card@Charge', since: at, attemptFailureShare: 0.96, error: '503', callers: {succeeded: 0.02, fallback: 0.9, error: 0.08},
			fallback: 'Invoice@Charge', refused: {budget: 31.2, circuitBreaker: 40}, breaker: 'open', retryInMs: 800, ...change});
		window.method = (ref, live) => ({ref, live});
		window.totals = (change) => ({rate: 10, success: 1, fallbacks: 0, calls: 99, ...change});
		window.trouble = (change) => ({failing: [], erring: [], isUnusual: false, isDeaf: false, problems: 0, ...change});
	})()`)
	page.evaluates("words.js", []moduleCase{
		{"['open', 'half-open', 'closed', 'force-open', 'melted'].map(breakerWord)", `["open", "half-open", "closed", "forced open", "melted"]`},
		{"[breakerWords('open', 800), breakerWords('open', 0), breakerWords('half-open', 0), breakerWords('', 0), breakerWords('melted', 0)]",
			`["open, next probe in 0.8 s", "open, a probe is due", "half-open, probing", "none", "melted"]`},
		{"[breakerWords('force-open'), breakerWords('force-closed'), breakerWords('metrics-only'), breakerWords('closed'), breakerWords()]",
			`["forced open: refuses every call until it is reset", "forced closed: admits every call, counts nothing", "metrics only: admits every call and counts", "closed", "none"]`},
		{"refusedWords({patience: 3, budget: 31.2, deadline: 0.01, circuitBreaker: 12, maxAttempts: 0})",
			`["12.0 calls/s by the breaker", "31.2 retries/s by the budget", "<0.1 retries/s for lack of time", "3.0/s by patience"]`},
		{"[refusedWords({}), refusedWords(undefined)]", `[[], []]`},
		{"callerWords({succeeded: 0.02, fallback: 0.9, error: 0.08}, 'Invoice@Charge').map((c) => c.text)", `["2.0% answers", "90% the fallback Invoice@Charge", "8.0% errors"]`},
		{"callerWords({succeeded: 1, fallback: 0, error: 0}, '').map((c) => c.kind)", `["answer", "error"]`},
		{"callerWords({succeeded: 0, fallback: 1, error: 0}, '')[1]", `{"kind": "fallback", "share": 1, "text": "100% a fallback"}`},
		{"[{}, {attemptFailureShare: 0.1}, {breaker: 'half-open', attemptFailureShare: 0.1}, {breaker: 'force-open'}].map((c) => incidentKind(incident(c), at + 60000))",
			`["failing", "failing", "recovering", "shut"]`},
		{"incidentKind(incident({breaker: '', attemptFailureShare: 0.1}), at + 9000)", `"failing"`},
		{"incidentWords(incident({}), at + 72000)", `{"kind": "failing", "verb": "is failing", "since": "since 03:12:07, for 1 min 12 s", "attempts": "96% fail", "error": "503",
			"callers": [{"kind": "answer", "share": 0.02, "text": "2.0% answers"}, {"kind": "fallback", "share": 0.9, "text": "90% the fallback Invoice@Charge"}, {"kind": "error", "share": 0.08, "text": "8.0% errors"}],
			"refused": ["40.0 calls/s by the breaker", "31.2 retries/s by the budget"], "breaker": "open, next probe in 0.8 s"}`},
		{"incidentWords(incident({callers: {succeeded: 0, fallback: 0, error: 0}, refused: {}}), at).callers", `[]`},
		{"incidentWords(incident({refused: {}}), at).refused", `["nothing"]`},
		{"[{attemptRate: 2}, {attemptRate: 0}, undefined].map((live) => incidentWords(incident({attemptFailureShare: 0}), at, live).attempts)",
			`["none fails", "none in the last 10 s", "none in the last 10 s"]`},
		{"[0, 0.5].map((share) => incidentWords(incident({breaker: 'force-open', attemptFailureShare: share}), at).error)", `["", "503"]`},
		{"kindsWords([incident({}), incident({breaker: 'force-open'}), incident({}), incident({breaker: 'half-open', attemptFailureShare: 0})], at + 60000)",
			`"2 failing, 1 shut off, 1 recovering"`},
		{"kindsWords([], at)", `""`},
		{"incidentLine(incident({callers: {succeeded: 0, fallback: 1, error: 0}, refused: {}, breaker: ''}), at)", `"callers get 100% the fallback Invoice@Charge"`},
		{"incidentLine(incident({callers: {succeeded: 0, fallback: 0, error: 0}}), at)",
			`"no calls in the last 10 s · refused: 40.0 calls/s by the breaker, 31.2 retries/s by the budget · breaker open, next probe in 0.8 s"`},
		{"[answerWords(1, 0), answerWords(0.95, 2)]", `["100% get an answer", "95% get an answer or the fallback"]`},
		{"calmWords(totals({calls: 0}), trouble({}), at)", `["waiting", "No calls yet."]`},
		{"calmWords(totals({rate: 0}), trouble({}), at)", `["well", "All is well. No calls in the last 10 s."]`},
		{"calmWords(totals({}), trouble({}), at)", `["well", "All is well. 10.0 calls/s, 100% get an answer."]`},
		{"calmWords(totals({success: 0.95}), trouble({}), at)", `["well", "No method is failing. 10.0 calls/s, 95% get an answer."]`},
		{"calmWords(totals({}), trouble({isUnusual: true}), at)[1]", `"No method is failing. 10.0 calls/s, 100% get an answer."`},
		{"calmWords(totals({success: 0.9}), trouble({erring: [method('Mailer@Send', {errorShare: 0.2}), method('A@B', {errorShare: 0.1})]}), at)",
			`["errors", "No method is failing, but Mailer@Send gave errors to 20% of its callers in the last 10 s, and 1 more did. In all 10.0 calls/s, 90% get an answer."]`},
		{"calmWords(totals({}), trouble({failing: [method('Mailer@Send', {failingSince: at})]}), at)",
			`["errors", "Mailer@Send has trouble since 03:12:07. In all 10.0 calls/s, 100% get an answer."]`},
		{"calmWords(totals({calls: 0}), trouble({isDeaf: true}), at)", `["errors", "Nothing is heard: is the dashboard a listener of the container? container.WithListener(board)"]`},
		{"calmWords(totals({calls: 0}), trouble({problems: 2}), at)", `["errors", "The wiring has 2 problems: nothing runs."]`},
		{"announcements(window.heard = new Map(), [incident({})], at)[0].split(';')[0]", `"Card@Charge is failing since 03:12:07"`},
		{"announcements(heard, [incident({refused: {}})], at + 1000)", `[]`},
		{"announcements(heard, [incident({breaker: 'half-open'})], at + 2000)", `[]`},
		{"announcements(heard, [incident({breaker: 'half-open'})], at + 15000)", `["The breaker of Card@Charge is half-open."]`},
		{"announcements(heard, [], at + 72000)", `["Card@Charge is well again after 1 min 12 s."]`},
		{"announcements(heard, [], at + 73000)", `[]`},
	})
}
