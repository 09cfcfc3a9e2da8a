// The frame of the charts over the last two minutes: scales, the second that the reader points at, and the same figures as a
// table. What is drawn in it is in sparkline.js.

import { el, svg, attr, legend, text } from './dom.js';
import { clock } from './format.js';
import { FoldedTable } from './table.js';

export const SECONDS = 120;
const HEIGHT = 96;
const TOP = 8;
const BOTTOM = 16; // for the times
const LEFT = 52; // for the figures

/** The next round number that a scale may end at: 1, 2, 5, 10, ... Pure. */
export function roundUp(n) {
  if (!(n > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(n));
  return [1, 2, 5, 10].map((f) => f * power).find((f) => f >= n * 0.999);
}

/**
 * The series by its place in the chart: an array of SECONDS entries, the last one the latest second; undefined where there is
 * none. Pure.
 */
export function slots(series) {
  const placed = new Array(SECONDS).fill(undefined);
  const last = series.at(-1)?.t;
  for (const p of series) {
    const place = SECONDS - 1 - (last - p.t);
    if (place >= 0) placed[place] = p;
  }
  return placed;
}

export class TimeChart {
  #frame;
  #grid = svg('g.chart-grid');
  #plot = svg('g');
  #cursor = svg('path.chart-cursor', { hidden: true });
  #description = svg('desc');
  #readout = el('p.chart-readout');
  #scrub;
  #table;
  #series = [];
  #width = 0;
  #placed = slots([]);
  #at = null; // the place that is pointed at

  /**
   * title; kinds: [[kind, word]]; draw(plot, {placed, x, y, step}) draws; top(placed) is the largest value; value formats one
   * of the scale; say(p) tells a second in words; columns: [[heading, p => text]] of the table.
   */
  constructor(frame) {
    this.#frame = frame;
    const { title } = frame;
    this.svg = svg('svg.chart-svg', { role: 'img', height: HEIGHT }, svg('title', title), this.#description, this.#grid, this.#plot, this.#cursor);
    this.#scrub = el('div', {
      class: 'chart-scrub', role: 'slider', tabindex: '0', 'aria-label': `${title}: a second`, 'aria-valuemin': 1 - SECONDS, 'aria-valuemax': 0, 'aria-valuenow': 0,
      onpointermove: (e) => this.#point(e.offsetX), onpointerleave: () => this.#select(null), onblur: () => this.#select(null),
      onkeydown: (e) => this.#key(e),
    });
    this.#table = new FoldedTable(title, () => [
      ['Second', ...frame.columns.map(([name]) => name)],
      this.#series.toReversed().map((p) => [clock(p.t * 1000), ...frame.columns.map(([, say]) => say(p))]),
    ]);
    this.node = el('figure.chart',
      el('figcaption', el('span', title), legend(frame.kinds)),
      el('div.chart-box', this.svg, this.#scrub), this.#readout, this.#table.node);
  }

  update(series) {
    this.#series = series;
    this.#placed = slots(series);
    this.#draw();
    this.#table.update();
  }

  /** Draws anew where the room has changed. A tick does not ask: that would lay the page out once more. */
  resize() {
    const width = this.svg.parentNode.clientWidth;
    if (width === this.#width) return;
    this.#width = width;
    this.#draw();
  }

  #draw() {
    const width = this.#width;
    if (!width) return;
    attr(this.svg, 'width', width);
    const top = roundUp(this.#frame.top(this.#placed));
    const step = (width - LEFT) / SECONDS;
    const x = (place) => LEFT + place * step;
    const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
    this.#scale(width, top, y);
    this.#frame.draw(this.#plot, { placed: this.#placed, x, y, step });
    text(this.#description, `The last ${SECONDS} seconds. Now: ${this.#say(SECONDS - 1)}`);
    this.#select(this.#at);
  }

  #scale(width, top, y) {
    const key = `${width} ${top}`;
    if (this.#grid.dataset.key === key) return;
    this.#grid.dataset.key = key;
    const lines = [0, top / 2, top].map((v) => svg('path', { d: `M${LEFT} ${Math.round(y(v)) + 0.5}H${width}` }));
    const words = this.#frame.value;
    const values = (words(top / 2) === words(top) ? [top] : [top / 2, top]).map((v) => svg('text', { x: LEFT - 6, y: y(v) + 3.5, 'text-anchor': 'end' }, words(v)));
    const times = [[LEFT, 'start', '\u2212120 s'], [(LEFT + width) / 2, 'middle', '\u221260 s'], [width, 'end', 'now']]
      .map(([at, anchor, word]) => svg('text', { x: at, y: HEIGHT - 3, 'text-anchor': anchor }, word));
    this.#grid.replaceChildren(...lines, ...values, ...times);
  }

  #say(place) {
    const p = this.#placed[place];
    return p ? `${clock(p.t * 1000)}: ${this.#frame.say(p)}` : 'no figures yet';
  }

  #select(place) {
    this.#at = place;
    const shown = place ?? SECONDS - 1;
    text(this.#readout, this.#say(shown));
    attr(this.#scrub, 'aria-valuenow', shown - SECONDS + 1);
    attr(this.#scrub, 'aria-valuetext', this.#say(shown));
    this.#cursor.toggleAttribute('hidden', place === null);
    if (place === null) return;
    const at = LEFT + (place + 0.5) * ((this.#width - LEFT) / SECONDS);
    attr(this.#cursor, 'd', `M${at.toFixed(1)} ${TOP}V${HEIGHT - BOTTOM}`);
  }

  #point(offset) {
    const place = Math.floor((offset - LEFT) / ((this.#width - LEFT) / SECONDS));
    this.#select(Math.min(SECONDS - 1, Math.max(0, place)));
  }

  #key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -SECONDS, End: SECONDS };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.#select(Math.min(SECONDS - 1, Math.max(0, (this.#at ?? SECONDS - 1) + steps[event.key])));
  }
}
