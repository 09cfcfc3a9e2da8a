// Numbers and times as an operator reads them, in the reader's own locale. All functions are pure.

const NBSP = '\u00a0'; // a number and its unit stay on one line
const digits = [0, 1, 2].map((n) => new Intl.NumberFormat(undefined, { minimumFractionDigits: n, maximumFractionDigits: n }));
const percents = [0, 1].map((n) => new Intl.NumberFormat(undefined, { style: 'percent', minimumFractionDigits: n, maximumFractionDigits: n }));
const shortest = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const clockOf = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const dayOf = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const fullOf = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** A whole number: "1,234". */
export const count = (n) => digits[0].format(n ?? 0);

/** A large whole number in a small place: "99,999", "422K". */
export const total = (n) => (n < 100000 ? digits[0] : compact).format(n ?? 0);

/** A number of something that need not be whole: "0", "1.2", "31", "12.3K". */
export function amount(n) {
  if (!n) return digits[0].format(0);
  if (n < 0.05) return `<${digits[1].format(0.1)}`;
  if (n < 99.95) return digits[1].format(n);
  return n < 9999.5 ? digits[0].format(n) : compact.format(n);
}

/** A rate: "69.8/s". */
export const rate = (n) => `${amount(n)}/s`;

/** A share of 1 in percent. What is not quite nothing and not quite all is never shown as that: "<0.1%", "99.9%". */
export function percent(x) {
  if (!(x > 0)) return percents[0].format(0);
  if (x >= 1) return percents[0].format(1);
  if (x < 0.001) return `<${percents[1].format(0.001)}`;
  if (x < 0.0995) return percents[1].format(x);
  return x > 0.99 ? percents[1].format(Math.floor(x * 1000) / 1000) : percents[0].format(x);
}

/** How long a call takes or a setting says, from milliseconds: "0.4 ms", "480 ms", "1.24 s", "10 s". */
export function latency(ms) {
  if (ms > 0 && ms < 0.05) return `<${digits[1].format(0.1)}${NBSP}ms`;
  if (ms < 999.5) return `${ms < 9.95 ? shortest.format(Math.round(ms * 10) / 10) : digits[0].format(ms)}${NBSP}ms`;
  return ms < 59950 ? `${shortest.format(ms / 1000)}${NBSP}s` : span(ms);
}

/** How long calls took, where there were any: what is rounded to nothing is not shown as that. */
export const timed = (ms, any) => (any || ms > 0 ? latency(ms || 0.01) : '\u2013');

/** How long until something, from milliseconds: "0.8 s", "12 s". */
export const until = (ms) => (ms < 9950 ? `${digits[1].format(Math.max(0, ms) / 1000)}${NBSP}s` : span(ms));

/** How long something has lasted, from milliseconds, in its two largest units: "47 s", "1 min 12 s", "2 h 5 min". */
export function span(ms) {
  const s = Math.max(0, Math.floor(ms / 1000));
  const units = [[Math.floor(s / 86400), 'd'], [Math.floor(s / 3600) % 24, 'h'], [Math.floor(s / 60) % 60, 'min'], [s % 60, 's']];
  const first = units.findIndex(([n]) => n > 0);
  if (first < 0) return `0${NBSP}s`;
  return units.slice(first, first + 2).filter(([n]) => n > 0).map(([n, unit]) => digits[0].format(n) + NBSP + unit).join(' ');
}

/** A moment as the clock on the wall: "23:41:07", and on another day than now "29 Nov, 23:41:07". */
export function clock(ms, now = Date.now()) {
  const at = new Date(ms);
  const time = clockOf.format(at);
  return at.toDateString() === new Date(now).toDateString() ? time : `${dayOf.format(at)}, ${time}`;
}

/** A moment in full, for a hover text. */
export const moment = (ms) => fullOf.format(new Date(ms));

/** "1 service", "9 services". */
export const plural = (n, word, words = `${word}s`) => `${count(n)} ${n === 1 ? word : words}`;
