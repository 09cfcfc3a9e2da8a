// Which methods are shown, and in which order. All functions are pure.

/** Whether a method or service is what was typed: each word occurs somewhere in the text, in any case. */
export function matches(query, text) {
  const found = text.toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => found.includes(word));
}

/** The text by which a method is found: its reference, its service's types and import path. */
export const searched = (m) => `${m.ref} ${m.service.source?.class ?? ''} ${(m.service.source?.provided ?? []).join(' ')}`;

/** Whether a method needs somebody's eye: it is not well, or its breaker is not closed. */
export const isTroubled = (m) => m.severity > 1 || m.breakers.some((b) => b.state !== 'closed');

/** How much trouble a method is, as one number to sort by. It changes with states, not with each figure. */
export const rank = (m) => 2 * m.severity + (isTroubled(m) ? 1 : 0);

const byName = (a, b) => (a.ref < b.ref ? -1 : a.ref > b.ref ? 1 : 0);
const ORDERS = {
  trouble: (a, b) => rank(b) - rank(a) || b.live.rate * b.live.errorShare - a.live.rate * a.live.errorShare || byName(a, b),
  traffic: (a, b) => b.live.rate - a.live.rate || byName(a, b),
  name: byName,
};

/** The methods to list: those that match, in the order asked for ("trouble", "traffic", "name"). */
export function listed(methods, { query, troubledOnly, sort }) {
  return methods
    .filter((m) => (!troubledOnly || isTroubled(m)) && (!query || matches(query, searched(m))))
    .sort(ORDERS[sort] ?? byName);
}
