// The top of the page: which peer is failing, since when, what callers get, what is being refused. Quiet when all is well.

import { el, icon, text, attr, setIcon, share, reconcile } from './dom.js';
import { hashOf } from './route.js';
import { DEAF, announcements, breakerWord, calmWords, incidentKind, incidentLine, incidentWords, kindsWords } from './words.js';
import { clock, plural, span } from './format.js';

const REMEMBER = 10 * 60 * 1000; // an incident that is over stays in sight, for who comes a minute late
// Incidents in sight; the others are in the list of services, troubled first.
const AT_MOST = 5;
const AT_MOST_ON_A_PHONE = 3;
const WINDOW = 10 * 1000; // figures are of so long: for that time those of an incident that is over tell of it
const PROBLEMS = 5; // of the wiring, in sight
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
    for (const [ref, { since, shut }] of this.#seen) {
      if (!incidents.some((x) => x.ref === ref)) this.#over.unshift({ ref, since, shut, seen: now, ...endOf(model, ref, since) });
    }
    this.#over = this.#over.filter((o) => now - o.seen < REMEMBER && !incidents.some((x) => x.ref === o.ref)).slice(0, 3);
    // An incident is shut off as long as it was never anything else.
    this.#seen = new Map(incidents.map((i) => [i.ref, { since: i.since, shut: incidentKind(i, now) === 'shut' && this.#seen.get(i.ref)?.shut !== false }]));

    const lines = announcements(this.#told, incidents, now);
    if (lines.length) text(this.#announce, lines.slice(0, 3).join(' ') + (lines.length > 3 ? ` And ${lines.length - 3} more.` : ''));

    const [state, words] = calmWords(model.totals(), {
      failing: [...model.methods.values()].filter((m) => m.state === 'failing' && !m.incident),
      erring: erring(model).filter((m) => !this.#over.some((o) => o.ref === m.ref && now - o.seen < WINDOW)),
      isUnusual: unusual(model).length > 0, isDeaf: model.isDeaf(), problems: model.problems.length,
    }, now);
    text(this.#calm, words);
    attr(this.#calm, 'data-state', state);
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
    text(this.#pill, kindsWords(incidents, now));
    attr(this.#pill, 'data-kind', incidents.every((i) => incidentKind(i, now) === 'recovering') && 'recovering');

    reconcile(this.#list, this.#views, incidents.slice(0, most), (i) => `${i === incidents[0] ? 'first' : 'more'} ${i.ref}`,
      (i) => (i === incidents[0] ? firstView(i) : lineView(i)),
      (view, i) => view.update(i, now, model.methods.get(i.ref)));
    reconcile(this.#notices, this.#noticeViews, this.#noticesOf(model, most), (n) => n.key,
      (n) => ({ node: el('li', { class: n.loud && 'is-loud' }) }), (view, n) => text(view.node, n.text));
  }

  #noticesOf(model, most) {
    const { incidents, now } = model;
    const notices = [];
    if (incidents.length > most) notices.push({ key: 'more', text: `And ${plural(incidents.length - most, 'more method')}: see the services, troubled first.` });
    for (const b of unusual(model)) {
      const since = Date.parse(b.since);
      notices.push({ key: `breaker ${b.name}`, text: `Breaker ${b.name} is ${breakerWord(b.state)} since ${clock(since, now)}, for ${span(now - since)}.` });
    }
    for (const { ref, since, shut, until, about } of this.#over) {
      if (model.methods.get(ref)?.state === 'failing') continue;
      notices.push({ key: `over ${ref}`, text: `${ref} is well again: it was ${shut ? 'shut off' : 'failing'} from ${clock(since, now)} to ${about}${clock(until, now)}, for ${about}${span(until - since)}.` });
    }
    if (incidents.length && model.isDeaf()) notices.push({ key: 'deaf', loud: true, text: DEAF });
    const { problems } = model;
    const lines = problems.slice(0, PROBLEMS);
    if (problems.length && incidents.length) lines.unshift(`The wiring has ${plural(problems.length, 'problem')}:`);
    if (problems.length > PROBLEMS) lines.push(`And ${plural(problems.length - PROBLEMS, 'more problem')}.`);
    lines.forEach((text, k) => notices.push({ key: `problem ${k}`, loud: true, text }));
    return notices;
  }
}

// When an incident ended, which is noticed later: when its breaker closed, else about when the last attempt failed.
function endOf({ methods, breakers, now }, ref, since) {
  const m = methods.get(ref);
  const closed = (m?.breakers ?? breakers.filter((b) => b.name === ref))
    .filter((b) => b.state === 'closed').map((b) => Date.parse(b.since)).filter((at) => at >= since && at <= now);
  if (closed.length) return { until: Math.max(...closed), about: '' };
  const failed = m?.live.lastErrorAt;
  return { until: failed >= since && failed <= now ? failed : now, about: 'about ' };
}

// Breakers that are not closed and that no incident tells of: those that do not protect because somebody has set them so.
const unusual = ({ breakers, incidents }) => breakers.filter((b) => b.state !== 'closed' && !incidents.some((i) => i.ref === b.name || b.methods?.includes(i.ref)));

// Methods that are not failing, and yet give errors to callers; more errors first.
const erring = (model) => [...model.methods.values()]
  .filter((m) => m.state === 'errors')
  .sort((a, b) => b.live.rate * b.live.errorShare - a.live.rate * a.live.errorShare);

const LONG = 80; // characters of a name that is cut to three lines

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
      attr(link, 'title', i.ref.length > LONG && i.ref);
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
    update(i, now, m) {
      const words = incidentWords(i, now, m?.live);
      head.update(node, words, Boolean(m));
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
  const error = el('q.incident-last');
  const node = el('li.incident-line', { 'data-ref': i.ref }, icon('s-failing', 'mark'), el('span', ...head.parts), rest, error);
  return {
    node,
    update(i, now, m) {
      const words = incidentWords(i, now, m?.live);
      head.update(node, words, Boolean(m));
      attr(node, 'data-breaker', i.breaker || null);
      text(rest, incidentLine(i, now));
      text(error, words.error);
      attr(error, 'title', words.error);
      error.hidden = !words.error;
    },
  };
}
