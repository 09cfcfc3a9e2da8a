package browser_test

import "testing"

func TestTheGraphIsLaidOutInLayersThatDoNotOverlap(t *testing.T) {
	t.Parallel()
	page := open(t, newShop(t).served(t), desktop)
	eval[any](page, `(() => {
		window.box = (id, w = 100, h = 40) => ({id, w, h});
		window.edge = (from, to) => ({from, to});
		window.at = (placed, id) => ((p) => [p.x, p.y])(placed.nodes.get(id));
		window.boxes = (placed) => [...placed.nodes.values()];
		window.overlaps = (placed, gap) => boxes(placed).some((a, i) => boxes(placed).slice(i + 1).some((b) =>
			a.x < b.x + b.w + gap && b.x < a.x + a.w + gap && a.y < b.y + b.h + gap && b.y < a.y + a.h + gap));
		window.outside = (placed) => boxes(placed).some((p) => p.x < 0 || p.y < 0 || p.x + p.w > placed.width + 0.01 || p.y + p.h > placed.height + 0.01);
		// A graph of so many services as one has, each of which needs some that come after it; the same each time.
		window.large = () => {
			let seed = 1;
			const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
			const nodes = Array.from({length: 300}, (_, i) => box(i, 100 + random(150), 30 + random(100)));
			const edges = nodes.flatMap(({id}) => [edge(id, id + 1 + random(60)), edge(id, id + 1 + random(60))]).filter((e) => e.to < 300);
			return [nodes, edges];
		};
	})()`)
	page.evaluates("layout.js", []moduleCase{
		{"((p) => [p.width, p.height, p.nodes.size, p.edges])(layout([], []))", `[0, 0, 0, []]`},
		{"((p) => [p.width, p.height, at(p, 1)])(layout([box(1)], []))", `[100, 40, [0, 0]]`},
		{"((p) => [p.width, p.height, at(p, 1), at(p, 2)])(layout([box(1), box(2)], [edge(1, 2)], {layerGap: 50}))", `[250, 40, [0, 0], [150, 0]]`},
		{"((p) => [p.width, p.height, at(p, 1), at(p, 2)])(layout([box(1), box(2)], [edge(1, 2)], {direction: 'down', layerGap: 50}))", `[100, 130, [0, 0], [0, 90]]`},
		{"layout([box(1), box(2)], [edge(1, 2)]).edges[0].points", `[{"x": 100, "y": 20}, {"x": 148, "y": 20}]`},
		// Two that need each other, one that needs itself, and what is not there.
		{"((p) => [p.nodes.size, p.edges.length])(layout([box(1), box(2)], [edge(1, 2), edge(2, 1), edge(1, 1), edge(1, 9)]))", `[2, 2]`},
		{"((p) => p.edges.map(({edge, points}) => [edge.from, points[0].x, points.at(-1).x]))(layout([box(1), box(2)], [edge(1, 2), edge(2, 1)]))", `[[1, 100, 148], [2, 148, 100]]`},
		// Who needs two of a chain stands before both, and its edge goes around what is between.
		{"((p) => [1, 2, 3].map((id) => at(p, id)[0]))(layout([box(1), box(2), box(3)], [edge(1, 2), edge(2, 3), edge(1, 3)]))", `[0, 148, 296]`},
		{"((p) => p.edges[2].points.length)(layout([box(1), box(2), box(3)], [edge(1, 2), edge(2, 3), edge(1, 3)]))", `4`},
		{"((p) => p.edges[2].points.some(({x, y}) => x > 148 && x < 248 && y > at(p, 2)[1] && y < at(p, 2)[1] + 40))(layout([box(1), box(2), box(3)], [edge(1, 2), edge(2, 3), edge(1, 3)]))", `false`},
		// A consumer of its own stands right before what it needs, not in front of all.
		{"((p) => at(p, 9)[0])(layout([box(1), box(2), box(3), box(9)], [edge(1, 2), edge(2, 3), edge(9, 3)]))", `148`},
		// No two edges cross where none has to.
		{"((p) => at(p, 'a')[1] < at(p, 'b')[1] === at(p, 'x')[1] < at(p, 'y')[1])(layout(['a', 'b', 'y', 'x'].map((id) => box(id)), [edge('a', 'x'), edge('b', 'y')]))", `true`},
		{"((p) => [p.nodes.size, overlaps(p, 11.9), outside(p)])(layout(...large(), {gap: 12, layerGap: 12}))", `[300, false, false]`},
		{"((p) => [p.nodes.size, overlaps(p, 11.9), outside(p)])(layout(...large(), {gap: 12, layerGap: 12, direction: 'down'}))", `[300, false, false]`},
		{"((p) => p.edges.every(({edge, points}) => p.nodes.get(edge.from).x < p.nodes.get(edge.to).x && points[0].x < points.at(-1).x))(layout(...large()))", `true`},
		{"JSON.stringify([...layout(...large()).nodes]) === JSON.stringify([...layout(...large()).nodes])", `true`},
		{"curve([{x: 0, y: 5}, {x: 10, y: 5}], 'right')", `"M0 5L10 5"`},
		{"curve([{x: 0, y: 0}, {x: 10, y: 20.04}], 'right')", `"M0 0C5 0 5 20 10 20"`},
		{"curve([{x: 0, y: 0}, {x: 10, y: 20}, {x: 10, y: 30}], 'down')", `"M0 0C0 10 10 10 10 20L10 30"`},
	})
}

// The rest of what can be said without a page.
func TestFunctionsOfTheOtherModules(t *testing.T) {
	t.Parallel()
	page := open(t, newShop(t).served(t), desktop)
	page.evaluates("route.js", []moduleCase{
		{"['#Card@Charge', '#Card%23eu%40Charge', '#100%', '', '#'].map(refOf)", `["Card@Charge", "Card#eu@Charge", "100%", "", ""]`},
		{"['Card@Charge', 'Card#eu@Charge', 'a b/c', '<i>'].map(hashOf)", `["#Card@Charge", "#Card%23eu@Charge", "#a%20b%2Fc", "#%3Ci%3E"]`},
		{"['Card#eu@Charge', 'a%b', '<i> ü'].every((ref) => refOf(hashOf(ref)) === ref)", `true`},
	})
	page.evaluates("wiring.js", []moduleCase{
		{"parseRef('Card#eu@Charge')", `{"service": "Card#eu", "class": "Card", "name": "eu", "method": "Charge"}`},
		{"parseRef('rates')", `{"service": "rates", "class": "rates", "name": "", "method": ""}`},
		{"[readWiring(undefined), readWiring({services: null})].map((w) => w.services.length)", `[0, 0]`},
	})
	page.evaluates("filter.js", []moduleCase{
		{"[matches('card CHARGE', 'CardGateway@Charge'), matches('card refund', 'CardGateway@Charge'), matches('', 'x')]", `[true, false, true]`},
	})
	page.evaluates("model.js", []moduleCase{
		{`[{failingSince: 1}, {failingSince: 0, rate: 0}, {failingSince: 0, rate: 1, errorShare: 0.1}, {failingSince: 0, rate: 1, errorShare: 0.09, attemptFailureShare: 0.1},
			{failingSince: 0, rate: 1, errorShare: 0.09, attemptFailureShare: 0.09}].map(stateOf)`, `["failing", "idle", "errors", "retrying", "well"]`},
		{"[{balance: 5, reserveSize: 8, sessions: 100, settings: {percent: 0.02}}, {balance: 9, reserveSize: 3}, {}].map(budgetLeft)", `[0.5, 1, 0]`},
	})
	page.evaluates("row.js", []moduleCase{
		{"worstBreaker([{state: 'closed'}, {state: 'open'}, {state: 'half-open'}])", `{"state": "open"}`},
		{"worstBreaker([])", `null`},
	})
	page.evaluates("chart.js", []moduleCase{
		{"[0, 0.3, 1, 1.1, 3, 7, 11, 480].map(roundUp)", `[1, 0.5, 1, 2, 5, 10, 20, 500]`},
		{"((s) => [s.length, s[119].t, s[117].t, s[118] ?? 'none'])(slots([{t: 8}, {t: 10}]))", `[120, 10, 8, "none"]`},
		{"slots([{t: 1}, {t: 500}]).filter(Boolean).length", `1`},
	})
	page.evaluates("sparkline.js", []moduleCase{
		{"bars([undefined, {n: 0}, {n: 2}], () => 1, (p) => p.n, {x: (i) => 10 * i, y: (v) => 100 - v, step: 5})", `"M20.0 99.0V97.0h4.20V99.0z"`},
		{"line([{n: 1}, {n: 2}, undefined, {n: 3}], (p) => p.n, {x: (i) => 10 * i, y: (v) => 100 - v, step: 2})", `"M1.0 99.0h.01L11.0 98.0M31.0 97.0h.01"`},
	})
	page.evaluates("dom.js", []moduleCase{
		{"[[3, 1, 2, -1, 5, 4], [], [-1], [0, 1, 2]].map((n) => [...rising(n)].sort())", `[[1, 2, 5], [], [], [0, 1, 2]]`},
	})
	page.evaluates("guards.js", []moduleCase{
		{"breakerCounts({calls: 60, failed: 12, failuresInRow: 2, settings: {window: 60, failureRatio: 0.5, minCalls: 40, resetTimeoutNanoseconds: 5e9}})",
			`"12 of the last 60 attempts failed (opens at 50%, from 40 attempts on) · 2 failed in a row · stays open for 5 s"`},
		{"breakerCounts({calls: 0, failed: 0, failuresInRow: 0, settings: {windowNanoseconds: 1e10, consecutive: 5, slowRatio: 0.5, slowCallNanoseconds: 1e9}})",
			`"no attempts in its window · 0 took more than 1 s (opens at 50%) · 0 failed in a row (opens at 5)"`},
		{"budgetCounts({balance: 3.5, reserveSize: 10, sessions: 100, paid: 7, refused: 1200, settings: {ttlNanoseconds: 1e10, minPerSec: 1, percent: 0.2}})",
			`{"left": "3.5 of 30.0 retries left", "earns": "earns 20% of the calls in 10 s, and 1.0/s", "done": "7 paid, 1,200 refused since it was made"}`},
	})
	page.evaluates("timeline.js", []moduleCase{
		{"[{end: 'exhausted', limit: 'budget'}, {end: 'canceled'}, {end: 'melted'}].map(endWords)", `["gave up: budget", "cancelled", "melted"]`},
		{"sessionWords({at: 0, end: 'succeeded', elapsedMs: 120, attempts: [{startMs: 0, endMs: 20, error: '503'}, {startMs: 100, endMs: 120, error: ''}], waits: [{ms: 80}]}, 0)",
			`"00:00:00: succeeded after 2 attempts in 120 ms; attempt 1 took 20 ms: 503; attempt 2 took 20 ms; waited 80 ms"`},
		{"sessionWords({at: 0, end: 'rejected', limit: 'circuitBreaker', elapsedMs: 0, fallback: 'succeeded', error: 'open', attempts: [], waits: []}, 0)",
			`"00:00:00: rejected: circuitBreaker after 0 attempts in 0 ms; the fallback succeeded; open"`},
	})
}
