// The two charts of a method: calls by what their callers got, and latency.

import { svg, attr } from './dom.js';
import { count, latency, plural, rate, timed } from './format.js';
import { TimeChart } from './chart.js';

const answersOf = (p) => Math.max(0, p.calls - p.errors - p.fallbacks);
const most = (placed, of) => placed.reduce((top, p) => (p ? Math.max(top, of(p)) : top), 0);

// Of a scale below a millisecond both figures are in tenths.
const latencyTop = (ms) => (ms > 0.2 ? Math.max(1, ms) : 0.2);

/** The bars of one layer of a stack, as the d of a path. Pure. */
export function bars(placed, below, value, { x, y, step }) {
  let d = '';
  placed.forEach((p, i) => {
    if (!p || !(value(p) > 0)) return;
    const [from, to] = [y(below(p)), y(below(p) + value(p))];
    d += `M${x(i).toFixed(1)} ${from.toFixed(1)}V${to.toFixed(1)}h${Math.max(0.8, step - 0.8).toFixed(2)}V${from.toFixed(1)}z`;
  });
  return d;
}

/** A line through the values, broken where there are none, as the d of a path. Pure. */
export function line(placed, value, { x, y, step }) {
  let d = '';
  let open = false;
  placed.forEach((p, i) => {
    const v = p && value(p);
    if (!(v > 0)) return (open = false);
    d += `${open ? 'L' : 'M'}${(x(i) + step / 2).toFixed(1)} ${y(v).toFixed(1)}${open ? '' : 'h.01'}`;
    open = true;
  });
  return d;
}

/** Calls of each second, stacked by outcome: errors lowest, where their height can be compared. */
export function callsChart() {
  const errors = svg('path.plot-error', { fill: 'url(#p-error)' });
  const fallbacks = svg('path.plot-fallback', { fill: 'url(#p-fallback)' });
  const answers = svg('path.plot-answer');
  const attempts = svg('path.plot-attempts');
  return new TimeChart({
    title: 'Calls a second, by what callers get',
    kinds: [['answer', 'answers'], ['fallback', 'fallbacks'], ['error', 'errors'], ['attempts', 'attempts']],
    top: (placed) => most(placed, (p) => Math.max(p.calls, p.attempts)),
    value: (v) => (Number.isInteger(v) ? `${count(v)}/s` : rate(v)),
    say: (p) => `${plural(p.calls, 'call')}, ${plural(p.errors, 'error')}, ${plural(p.fallbacks, 'fallback')}; ${plural(p.attempts, 'attempt')}, ${count(p.refused)} refused`,
    columns: [
      ['Calls', (p) => count(p.calls)], ['Errors', (p) => count(p.errors)], ['Fallbacks', (p) => count(p.fallbacks)], ['Attempts', (p) => count(p.attempts)],
      ['Failed', (p) => count(p.failed)], ['Retries', (p) => count(p.retries)], ['Refused', (p) => count(p.refused)],
    ],
    draw(plot, scales) {
      if (!plot.firstChild) plot.append(errors, fallbacks, answers, attempts);
      attr(errors, 'd', bars(scales.placed, () => 0, (p) => p.errors, scales));
      attr(fallbacks, 'd', bars(scales.placed, (p) => p.errors, (p) => p.fallbacks, scales));
      attr(answers, 'd', bars(scales.placed, (p) => p.errors + p.fallbacks, answersOf, scales));
      attr(attempts, 'd', line(scales.placed, (p) => p.attempts, scales));
    },
  });
}

/** How long calls took, waits between attempts included. */
export function latencyChart() {
  const p95 = svg('path.plot-p95');
  const p50 = svg('path.plot-p50');
  return new TimeChart({
    title: 'Time a call takes, waits included',
    kinds: [['p50', 'p50'], ['p95', 'p95']],
    top: (placed) => latencyTop(most(placed, (p) => p.p95Ms)),
    value: latency,
    say: (p) => (p.p95Ms > 0 ? `p50 ${timed(p.p50Ms, true)}, p95 ${latency(p.p95Ms)}` : 'no call was timed'),
    columns: [['p50', (p) => timed(p.p50Ms, p.p95Ms > 0)], ['p95', (p) => timed(p.p95Ms)]],
    draw(plot, scales) {
      if (!plot.firstChild) plot.append(p95, p50);
      attr(p95, 'd', line(scales.placed, (p) => p.p95Ms, scales));
      attr(p50, 'd', line(scales.placed, (p) => p.p50Ms, scales));
    },
  });
}
