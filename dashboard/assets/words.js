// What is wrong, in words. All functions are pure: figures in, sentences out.

import { amount, clock, percent, rate, span, until } from './format.js';

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

const VERBS = { failing: 'is failing', recovering: 'is recovering', shut: 'is shut off' };

/** All that a new operator must know of an incident. */
export function incidentWords(i, now) {
  const called = i.callers.succeeded + i.callers.fallback + i.callers.error > 0;
  const refused = refusedWords(i.refused);
  return {
    kind: incidentKind(i, now),
    verb: VERBS[incidentKind(i, now)],
    since: `since ${clock(i.since, now)}, for ${span(now - i.since)}`,
    attempts: i.attemptFailureShare > 0 ? `${percent(i.attemptFailureShare)} fail` : 'none fails',
    error: i.error,
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

/**
 * The one line of a night without incidents; troubled are the methods that give
 * many of their callers errors, worst first; isUnusual tells that some breaker is not as declared.
 */
export function calmWords({ rate: calls, success }, [worst, ...others], isUnusual) {
  const figures = calls > 0 ? `${amount(calls)} calls/s, ${percent(success)} succeed.` : 'No calls in the last 10 s.';
  if (!worst) return `${success >= 0.99 && !isUnusual ? 'All is well.' : 'No method is failing.'} ${figures}`;
  const more = others.length ? `, and ${others.length} more do` : '';
  return `No method is failing, but ${worst.ref} gives errors to ${percent(worst.live.errorShare)} of its callers${more}. In all ${figures}`;
}

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
