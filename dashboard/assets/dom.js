// Helpers that write to the page, and only what has changed: a page that is left open all night must cost next to nothing
// on the ticks in which nothing happens. Data goes in by text nodes and attributes only, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Makes an HTML element: el('span.count', {title: 'calls'}, 'three'). The properties may be left out; on* are listeners, and a
 * value or a child that is null, undefined or false is none.
 */
export const el = (name, ...rest) => make((tag) => document.createElement(tag), name, rest);

/** Makes an SVG element, in the same way. */
export const svg = (name, ...rest) => make((tag) => document.createElementNS(SVG, tag), name, rest);

function make(create, name, children) {
  const [tag, ...classes] = name.split('.');
  const node = create(tag);
  node.classList.add(...classes);
  const props = children[0]?.constructor === Object ? children.shift() : {};
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

/** Makes an icon from one of the page's symbols. It is decoration: a word says the same. */
export function icon(id, className) {
  return svg('svg', { class: className, 'aria-hidden': 'true', focusable: 'false' }, svg('use', { href: `#${id}` }));
}

/** The key of a chart: kinds is [[kind, word], ...], the kind as in the style sheet. */
export const legend = (kinds) => el('span.legend', ...kinds.map(([kind, word]) => el('span.legend-item', el(`i.swatch.swatch-${kind}`), word)));

/** Points an icon to another symbol. */
export function setIcon(node, id) {
  attr(node.firstElementChild, 'href', `#${id}`);
}

/** Sets the text of a node that holds nothing but text. */
export function text(node, value) {
  const now = node.firstChild;
  if (now === null) {
    if (value !== '') node.textContent = value;
  } else if (now.nodeType !== 3 || now.data !== value) node.textContent = value;
}

/** Sets an attribute, or takes it away where the value is null or false. */
export function attr(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const written = value === true ? '' : String(value);
  if (node.getAttribute(name) !== written) node.setAttribute(name, written);
}

/** Sets a share from 0 to 1 as the custom property --v, which the style sheet draws as a length. */
export function share(node, value) {
  const written = String(Math.round(Math.min(1, Math.max(0, value || 0)) * 100) / 100);
  if (node.dataset.v === written) return;
  node.dataset.v = written;
  node.style.setProperty('--v', written);
}

/**
 * Makes the children of parent those of items, in their order, and touches only what is new, gone or moved.
 * kept maps a key to what create has returned, an object with a node.
 */
export function reconcile(parent, kept, items, keyOf, create, update) {
  const wanted = new Map(items.map((item) => [keyOf(item), item]));
  for (const [key, view] of kept) {
    if (wanted.has(key)) continue;
    view.node.remove();
    kept.delete(key);
  }
  const places = new Map([...parent.children].map((node, i) => [node, i]));
  const views = [...wanted].map(([key, item]) => kept.get(key) ?? kept.set(key, create(item)).get(key));
  const staying = rising(views.map((v) => places.get(v.node) ?? -1));
  let after = null;
  for (let i = views.length - 1; i >= 0; i--) {
    if (!staying.has(i)) parent.insertBefore(views[i].node, after);
    after = views[i].node;
  }
  if (update) [...wanted.values()].forEach((item, i) => update(views[i], item));
}

/** The indexes of a longest rising run among the numbers, of those that are not negative: what may stay where it is. Pure. */
export function rising(numbers) {
  const ends = []; // of the best run of each length, the index of its last number
  const before = [];
  numbers.forEach((n, i) => {
    if (n < 0) return;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]] < n) low = middle + 1;
      else high = middle;
    }
    before[i] = ends[low - 1];
    ends[low] = i;
  });
  const run = new Set();
  for (let i = ends.at(-1); i !== undefined; i = before[i]) run.add(i);
  return run;
}
