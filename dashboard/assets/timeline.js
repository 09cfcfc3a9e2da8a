// The last sessions of a method: for each a line of its attempts and waits, on one scale.

import { el, svg, attr, legend, text, reconcile } from './dom.js';
import { clock, latency, plural, timed } from './format.js';
import { roundUp } from './chart.js';
import { FoldedTable } from './table.js';

const ROW = 16;

const ENDS = { succeeded: 'succeeded', failed: 'answered', canceled: 'cancelled', exhausted: 'gave up', rejected: 'rejected', aborted: 'aborted by a panic' };

// An error that was not worth a retry is the peer's answer: nothing is broken.
const isAnswer = (s, i) => s.end === 'failed' && i === s.attempts.length - 1;

/** How a session ended, in a few words: "gave up: budget", "answered: card declined". Pure. */
export function endWords(s) {
  const end = ENDS[s.end] ?? s.end;
  const why = s.limit || (s.end === 'failed' && s.error);
  return why ? `${end}: ${why}` : end;
}

/** A session as sentences. Pure. */
export function sessionWords(s, now) {
  const made = s.made ?? s.attempts.length;
  const parts = [`${clock(s.at, now)}: ${endWords(s)} after ${plural(made, 'attempt')} in ${latency(s.elapsedMs)}`];
  if (s.fallback) parts.push(`the fallback ${s.fallback}`);
  s.attempts.forEach((a, i) => {
    if (made > 1 || a.error) parts.push(`attempt ${made > s.attempts.length ? '' : `${i + 1} `}took ${timed(a.endMs - a.startMs, true)}${a.error && !isAnswer(s, i) ? `: ${a.error}` : ''}`);
  });
  if (!s.attempts.length && s.error) parts.push(s.error);
  if (s.waits.length) parts.push(`waited ${s.waits.map((w) => latency(w.ms)).join(', ')}`);
  return parts.join('; ');
}

export class Timeline {
  #list = el('ol.sessions', { 'aria-label': 'Last sessions, newest first' });
  #said = el('p.session-said');
  #axis = svg('svg.session-axis', { height: ROW, 'aria-hidden': 'true' });
  #table = new FoldedTable('Last sessions', () => [
    ['Began', 'End', 'Attempts', 'Took', 'Waited', 'Fallback', 'Error'],
    this.#sessions.map((s) => [
      clock(s.at, this.#now), endWords(s), String(s.made ?? s.attempts.length), latency(s.elapsedMs),
      latency(s.waits.reduce((n, w) => n + w.ms, 0)), s.fallback || '\u2013', s.error || '\u2013',
    ]),
  ]);
  #views = new Map();
  #sessions = [];
  #now = 0;
  #width = 0;
  #scale = '';
  #held = false; // the reader looks at a session, so they stay where they are

  constructor() {
    const hold = (held) => () => {
      this.#held = held;
      if (!held) this.#hint();
    };
    this.#list.addEventListener('pointerenter', hold(true));
    this.#list.addEventListener('pointerleave', hold(false));
    this.#list.addEventListener('focusin', hold(true));
    this.#list.addEventListener('focusout', hold(false));
    this.#list.addEventListener('keydown', (e) => this.#key(e));
    this.node = el('div.timeline',
      legend([['answer', 'attempt'], ['error', 'failed attempt'], ['answered', 'answered with an error'], ['wait', 'wait']]),
      el('p.session-note', 'Kept: failures and retries first; not a sample.'),
      el('div.session-axis-box', this.#axis), this.#list, this.#said, this.#table.node);
    this.#hint();
  }

  update(sessions, now) {
    if (this.#held) return;
    this.#sessions = sessions;
    this.#now = now;
    this.#draw();
    this.#table.update();
  }

  /** Draws anew where the room has changed. */
  resize() {
    const width = this.#axis.parentNode.clientWidth;
    if (width === this.#width) return;
    this.#width = width;
    this.#draw();
  }

  #draw() {
    const width = this.#width;
    if (!width) return;
    const longest = roundUp(Math.max(0, ...this.#sessions.map((s) => s.elapsedMs)));
    const scale = `${width} ${longest}`;
    if (scale !== this.#scale) {
      this.#scale = scale;
      this.#views.clear();
      this.#list.replaceChildren();
      this.#ticks(width, longest);
    }
    const seen = new Map(); // sessions that nothing tells apart get a number
    const keyed = this.#sessions.map((s) => {
      const key = `${s.at} ${s.elapsedMs} ${s.end} ${s.fallback}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      return { key: `${key} ${seen.get(key)}`, s };
    });
    reconcile(this.#list, this.#views, keyed, ({ key }) => key, ({ s }) => ({ node: this.#row(s, width, longest) }));
    [...this.#list.children].forEach((row, i) => attr(row, 'tabindex', i === 0 ? '0' : '-1'));
    if (!this.#held) this.#hint();
  }

  #row(s, width, longest) {
    const x = (ms) => Math.round((ms / longest) * width * 10) / 10;
    const picture = svg('svg', { width, height: ROW, 'aria-hidden': 'true' });
    const bar = (name, from, to, y, height, fill) => picture.append(svg(name, { x: x(from), y, width: Math.max(2.5, x(to) - x(from)), height, fill }));
    for (const w of s.waits) bar('rect.session-wait', w.startMs, w.startMs + w.ms, 5.5, 5, 'url(#p-wait)');
    s.attempts.forEach((a, i) => {
      const kind = !a.error ? 'ok' : isAnswer(s, i) ? 'answered' : 'error';
      bar(`rect.session-${kind}`, a.startMs, a.endMs, 2, 12, kind === 'error' && 'url(#p-error)');
    });
    if (!s.attempts.length) picture.append(svg('path.s-failing', { d: 'M2 3.5l9 9m0-9-9 9', 'stroke-width': 2, fill: 'none' }));
    const say = () => {
      text(this.#said, sessionWords(s, this.#now));
      this.#said.dataset.said = ''; // it follows the reader down the list
    };
    return el('li.session', { 'data-end': s.end, 'data-fallback': s.fallback || null, onpointerenter: say, onfocus: say },
      el('span.session-at', clock(s.at, this.#now)),
      el('span.session-bar', picture),
      el('span.session-end', { title: endWords(s) }, endWords(s)),
      el('span.session-fallback', s.fallback === 'failed' ? 'fallback failed' : s.fallback ? 'fallback used' : ''),
      el('span.vh', `. ${sessionWords(s, this.#now)}`));
  }

  #ticks(width, longest) {
    attr(this.#axis, 'width', width);
    this.#axis.replaceChildren(...[0, 0.5, 1].map((f) => svg('text', { x: f * width, y: 11, 'text-anchor': ['start', 'middle', 'end'][2 * f] }, latency(f * longest))));
  }

  #hint() {
    delete this.#said.dataset.said;
    text(this.#said, this.#sessions.length ? 'Point at a session, or go to it with the arrow keys, to read it.' : 'None yet.');
  }

  #key(event) {
    const rows = [...this.#list.children];
    const at = rows.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    rows[to]?.focus();
  }
}
