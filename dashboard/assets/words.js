// What is wrong, in words. All functions are pure: figures in, sentences out.

import { amount, clock, percent, plural, rate, span, until } from './format.js';

/** The word for each state of a breaker. */
export const BREAKER = {
  closed: 'closed', open: 'open', 'half-open': 'half-open',
  'force-open': 'forced open', 'force-closed': 'forced closed', 'metrics-only': 'metrics only',
};

/** The word for the state of a breaker; of one that is not known, what the server says. */
export const breakerWord = (state) => BREAKER[state] ?? state;

/** The state of a breaker as a sentence without its subject. */
export function breakerWords(state, retryInMs) {
  switch (state) {
    case 'open': return retryInMs > 0 ? `open, next probe in ${until(retryInMs)}` : 'open, a probe is due';
    case 'half-open': return 'half-open, probing';
    case 'force-open': return 'forced open: refuses every call until it is reset';
    case 'force-closed': return 'forced closed: admits every call, counts nothing';
    case 'metrics-only': return 'metrics only: admits every call and counts';
    case '': case undefined: return 'none';
    default: return breakerWord(state);
  }
}

// What each limit refuses, and who is speaking.
const LIMITS = {
  circuitBreaker: ['calls', 'by the breaker'],
  budget: ['retries', 'by the budget'],
  maxAttempts: ['retries', 'beyond maxAttempts'],
  deadline: ['retries', 'for lack of time'],
  timeout: ['retries', 'by the timeout'],
  nested: ['retries', 'because a session inside gave up'],
  once: ['retries', 'of calls that may be tried once'],
  beforeRetry: ['retries', 'by the beforeRetry hook'],
};
const LIMIT_ORDER = Object.keys(LIMITS);

/** What is being refused, by limit: ["31.2 retries/s by the budget", ...]. */
export function refusedWords(refused) {
  const place = (limit) => (LIMIT_ORDER.includes(limit) ? LIMIT_ORDER.indexOf(limit) : LIMIT_ORDER.length);
  return Object.entries(refused ?? {})
    .filter(([, n]) => n > 0)
    .sort(([a], [b]) => place(a) - place(b))
    .map(([limit, n]) => {
      const [what, who] = LIMITS[limit] ?? ['', `by ${limit}`];
      return what ? `${amount(n)}\u00a0${what}/s ${who}` : `${rate(n)} ${who}`;
    });
}

/** What callers get: [{kind: "fallback", share: 0.9, text: "90% the fallback Invoice@Charge"}, ...]. */
export function callerWords(callers, fallback) {
  return [
    { kind: 'answer', share: callers.succeeded, words: 'answers' },
    { kind: 'fallback', share: callers.fallback, words: fallback ? `the fallback ${fallback}` : 'a fallback' },
    { kind: 'error', share: callers.error, words: 'errors' },
  ].filter(({ kind, share }) => kind !== 'fallback' || share > 0 || fallback)
    .map(({ words, ...part }) => ({ ...part, text: `${percent(part.share)} ${words}` }));
}

/** What an incident is: failing, recovering, or shut by an operator. Figures are of 10 s, so one that has just begun still has good ones. */
export function incidentKind(i, now) {
  if (i.breaker === 'force-open') return 'shut';
  return i.attemptFailureShare >= 0.5 || i.breaker === 'open' || now - i.since < 10000 ? 'failing' : 'recovering';
}

const VERBS = { failing: 'is failing', shut: 'is shut off', recovering: 'is recovering' };

/** How many incidents there are of each kind: "2 failing, 1 recovering"; "" without any. */
export function kindsWords(incidents, now) {
  const kinds = incidents.map((i) => incidentKind(i, now));
  return Object.keys(VERBS).filter((kind) => kinds.includes(kind))
    .map((kind) => `${kinds.filter((k) => k === kind).length} ${VERBS[kind].slice(3)}`).join(', ');
}

function attemptsWords(i, live) {
  if (i.attemptFailureShare > 0) return `${percent(i.attemptFailureShare)} fail`;
  return live?.attemptRate > 0 ? 'none fails' : 'none in the last 10 s';
}

/** All that a new operator must know of an incident; live are the figures of its method, where there are any. */
export function incidentWords(i, now, live) {
  const called = i.callers.succeeded + i.callers.fallback + i.callers.error > 0;
  const refused = refusedWords(i.refused);
  const kind = incidentKind(i, now);
  return {
    kind,
    verb: VERBS[kind],
    since: `since ${clock(i.since, now)}, for ${span(now - i.since)}`,
    attempts: attemptsWords(i, live),
    error: kind === 'shut' && !(i.attemptFailureShare > 0) ? '' : i.error, // what a peer said before is not why it is shut off
    callers: called ? callerWords(i.callers, i.fallback) : [],
    refused: refused.length ? refused : ['nothing'],
    breaker: breakerWords(i.breaker, i.retryInMs),
  };
}

/** An incident in one line, for the list below the first and for a screen reader. */
export function incidentLine(i, now) {
  const words = incidentWords(i, now);
  const parts = words.callers.filter((c) => c.share > 0).map((c) => c.text);
  return [
    parts.length ? `callers get ${parts.join(', ')}` : 'no calls in the last 10 s',
    words.refused[0] === 'nothing' ? '' : `refused: ${words.refused.join(', ')}`,
    i.breaker ? `breaker ${words.breaker}` : '',
  ].filter(Boolean).join(' · ');
}

/** What callers get who get no error. Answers are the peer's own: a fallback's are told apart. */
export const answerWords = (share, fallbacks) => `${percent(share)} get ${fallbacks > 0 ? 'an answer or the fallback' : 'an answer'}`;

/**
 * The one line that stands where no incident does, and how it looks: "well", "waiting" where that cannot be said, or "errors".
 * totals are those of the model. failing are methods in trouble that are no incident, erring those that give many of their
 * callers errors, both worst first; isUnusual tells that some breaker is not as declared, isDeaf that there are calls of which
 * nothing is heard, problems how many the wiring has.
 */
export function calmWords({ rate: calls, success, fallbacks, calls: all }, { failing, erring, isUnusual, isDeaf, problems }, now) {
  const figures = calls > 0 ? `${amount(calls)} calls/s, ${answerWords(success, fallbacks)}.` : 'No calls in the last 10 s.';
  const more = (others, verb) => (others.length ? `, and ${others.length} more ${verb}` : '');
  if (problems) return ['errors', `The wiring has ${plural(problems, 'problem')}${all ? `. ${figures}` : ': nothing runs.'}`];
  if (isDeaf) return ['errors', DEAF];
  if (!all) return ['waiting', 'No calls yet.'];
  if (failing.length) {
    const [{ ref, live }, ...others] = failing;
    return ['errors', `${ref} has trouble since ${clock(live.failingSince, now)}${more(others, 'have')}. In all ${figures}`];
  }
  if (erring.length) {
    const [{ ref, live }, ...others] = erring;
    return ['errors', `No method is failing, but ${ref} gave errors to ${percent(live.errorShare)} of its callers in the last 10 s${more(others, 'did')}. In all ${figures}`];
  }
  return ['well', `${success >= 0.99 && !isUnusual ? 'All is well.' : 'No method is failing.'} ${figures}`];
}

/** What is said where a container is at work and the page does not hear of it. */
export const DEAF = 'Nothing is heard: is the dashboard a listener of the container? container.WithListener(board)';

const QUIET_FOR = 15000; // between two announcements of one breaker, which may flap every second

/**
 * What to tell a screen reader: incidents that have begun or ended, and breakers that have changed, not what they count.
 * told is what it knows, a Map by reference that this function keeps up to date.
 */
export function announcements(told, incidents, now) {
  const lines = [];
  for (const i of incidents) {
    const known = told.get(i.ref);
    if (!known) {
      told.set(i.ref, { since: i.since, breaker: i.breaker, at: now });
      lines.push(`${i.ref} ${VERBS[incidentKind(i, now)]} since ${clock(i.since, now)}; ${incidentLine(i, now)}.`);
    } else if (known.breaker !== i.breaker && now - known.at >= QUIET_FOR) {
      Object.assign(known, { breaker: i.breaker, at: now });
      lines.push(`The breaker of ${i.ref} is ${breakerWord(i.breaker)}.`);
    }
  }
  for (const [ref, known] of told) {
    if (incidents.some((i) => i.ref === ref)) continue;
    told.delete(ref);
    lines.push(`${ref} is well again after ${span(now - known.since)}.`);
  }
  return lines;
}
