// The key to the marks of the page.

import { el, icon } from './dom.js';
import { BREAKER } from './words.js';
import { MANY_RETRIES, SOME_ERRORS } from './model.js';
import { percent } from './format.js';

const MARKS = [
  ['failing', 'failing: at least half of the attempts fail, or calls are rejected'],
  ['errors', `at least ${percent(SOME_ERRORS)} of the callers get errors`],
  ['retrying', `at least ${percent(MANY_RETRIES)} of the attempts fail, few callers notice`],
  ['well', 'well: fewer fail'],
  ['idle', 'no calls in the last 10 s'],
];

const part = (name, content) => el('section', el('h3.sub', name), content);

export function fillLegend(node) {
  node.append(
    part('Methods', el('ul', ...MARKS.map(([state, words]) => el('li', { 'data-state': state }, icon(`s-${state}`, 'mark'), words)))),
    part('Breakers', el('ul.is-flow', ...Object.entries(BREAKER).map(([state, word]) => el('li', icon(`b-${state}`, 'switch-icon'), word)))),
    part('Bars', el('ul',
      el('li', el('span.bar.is-sample', el('i.bar-error'), el('i.bar-fallback')), 'what callers get: errors, fallbacks, and the rest answers'),
      el('li', el('span.battery.is-sample', el('i')), 'what is left of the retry budget'))),
    part('Lines', el('p', 'From who needs to what is needed; dashed to a fallback; red with a cross where what is needed is failing.')),
    part('Keys', el('p', el('kbd', '/'), ' search, ', el('kbd', '\u2191'), ' ', el('kbd', '\u2193'), ' move, ', el('kbd', 'Enter'), ' open, ', el('kbd', 'Esc'), ' back')));
}
