// What is declared for a method: its policies, each setting with where it was written, and the aspects around it.

import { el } from './dom.js';
import { tableBox, tableParts } from './table.js';

/** Builds the section of a method; it changes only with the wiring. */
export function policySection(m, aspects) {
  const { spec, service } = m;
  if (!spec) {
    return [el('p.none', 'It is a chain or was woven elsewhere: the wiring does not tell of its policies.')];
  }
  const parts = [
    el('p.sub', 'Policies, in the order in which they are asked'),
    el('ol.chips', ...(spec.policies ?? []).map((p) => el('li', p))),
    table('Settings', ['Setting', 'Value', 'Written in'], (spec.attributes ?? []).map((a) => [a.key, a.value, a.origin]), 'is-settings'),
  ];
  if (spec.aspects?.length) {
    parts.push(el('p.sub', 'Around it, outermost first'),
      table('Aspects', ['Aspect', 'Priority', 'Pointcut', 'Given in'],
        spec.aspects.map((a) => [a.name, String(a.priority), a.pointcut, a.place ?? aspects[a.aspect]?.place ?? '']), 'is-aspects'));
  }
  if (spec.annotations?.length) {
    parts.push(el('p.sub', 'Annotations, nearest first'),
      table('Annotations', ['Annotation', 'Settings', 'Written in'], spec.annotations.map((a) => [a.type, a.settings ?? '', notes(a)]), 'is-annotations'));
  }
  parts.push(el('p.sub', 'Service'), facts(service));
  return parts;
}

function notes(a) {
  const all = [a.place];
  if (a.configured?.length) all.push(`set by ${a.configured.join(', ')}`);
  if (a.offBy) all.push(`turned off by ${a.offBy}`);
  return all.join('; ');
}

function facts({ source }) {
  const known = [
    ['Class', source.class],
    ['Provided as', (source.provided ?? []).join(', ')],
    ['Group', source.group],
    ['Lifetime', source.lifetime],
    ['Registered', `${source.origin} at ${source.place}`],
    ['Replaced by', source.override],
    ['Decorated at', (source.decorators ?? []).join(', ')],
    ['Proxy', source.proxy],
  ];
  return el('dl.facts', ...known.filter(([, value]) => value).map(([name, value]) => el('div', el('dt', name), el('dd', value))));
}

const table = (caption, heads, rows, className) => tableBox(caption, el('table', { class: className }, ...tableParts(caption, heads, rows)), 'is-open');
