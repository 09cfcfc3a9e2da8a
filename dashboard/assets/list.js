// The compact list: a row for each method. It is the view for many services and for small screens.

import { el, attr, reconcile } from './dom.js';
import { methodRow } from './row.js';
import { listed, rank } from './filter.js';
import { Sight } from './sight.js';

const CALM = 10000; // milliseconds between changes of the order that are not urgent
const HOLD = 3000; // milliseconds for which rows stay where they are after the reader has touched the list

export class List {
  #items = el('ul.list', { 'aria-label': 'Methods' });
  #none = el('p.none');
  #unprotected = el('ul.list.is-unprotected', { 'aria-label': 'Services without protected methods' });
  #views = new Map();
  #plain = new Map();
  #sight = new Sight();
  #key = '';
  #touched = 0;
  node = el('div.list-box', this.#items, this.#none, this.#unprotected);

  constructor() {
    const touch = () => (this.#touched = Date.now());
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel']) this.#items.addEventListener(type, touch, { passive: true });
  }

  /** Shows the methods that the filter lets through and, where asked for, services without any. Returns how many methods. */
  render(model, others, { selected, ...filter }) {
    const key = JSON.stringify([model.structure, filter]);
    const all = [...model.methods.values()];
    // Rows move at once when callers are concerned, else now and then, and not under the reader's hand.
    const asked = key !== this.#key;
    const order = `${Math.floor(model.now / CALM)} ${all.map((m) => (m.severity > 2 ? rank(m) : 0)).join('')}`;
    if (asked || (order !== this.order && Date.now() - this.#touched > HOLD)) {
      this.#key = key;
      this.order = order;
      this.shown = listed(all, filter);
      if (asked && this.structure !== model.structure) {
        this.structure = model.structure;
        this.#views.clear();
        this.#items.replaceChildren();
      }
      reconcile(this.#items, this.#views, this.shown, (m) => m.ref, item);
      this.#sight.watch([...this.#views.values()]);
      reconcile(this.#unprotected, this.#plain, others, (s) => s.index, (s) => ({ node: el('li', { title: s.source?.class }, s.ref) }));
      this.#none.textContent = this.shown.length ? '' : filter.troubledOnly && !filter.query ? 'No method is troubled.' : 'Nothing matches.';
    }
    // One stop for the Tab key; arrow keys go on from there.
    const stop = this.shown.includes(selected) ? selected : this.shown[0];
    if (selected !== this.selected || stop !== this.stop) {
      for (const m of this.shown) {
        const { link } = this.#views.get(m.ref);
        attr(link, 'aria-current', m === selected && 'true');
        attr(link, 'tabindex', m === stop ? '0' : '-1');
      }
      this.selected = selected;
      this.stop = stop;
    }
    this.#sight.update();
    return this.shown.length;
  }
}

function item(m) {
  const row = methodRow(m, true);
  row.node.tabIndex = -1;
  return { node: el('li', row.node), link: row.node, update: row.update };
}
