// The left side: the services as a graph or a list, and the tools that choose among them.

import { attr, text } from './dom.js';
import { count, plural } from './format.js';
import { isTroubled, listed, matches, searched } from './filter.js';
import { connecting, neighbours } from './wiring.js';
import { recall, remember } from './theme.js';
import { Graph } from './graph.js';
import { List } from './list.js';

const LARGE = 40; // services beyond which a graph is a map that nobody reads
const FEW = 16; // services up to which the unprotected ones are no burden
const NARROW = '(max-width: 719px)';

const $ = (id) => document.getElementById(id);

export class Overview {
  #graph = new Graph({ title: 'Services, and what they need' });
  #list = new List();
  #stage = $('stage');
  #search = $('search');
  #sort = $('sort');
  #troubled = $('troubled-only');
  #unprotected = $('unprotected');
  #narrow = matchMedia(NARROW);
  #chosen = recall('backstay.view');
  #onChange;

  constructor(onChange) {
    this.#onChange = onChange;
    for (const node of [this.#search, this.#sort, this.#troubled, this.#unprotected]) node.addEventListener('input', onChange);
    this.#unprotected.addEventListener('input', () => (this.#unprotected.dataset.chosen = 'yes'));
    for (const view of ['graph', 'list']) $(`view-${view}`).addEventListener('click', () => this.#choose(view));
    this.#narrow.addEventListener('change', onChange);
    new ResizeObserver(onChange).observe(this.#stage);
  }

  /** The view that is shown: what was chosen, else what suits the number of services and the screen. */
  viewOf(model) {
    if (this.#chosen) return this.#chosen;
    return model.services.length > LARGE || this.#narrow.matches ? 'list' : 'graph';
  }

  render(model, selected) {
    const view = this.viewOf(model);
    const query = this.#search.value.trim();
    if (!this.#unprotected.dataset.chosen) this.#unprotected.checked = view === 'graph' && model.services.length <= FEW;
    attr($('view-graph'), 'aria-pressed', String(view === 'graph'));
    attr($('view-list'), 'aria-pressed', String(view === 'list'));
    $('sort-field').hidden = view === 'graph';
    attr(document.body, 'data-view', view);

    const { node } = view === 'graph' ? this.#graph : this.#list;
    if (this.#stage.firstChild !== node) this.#stage.replaceChildren(node);
    const filter = { query, troubledOnly: this.#troubled.checked, sort: this.#sort.value, unprotected: this.#unprotected.checked };
    const shown = view === 'graph' ? this.#renderGraph(model, selected, filter) : this.#renderList(model, selected, filter);
    const some = shown === model.methods.size ? '' : `${count(shown)} of `;
    text($('count'), `${plural(model.services.length, 'service')}, ${some}${plural(model.methods.size, 'protected method')}`);
  }

  /** Opens the first method that was found. */
  firstFound(model) {
    const filter = { query: this.#search.value.trim(), troubledOnly: this.#troubled.checked, sort: this.#sort.value };
    return listed([...model.methods.values()], filter)[0] ?? null;
  }

  #renderGraph(model, selected, { query, troubledOnly, unprotected }) {
    let shown = unprotected ? model.services : connecting(model.services);
    if (troubledOnly) {
      const near = new Set(model.services.filter((s) => s.methods.some(isTroubled)).flatMap((s) => [...neighbours(model.services, s.index)]));
      shown = shown.filter((s) => near.has(s.index));
    }
    const isFound = (s) => matches(query, `${s.ref} ${s.source?.class ?? ''} ${s.methods.map(searched).join(' ')}`);
    this.#graph.render(model, shown, { selected, query, isFound });
    return shown.reduce((n, s) => n + s.methods.length, 0);
  }

  #renderList(model, selected, filter) {
    const others = filter.unprotected && !filter.troubledOnly
      ? model.services.filter((s) => !s.methods.length && matches(filter.query, `${s.ref} ${s.source?.class ?? ''}`))
      : [];
    return this.#list.render(model, others, { selected, ...filter });
  }

  #choose(view) {
    this.#chosen = view;
    remember('backstay.view', view);
    this.#onChange();
  }
}
