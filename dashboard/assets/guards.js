// The breakers and budgets of a method: their state now, and what they have counted.

import { el, icon, setIcon, text, attr, share, reconcile } from './dom.js';
import { amount, clock, count, latency, percent, plural, span } from './format.js';
import { budgetLeft } from './model.js';
import { breakerWords } from './words.js';
import { BreakerControls } from './controls.js';

/** What a breaker has counted and what opens it. Pure. */
export function breakerCounts(b) {
  const s = b.settings ?? {};
  const lines = [];
  if (s.window || s.windowNanoseconds) {
    const window = !b.calls ? '' : s.window ? `the last ${count(b.calls)}` : `${count(b.calls)} in ${latency(s.windowNanoseconds / 1e6)}`;
    const limits = [s.failureRatio ? `opens at ${percent(s.failureRatio)}` : '', s.minCalls ? `from ${plural(s.minCalls, 'attempt')} on` : ''].filter(Boolean).join(', ');
    lines.push(`${window ? `${count(b.failed)} of ${window} attempts failed` : 'no attempts in its window'}${limits ? ` (${limits})` : ''}`);
    if (s.slowRatio) lines.push(`${count(b.slow ?? 0)} took more than ${latency(s.slowCallNanoseconds / 1e6)} (opens at ${percent(s.slowRatio)})`);
  }
  lines.push(`${count(b.failuresInRow)} failed in a row${s.consecutive ? ` (opens at ${count(s.consecutive)})` : ''}`);
  if (s.resetTimeoutNanoseconds) lines.push(`stays open for ${latency(s.resetTimeoutNanoseconds / 1e6)}`);
  return lines.join(' · ');
}

/** What a budget has left and what it has done. Pure. */
export function budgetCounts(b) {
  const s = b.settings ?? {};
  const full = (b.reserveSize ?? 0) + (s.percent ?? 0) * (b.sessions ?? 0);
  return {
    left: `${amount(b.balance)} of ${amount(full)} retries left`,
    earns: `earns ${percent(s.percent)} of the calls in ${latency((s.ttlNanoseconds ?? 0) / 1e6)}, and ${amount(s.minPerSec)}/s`,
    done: `${count(b.paid)} paid, ${count(b.refused)} refused since it was made`,
  };
}

const sharedWith = (one, ref) => {
  const others = (one.methods ?? []).filter((r) => r !== ref);
  return others.length ? `shared with ${others.join(', ')}` : '';
};

export class Guards {
  #breakers = el('div.guards');
  #budgets = el('div.guards');
  #breakerViews = new Map();
  #budgetViews = new Map();
  #ref;
  #last = [];
  node = el('div.guard-box', this.#breakers, this.#budgets);

  constructor(ref) {
    this.#ref = ref;
  }

  update(m, { now, controls }) {
    // A question that is asked is not taken away, also when the server does not know the breaker any more.
    const asks = this.node.querySelector('.confirm:not([hidden])');
    const breakers = asks && !m.breakers.length ? this.#last : m.breakers;
    this.#last = breakers;
    reconcile(this.#breakers, this.#breakerViews, breakers, (b) => b.name, () => breakerView(this.#ref), (view, b) => view.update(b, now, controls));
    reconcile(this.#budgets, this.#budgetViews, m.budgets, (b) => b.name, () => budgetView(this.#ref), (view, b) => view.update(b));
    this.node.hidden = !breakers.length && !m.budgets.length;
  }
}

function breakerView(ref) {
  const picture = icon('b-closed', 'switch-icon');
  const state = el('strong');
  const since = el('span');
  const counts = el('p.guard-counts');
  const meter = el('i');
  const limit = el('b');
  const bar = el('span.meter', { 'aria-hidden': 'true' }, meter, limit);
  const controls = new BreakerControls();
  const node = el('section.guard', el('h4', 'Breaker'), el('p.guard-state', picture, state, ' ', since), bar, counts, controls.node);
  return {
    node,
    update(b, now, allowed) {
      attr(node, 'data-breaker', b.state);
      setIcon(picture, `b-${b.state}`);
      text(state, breakerWords(b.state, (b.retryAfterNanoseconds ?? 0) / 1e6));
      const at = Date.parse(b.since);
      text(since, at > 0 ? `since ${clock(at, now)} (${span(now - at)})` : '');
      const ratio = b.settings?.failureRatio;
      bar.hidden = !ratio;
      if (ratio) {
        share(meter, b.calls ? b.failed / b.calls : 0);
        share(limit, ratio);
      }
      text(counts, [breakerCounts(b), b.name !== ref && b.name ? `named ${b.name}` : '', sharedWith(b, ref)].filter(Boolean).join(' · '));
      controls.update(b, allowed);
    },
  };
}

function budgetView(ref) {
  const fill = el('i');
  const battery = el('span.battery.is-large', { 'aria-hidden': 'true' }, fill);
  const left = el('strong');
  const counts = el('p.guard-counts');
  const node = el('section.guard', el('h4', 'Budget'), el('p.guard-state', battery, left), counts);
  return {
    node,
    update(b) {
      const part = budgetLeft(b);
      const words = budgetCounts(b);
      share(fill, part);
      attr(battery, 'data-low', part < 0.25);
      text(left, words.left);
      text(counts, [words.earns, words.done, b.name !== ref && b.name ? `named ${b.name}` : '', sharedWith(b, ref)].filter(Boolean).join(' · '));
    },
  };
}
