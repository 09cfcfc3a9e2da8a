// The cards of the graph: a service each.

import { el, attr, icon, setIcon, text } from './dom.js';
import { methodRow } from './row.js';
import { hashOf } from './route.js';
import { rate } from './format.js';

/** A card with a row for each protected method; one without any is small. */
export function card(service, services) {
  const rows = service.methods.map((m) => [m, methodRow(m, false)]);
  const names = (indexes) => indexes.map((i) => services[i].ref).join(', ');
  const relations = [
    service.needs.length ? `Needs ${names(service.needs.map((n) => n.to))}.` : '',
    service.consumers.length ? `Needed by ${names(service.consumers)}.` : '',
  ].filter(Boolean).join(' ');
  const node = el('li', { class: `card${rows.length ? '' : ' is-small'}`, 'data-service': service.ref, title: rows.length ? null : service.source?.class },
    el('h3.card-name', el('span', { title: service.source?.class }, service.class), service.name && el('span.card-tag', `#${service.name}`)),
    ...rows.map(([, row]) => row.node),
    relations && el('p.vh', relations));
  return {
    node, service,
    update() {
      attr(node, 'data-state', service.worst?.state);
      attr(node, 'data-kind', service.worst?.kind);
      for (const [, row] of rows) row.update();
    },
    select(selected) {
      for (const [m, row] of rows) attr(row.node, 'aria-current', m === selected && 'true');
    },
  };
}

/** A card of one line, for the worst of the service's methods. */
export function miniCard(service) {
  const mark = icon('s-idle', 'mark');
  const state = el('span.vh');
  const traffic = el('span.row-rate');
  const worst = service.worst ?? service.methods[0];
  const link = el(worst ? 'a' : 'span', { class: 'mini-link', title: service.ref }, mark, state, el('span.row-name', service.ref), traffic);
  const node = el('li', { class: `card is-mini${worst ? '' : ' is-small'}`, 'data-service': service.ref }, link);
  return {
    node, service,
    update() {
      attr(node, 'data-state', service.worst?.state);
      attr(node, 'data-kind', service.worst?.kind);
      mark.toggleAttribute('hidden', !service.worst);
      if (!service.worst) return;
      attr(link, 'href', hashOf(service.worst.ref));
      setIcon(mark, `s-${service.worst.state}`);
      text(state, `${service.worst.word}: `);
      const total = service.methods.reduce((n, m) => n + m.live.rate, 0);
      text(traffic, total > 0 ? rate(total) : '');
    },
  };
}
