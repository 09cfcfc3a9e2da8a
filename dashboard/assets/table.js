// Tables: of what a chart shows, and of what is declared.

import { el } from './dom.js';

const cells = (tag, texts, scope) => texts.map((t, i) => el(i && tag === 'td' ? 'td' : 'th', { scope: i && tag === 'td' ? null : scope }, t));

/** The parts of a table: heads is a list of texts, rows a list of such; the first cell of a row is its heading. */
export function tableParts(caption, heads, rows) {
  return [el('caption.vh', caption), el('thead', el('tr', ...cells('th', heads, 'col'))), el('tbody', ...rows.map((r) => el('tr', ...cells('td', r, 'row'))))];
}

/** A box in which a table scrolls by itself, reachable by keyboard. */
export const tableBox = (caption, table, className = '') => el('div', { class: `table-box ${className}`, tabindex: '0', role: 'group', 'aria-label': caption }, table);

/** What a picture shows as a table, folded away. It is only made while somebody looks at it: content returns heads and rows. */
export class FoldedTable {
  #table = el('table');
  #caption;
  #content;

  constructor(caption, content) {
    this.#caption = caption;
    this.#content = content;
    this.node = el('details.as-table', { ontoggle: () => this.update() }, el('summary', 'As a table'), tableBox(caption, this.#table));
  }

  update() {
    if (this.node.open) this.#table.replaceChildren(...tableParts(this.#caption, ...this.#content()));
  }
}
