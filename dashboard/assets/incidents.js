// The top of the page: which peer is failing, since when, what callers get, what is being refused. Quiet when all is well.

import { el, icon, text, attr, setIcon, share, reconcile } from './dom.js';
import { hashOf } from './route.js';
import { announcements, breakerWord, calmWords, incidentLine, incidentWords } from './words.js';
import { clock, plural, span } from './format.js';

const REMEMBER = 10 * 60 * 1000; // an incident that is over stays in sight, for who comes a minute late
// Incidents in sight; the others are in the list of services, troubled first.
const AT_MOST = 5;
const AT_MOST_ON_A_PHONE = 3;
const phone = matchMedia('(max-width: 719px)');

export class Incidents {
  #list = document.getElementById('incident-list');
  #calm = document.getElementById('calm');
  #notices = document.getElementById('notices');
  #announce = document.getElementById('announce');
  #pill = document.getElementById('pill');
  #views = new Map();
  #noticeViews = new Map();
  #told = new Map();
  #seen = new Map();
  #over = [];

  /** Keeps the books and tells a screen reader and the tab's title. It runs in the background too. */
  note(model) {
    const { incidents, now } = model;
    for (const [ref, i] of this.#seen) {
      if (!incidents.some((x) => x.ref === ref)) this.#over.unshift({ ref, since: i.since, until: now });
    }
    this.#over = this.#over.filter((o) => now - o.until < REMEMBER && !incidents.some((x) => x.ref === o.ref)).slice(0, 3);
    this.#seen = new Map(incidents.map((i) => [i.ref, i]));

    const lines = announcements(this.#told, incidents, now);
    if (lines.length) text(this.#announce, lines.slice(0, 3).join(' ') + (lines.length > 3 ? ` And ${lines.length - 3} more.` : ''));

    const troubled = erring(model);
    text(this.#calm, calmWords(model.totals(), troubled, unusual(model).length > 0));
    attr(this.#calm, 'data-state', troubled.length ? 'errors' : 'well');
    const [first, ...more] = incidents;
    const title = first ? `${first.ref} ${incidentWords(first, now).verb}${more.length ? ` (+${more.length})` : ''}` : this.#calm.textContent.split(/[.,]/)[0];
    if (document.title !== `${title} \u00b7 Backstay`) document.title = `${title} \u00b7 Backstay`;
    attr(document.getElementById('favicon'), 'href', incidents.length ? 'assets/favicon-alert.svg' : 'assets/favicon.svg');
  }

  render(model) {
    const { incidents, now } = model;
    const most = phone.matches ? AT_MOST_ON_A_PHONE : AT_MOST;
    this.#calm.hidden = incidents.length > 0;
    this.#pill.hidden = incidents.length === 0;
    text(this.#pill, incidents.length ? `${incidents.length} failing` : '');

    reconcile(this.#list, this.#views, incidents.slice(0, most), (i) => `${i === incidents[0] ? 'first' : 'more'} ${i.ref}`,
      (i) => (i === incidents[0] ? firstView(i) : lineView(i)),
      (view, i) => view.update(i, now, model.methods.has(i.ref)));
    reconcile(this.#notices, this.#noticeViews, this.#noticesOf(model, most), (n) => n.key,
      () => ({ node: el('li') }), (view, n) => text(view.node, n.text));
  }

  #noticesOf(model, most) {
    const { incidents, now } = model;
    const notices = [];
    if (incidents.length > most) notices.push({ key: 'more', text: `And ${plural(incidents.length - most, 'more method')}: see the services, troubled first.` });
    for (const b of unusual(model)) {
      const since = Date.parse(b.since);
      notices.push({ key: `breaker ${b.name}`, text: `Breaker ${b.name} is ${breakerWord(b.state)} since ${clock(since, now)}, for ${span(now - since)}.` });
    }
    for (const { ref, since, until } of this.#over) {
      notices.push({ key: `over ${ref}`, text: `${ref} is well again: it was failing from ${clock(since, now)} to ${clock(until, now)}, for ${span(until - since)}.` });
    }
    const { problems } = model;
    if (problems.length) notices.push({ key: 'problems', text: `The wiring has ${plural(problems.length, 'problem')}: ${problems.slice(0, 3).join('; ')}` });
    return notices;
  }
}

// Breakers that are not closed and that no incident tells of: those that do not protect because somebody has set them so.
const unusual = ({ breakers, incidents }) => breakers.filter((b) => b.state !== 'closed' && !incidents.some((i) => i.ref === b.name || b.methods?.includes(i.ref)));

// Methods that are not failing, and yet give errors to callers; more errors first.
const erring = (model) => [...model.methods.values()]
  .filter((m) => m.state === 'errors')
  .sort((a, b) => b.live.rate * b.live.errorShare - a.live.rate * a.live.errorShare);

// Which method it is, and since when.
function headline(i) {
  const link = el('a.incident-ref');
  const verb = el('span');
  const since = el('span.incident-since');
  return {
    parts: [link, ' ', verb, ' ', since],
    update(node, words, known) {
      attr(node, 'data-kind', words.kind);
      text(link, i.ref);
      attr(link, 'href', known && hashOf(i.ref)); // a breaker that no method is known of has no page
      text(verb, words.verb);
      text(since, words.since);
    },
  };
}

// The first incident, which must be read in ten seconds.
function firstView(i) {
  const head = headline(i);
  const kinds = ['error', 'fallback', 'answer'];
  const bars = kinds.map((kind) => el(`i.bar-${kind}`));
  const callers = el('span');
  const errors = el('strong');
  const bar = el('span.outcome', { 'aria-hidden': 'true' }, ...bars);
  const refused = el('dd.incident-refused');
  const picture = icon('b-open', 'switch-icon');
  const breaker = el('span');
  const attempts = el('span');
  const error = el('q.incident-error');
  const pair = (name, what, className = 'div') => el(className, el('dt', name), what);
  const node = el('li.incident', { 'data-ref': i.ref },
    el('h3', icon('s-failing', 'mark'), ...head.parts),
    el('dl',
      pair('Callers get, in the last 10 s', el('dd', bar, callers, errors), 'div.incident-callers'),
      pair('Refused', refused),
      pair('Breaker', el('dd.incident-breaker', picture, breaker)),
      pair('Attempts', el('dd', attempts, error))));
  return {
    node,
    update(i, now, known) {
      const words = incidentWords(i, now);
      head.update(node, words, known);
      attr(node, 'data-breaker', i.breaker || null);
      const [last, ...others] = words.callers.toReversed(); // the errors
      bar.hidden = !last;
      kinds.forEach((kind, k) => share(bars[k], words.callers.find((c) => c.kind === kind)?.share));
      text(callers, last ? `${others.toReversed().map((c) => c.text).join(', ')}, ` : 'no calls');
      text(errors, last?.text ?? '');
      text(refused, words.refused.join('\n'));
      text(breaker, words.breaker);
      picture.toggleAttribute('hidden', !i.breaker);
      setIcon(picture, `b-${i.breaker || 'closed'}`);
      text(attempts, words.error ? `${words.attempts}; the last error: ` : words.attempts);
      text(error, words.error);
      attr(error, 'title', words.error);
      error.hidden = !words.error;
    },
  };
}

function lineView(i) {
  const head = headline(i);
  const rest = el('span.incident-rest');
  const node = el('li.incident-line', { 'data-ref': i.ref }, icon('s-failing', 'mark'), el('span', ...head.parts), rest);
  return {
    node,
    update(i, now, known) {
      head.update(node, incidentWords(i, now), known);
      attr(node, 'data-breaker', i.breaker || null);
      text(rest, incidentLine(i, now));
    },
  };
}
