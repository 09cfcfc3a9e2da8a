// The right side: all there is to know of the selected method.

import { el, icon, setIcon, text, attr, reconcile } from './dom.js';
import { amount, clock, count, moment, percent, rate, span, timed, total } from './format.js';
import { neighbours } from './wiring.js';
import { answerWords, incidentWords } from './words.js';
import { isTroubled } from './filter.js';
import { callsChart, latencyChart } from './sparkline.js';
import { Timeline } from './timeline.js';
import { Guards } from './guards.js';
import { Graph } from './graph.js';
import { policySection } from './policy.js';

const AROUND = 12; // neighbours that the small graph shows, the troubled ones first

// Name, what it means, value, and whether that is bad.
const FIGURES = [
  ['Calls', 'calls that ended', (m) => rate(m.rate)],
  ['Errors', 'of the calls, those whose caller got an error', (m) => percent(m.errorShare), (m) => (m.errorShare >= 0.1 || (m.failingSince && m.errorShare >= 0.01) ? 'bad' : null)],
  ['Fallbacks', 'calls whose callers got the fallback', (m) => rate(m.fallbackRate), (m) => (m.fallbackRate > 0 ? 'warn' : null)],
  ['p50', 'half of the calls took no longer, waits included', (m) => timed(m.p50Ms, m.attemptRate > 0)],
  ['p95', '95 of 100 calls took no longer, waits included', (m) => timed(m.p95Ms, m.attemptRate > 0)],
  ['Attempts', 'attempts, retries included', (m) => rate(m.attemptRate)],
  ['Failed', 'of the attempts, those that failed', (m) => percent(m.attemptFailureShare), (m) => (m.attemptFailureShare >= 0.5 ? 'bad' : m.attemptFailureShare >= 0.1 ? 'warn' : null)],
  ['Retries', 'attempts that were not the first of their call', (m) => rate(m.retryRate)],
  ['Refused', 'calls and retries that a limit refused', (m) => rate(Object.values(m.refused).reduce((a, b) => a + b, 0)), (m) => (Object.keys(m.refused).length ? 'warn' : null)],
  ['In all', 'calls since the page\u2019s server was started', (m) => total(m.calls)],
];

export class Detail {
  #body = document.getElementById('method-body');
  #shown = null; // what is built: {m, node, update, live, resize}
  #latest = null; // the last METHOD message

  constructor() {
    new ResizeObserver(() => this.#shown?.resize()).observe(this.#body);
  }

  /** Takes the stream's figures of one method. */
  take(message) {
    this.#latest = message;
  }

  /** Shows the method; withGraph tells whether the graph of its neighbours is wanted. ref is what the address asks for. */
  render(model, m, { withGraph, ref }) {
    // What is asked stays until it is answered, also when the wiring is another one meanwhile.
    if (this.#shown && this.#shown.m !== m && this.#shown.m.ref === ref && this.#body.querySelector('.confirm:not([hidden])')) return;
    if (!m) {
      this.#empty(ref && model.ready ? `There is no method ${ref} here, or it was not called yet.` : 'Choose a method to see its traffic, policy and last sessions.');
      return;
    }
    if (this.#shown?.m !== m) { // a new wiring has new ones
      this.#shown = build(m, model);
      this.#body.replaceChildren(this.#shown.node);
      this.#shown.resize();
    }
    this.#shown.update(model, withGraph);
    if (this.#latest?.ref === m.ref) this.#shown.live(this.#latest, model.now);
  }

  #empty(words) {
    this.#shown = null;
    if (this.#body.firstChild?.className === 'none') text(this.#body.firstChild.nextSibling, words);
    else this.#body.replaceChildren(el('h2', { id: 'method-title', class: 'none' }, 'No method chosen'), el('p.none', words));
  }
}

function build(m, model) {
  const mark = icon('s-idle', 'mark');
  const state = el('span');
  const title = el('h2', { id: 'method-title' }, ...(m.ref.includes('@') ? [el('span', m.service.ref), el('wbr'), el('span.title-method', `@${m.name}`)] : [m.ref]));
  const standing = el('p.standing', mark, state);
  const figures = FIGURES.map(([name, title]) => ({ name, title, value: el('dd') }));
  const calls = callsChart();
  const times = latencyChart();
  const timeline = new Timeline();
  const guards = new Guards(m.ref);
  const around = new Graph({ mini: true, title: 'What needs it, and what it needs' });
  const aroundMore = el('p.none');
  const aroundSection = section('Around it', around.node, aroundMore);
  const errors = el('ol.errors');
  const errorViews = new Map();
  const noErrors = el('p.none');
  const node = el('article.detail', { 'data-ref': m.ref },
    el('header.detail-head', title, standing),
    el('dl.figures', ...figures.map((f) => el('div', { title: f.title }, el('dt', f.name), f.value))),
    section('Live', calls.node, times.node),
    section('Breaker and budget', guards.node),
    section('Last sessions', timeline.node),
    section('Last errors', errors, noErrors),
    aroundSection,
    section('Policy', ...policySection(m, model.aspects)));
  const guardSection = guards.node.parentNode;

  return {
    m, node,
    update(now, withGraph) {
      attr(node, 'data-state', m.state);
      attr(standing, 'data-kind', m.kind);
      setIcon(mark, `s-${m.state}`);
      text(state, now.isDeaf() ? 'nothing is heard of it' : standingWords(m, now.now));
      FIGURES.forEach(([, , say, tone], i) => {
        text(figures[i].value, say(m.live));
        attr(figures[i].value, 'data-tone', tone?.(m.live));
      });
      guards.update(m, now);
      guardSection.hidden = guards.node.hidden;
      aroundSection.hidden = !withGraph || (!m.service.needs.length && !m.service.consumers.length);
      if (!aroundSection.hidden) {
        const { shown, hidden } = surroundings(now.services, m.service);
        around.render(now, shown, { selected: m, query: '', isFound: () => true });
        text(aroundMore, hidden ? `${count(hidden)} more are not drawn.` : '');
      }
    },
    live(message, now) {
      calls.update(message.series);
      times.update(message.series);
      timeline.update(message.sessions, now);
      reconcile(errors, errorViews, message.errors, (e) => e.text, errorView, (view, e) => view.update(e, now));
      text(noErrors, message.errors.length ? '' : 'None.');
    },
    resize() {
      for (const picture of [calls, times, timeline]) picture.resize();
    },
  };
}

const section = (name, ...children) => el('section.block', el('h3', name), ...children);

function standingWords(m, now) {
  if (m.incident) {
    const { verb, since, callers } = incidentWords(m.incident, now, m.live);
    return `${verb} ${since}${callers.length ? `; callers get ${callers.map((c) => c.text).join(', ')}` : ''}`;
  }
  const { live } = m;
  if (m.state === 'failing') return `has trouble since ${clock(live.failingSince, now)}, for ${span(now - live.failingSince)}`;
  if (m.state === 'idle') return live.calls ? 'idle: no calls in the last 10 s' : 'never called yet';
  const callers = `of the callers ${answerWords(1 - live.errorShare, live.fallbackRate)}`;
  if (m.state === 'retrying') return `retrying: ${percent(live.attemptFailureShare)} of the attempts fail, ${callers}`;
  return `${m.state}: ${amount(live.rate)} calls/s, ${callers}${m.state === 'errors' ? ' in the last 10 s' : ''}`;
}

// The service with its neighbours, those in trouble first where there are too many.
function surroundings(services, service) {
  const all = [...neighbours(services, service.index)].filter((i) => i !== service.index).map((i) => services[i]);
  all.sort((a, b) => b.methods.some(isTroubled) - a.methods.some(isTroubled) || b.methods.length - a.methods.length || a.index - b.index);
  return { shown: [service, ...all.slice(0, AROUND)], hidden: Math.max(0, all.length - AROUND) };
}

function errorView() {
  const times = el('span.error-count');
  const at = el('time.error-at');
  const what = el('span.error-text');
  return {
    node: el('li', at, times, what),
    update(e, now) {
      text(at, clock(e.at, now));
      attr(at, 'datetime', new Date(e.at).toISOString());
      attr(at, 'title', moment(e.at));
      text(times, `${count(e.count)}\u00d7`);
      text(what, e.text);
    },
  };
}
