// The picture of services: cards placed by layout.js over an SVG of what needs what. Cards are HTML, so that their text wraps,
// is selected and read out as any other.

import { el, svg, attr } from './dom.js';
import { beside, layout, curve } from './layout.js';
import { card, miniCard } from './card.js';
import { Sight } from './sight.js';

const MARGIN = 12;

/** A graph in a scrolling box. With mini, a card has a line for its worst method instead of a row for each. */
export class Graph {
  #mini;
  #title;
  #edges;
  #cards = el('ul.cards');
  #canvas;
  #views = new Map(); // by the index of the service
  #sight = new Sight();
  #drawn = []; // edges: {edge, path, label}
  #key = '';
  #inSight = null; // the selected service that has been scrolled to
  #direction = 'right';
  #width = 0;

  constructor({ mini = false, title }) {
    this.#mini = mini;
    this.#title = title;
    this.#edges = svg('svg.edges', { role: 'img' });
    this.#canvas = el('div.canvas', this.#edges, this.#cards);
    this.node = el('div', { class: `graph${mini ? ' is-mini' : ''}`, tabindex: mini ? null : '0', role: 'group', 'aria-label': title }, this.#canvas);
    new ResizeObserver(() => (this.#width = this.node.clientWidth)).observe(this.node);
  }

  /** Shows these services, and only draws anew where they, their methods or the room for them have changed. */
  render(model, shown, { selected, query, isFound }) {
    if (!this.#width) this.#inSight = null; // it was not on the page, and has forgotten where it was scrolled to
    const width = (this.#width ||= this.node.clientWidth);
    const key = `${model.structure} ${width} ${shown.map((s) => s.index).join()}`;
    if (key !== this.#key && width > 0) {
      this.#key = key;
      this.#inSight = null;
      this.#build(model, shown, width);
    }
    if (selected && selected.service !== this.#inSight && width > 0) this.#reveal(selected.service);
    for (const view of this.#views.values()) {
      attr(view.node, 'data-selected', selected?.service === view.service);
      attr(view.node, 'data-dimmed', query !== '' && !isFound(view.service));
      view.select?.(selected);
    }
    this.#sight.update();
    for (const { edge, path, label } of this.#drawn) {
      const target = model.services[edge.to];
      const recovering = target.worst?.kind === 'recovering';
      const failing = target.worst?.state === 'failing' && !recovering;
      const inUse = edge.fallback && model.services[edge.from].methods.some((m) => m.live.fallbackRate > 0);
      const counts = target.methods.length > 0 || edge.fallback; // else it is wiring, not traffic
      const near = counts && selected && (model.services[edge.from] === selected.service || target === selected.service);
      attr(path, 'data-state', failing ? 'failing' : recovering ? 'recovering' : inUse ? 'in-use' : counts ? 'well' : 'dim');
      attr(path, 'data-near', near ? true : null);
      attr(path, 'marker-end', `url(#${failing ? 'a-failing' : counts ? 'a-need' : 'a-dim'})`);
      if (label) attr(label, 'data-state', inUse ? 'in-use' : null);
    }
  }

  // Scrolls to a service that was selected elsewhere. The page around stays where it is.
  #reveal(service) {
    this.#inSight = service;
    const at = this.#views.get(service.index)?.at;
    if (!at) return;
    const { scrollLeft: left, scrollTop: top, clientWidth: w, clientHeight: h } = this.node;
    if (at.x >= left && at.y >= top && at.x + at.w <= left + w && at.y + at.h <= top + h) return;
    this.node.scrollTo(at.x + (at.w - w) / 2, at.y + (at.h - h) / 2);
  }

  #build(model, shown, width) {
    this.#views = new Map(shown.map((s) => [s.index, this.#mini ? miniCard(s) : card(s, model.services)]));
    this.#cards.replaceChildren(...[...this.#views.values()].map((v) => v.node));
    for (const v of this.#views.values()) v.update();
    this.#sight.watch([...this.#views.values()]);
    const nodes = shown.map((s) => {
      const { node } = this.#views.get(s.index);
      return { id: s.index, w: node.offsetWidth, h: node.offsetHeight };
    });
    const edges = shown.flatMap((s) => s.needs.map((n) => ({ from: s.index, to: n.to, fallback: n.fallback })));
    const room = width - 2 * MARGIN;
    // Columns read best; where they do not fit and rows do, rows. Chains have no edges: a place of their own.
    const chains = nodes.filter((n) => model.services[n.id].loose);
    const linked = chains.length < nodes.length ? nodes.filter((n) => !model.services[n.id].loose) : nodes;
    const apart = linked === nodes ? [] : chains;
    const right = layout(linked, edges, { direction: 'right', layerGap: this.#mini ? 32 : 64, gap: 12 });
    let placed = beside(right, apart, 'right', room);
    this.#direction = 'right';
    if (placed.width > room) {
      if (right.width > room) {
        const down = layout(linked, edges, { direction: 'down', layerGap: this.#mini ? 28 : 48, gap: 16 });
        if (down.width <= room) [placed, this.#direction] = [beside(down, apart, 'down', room), 'down'];
      } else placed = beside(right, apart, 'down', room);
    }
    this.#place(model, placed, room);
  }

  #place(model, placed, room) {
    const dx = MARGIN + Math.max(0, Math.floor((room - placed.width) / 2));
    for (const [index, at] of placed.nodes) {
      const view = this.#views.get(index);
      view.at = { ...at, x: Math.round(at.x + dx), y: Math.round(at.y + MARGIN) };
      view.node.style.setProperty('transform', `translate(${view.at.x}px, ${view.at.y}px)`);
    }
    const [w, h] = [Math.max(placed.width + 2 * MARGIN, room), placed.height + 2 * MARGIN];
    attr(this.#edges, 'width', w);
    attr(this.#edges, 'height', h);
    this.#canvas.style.setProperty('width', `${w}px`);
    this.#canvas.style.setProperty('height', `${h}px`);
    const sentences = placed.edges.map(({ edge }) => `${model.services[edge.from].ref} ${edge.fallback ? 'falls back to' : 'needs'} ${model.services[edge.to].ref}.`);
    this.#edges.replaceChildren(svg('title', this.#title), svg('desc', sentences.slice(0, 200).join(' ')));
    this.#drawn = placed.edges.map(({ edge, points }) => {
      const moved = points.map((p) => ({ x: p.x + dx, y: p.y + MARGIN }));
      const [from, to] = [model.services[edge.from].ref, model.services[edge.to].ref];
      const path = svg('path.edge', { d: curve(moved, this.#direction), 'data-from': from, 'data-to': to, 'data-fallback': edge.fallback });
      this.#edges.append(path);
      if (!edge.fallback || this.#mini) return { edge, path };
      const [a, b] = moved.slice(-2);
      const label = svg('text.edge-label', { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - 5, 'text-anchor': 'middle' }, 'fallback');
      this.#edges.append(label);
      return { edge, path, label };
    });
  }
}
