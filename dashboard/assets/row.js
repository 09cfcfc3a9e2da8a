// A method in one row: its state, traffic, what callers get, breaker and budget. Cards and the list show the same row.

import { el, icon, setIcon, share, text, attr } from './dom.js';
import { percent, rate } from './format.js';
import { hashOf } from './route.js';
import { budgetLeft } from './model.js';
import { breakerWord } from './words.js';

/** Makes the row of a method; full tells whether it names its service too. */
export function methodRow(m, full) {
  const mark = icon('s-idle', 'mark');
  const state = el('span.vh');
  const traffic = el('span.row-rate');
  const fallbacks = el('i.bar-fallback');
  const errors = el('i.bar-error');
  const errorText = el('span.row-errors');
  const breakerIcon = icon('b-closed', 'switch-icon');
  const breakerText = el('span');
  const breaker = el('span.row-breaker', el('span.vh', 'breaker '), breakerIcon, breakerText);
  const budget = el('span.battery', { 'aria-hidden': 'true' }, el('i'));
  const budgetText = el('span.vh');
  const name = full ? nameOf(m) : [m.name];
  const node = el('a.row', { href: hashOf(m.ref), 'data-ref': m.ref },
    mark, state, el('span.row-name', ...name), ' ',
    el('span.row-traffic', traffic, ' ', el('span.bar', { 'aria-hidden': 'true' }, errors, fallbacks), errorText),
    ' ', breaker, budget, budgetText);
  let shown = ''; // what depends on more than the figures, which are replaced only where they have changed
  let live = null;
  return {
    node,
    update() {
      const worst = worstBreaker(m.breakers);
      const least = m.budgets.length ? percent(Math.min(...m.budgets.map(budgetLeft))) : '';
      const now = `${m.state} ${m.kind} ${worst?.state} ${least}`;
      if (now === shown && live === m.live) return;
      shown = now;
      live = m.live;
      attr(node, 'data-state', m.state);
      attr(node, 'data-kind', m.kind);
      setIcon(mark, `s-${m.state}`);
      text(state, `${m.word}: `);
      text(traffic, live.rate > 0 ? rate(live.rate) : 'idle');
      share(errors, live.errorShare);
      share(fallbacks, live.rate > 0 ? live.fallbackRate / live.rate : 0);
      attr(errorText, 'data-some', live.errorShare >= 0.01 && m.severity > 2);
      text(errorText, live.rate > 0 ? `${percent(live.errorShare)} errors` : '');

      attr(node, 'data-breaker', worst?.state);
      breaker.hidden = !worst;
      if (worst) {
        setIcon(breakerIcon, `b-${worst.state}`);
        text(breakerText, breakerWord(worst.state));
      }
      budget.hidden = !least;
      if (!least) return;
      const left = Math.min(...m.budgets.map(budgetLeft));
      share(budget.firstChild, left);
      attr(budget, 'data-low', left < 0.25);
      attr(budget, 'title', `budget ${least} left`);
      text(budgetText, `, budget ${least} left`);
    },
  };
}

function nameOf(m) {
  if (!m.ref.includes('@')) return [m.ref];
  return [el('span.row-service', m.ref.slice(0, -m.name.length - 1)), el('wbr'), `@${m.name}`];
}

const DOORS = ['force-open', 'open', 'half-open', 'metrics-only', 'force-closed', 'closed'];

/** Of several breakers the one that lets the fewest calls through. Pure. */
export function worstBreaker(breakers) {
  return breakers.reduce((worst, b) => (!worst || DOORS.indexOf(b.state) < DOORS.indexOf(worst.state) ? b : worst), null);
}
