// What the page knows: the services of the wiring, and the latest figures of their methods. Views read it and never write it.

import { readWiring, parseRef } from './wiring.js';
import { incidentKind } from './words.js';

// The states of a method, worst first. Their names are the words that the page shows.
const SEVERITY = { failing: 4, errors: 3, retrying: 2, well: 1, idle: 0 };

export const SOME_ERRORS = 0.1; // of the calls; a few are answers that somebody has to live with, such as a declined card
export const MANY_RETRIES = 0.1; // of the attempts: callers do not notice, the peer is not well

/** The state of a method by its figures. Pure. */
export function stateOf(m) {
  if (m.failingSince > 0) return 'failing';
  if (!(m.rate > 0)) return 'idle';
  if (m.errorShare >= SOME_ERRORS) return 'errors';
  return m.attemptFailureShare >= MANY_RETRIES ? 'retrying' : 'well';
}

/** The share of a budget that is left: of what it would pay when none of it were spent. Pure. */
export function budgetLeft(b) {
  const full = (b.reserveSize ?? 0) + (b.settings?.percent ?? 0) * (b.sessions ?? 0);
  return full > 0 ? Math.min(1, b.balance / full) : 0;
}

// The figures of a method that was never called.
const QUIET = {
  calls: 0, rate: 0, attemptRate: 0, retryRate: 0, fallbackRate: 0, errorShare: 0, attemptFailureShare: 0,
  p50Ms: 0, p95Ms: 0, refused: {}, failingSince: 0,
};

export class Model {
  services = [];
  aspects = [];
  problems = [];
  methods = new Map(); // by reference: {ref, name, service, spec, live, state, kind, word, severity, breakers, budgets, incident}
  breakers = [];
  budgets = [];
  incidents = [];
  now = 0; // the server's clock at the last message
  started = 0;
  controls = false;
  structure = 0; // grows when services or methods come or go
  ready = false; // figures have come

  /** Takes a new wiring. The figures stay. */
  setWiring(wiring) {
    const { services, aspects, problems } = readWiring(wiring);
    Object.assign(this, { services, aspects, problems });
    const before = this.methods;
    this.methods = new Map();
    for (const service of services) {
      for (const spec of service.specs) {
        this.#add(service, `${service.ref}@${spec.name}`, spec.name, spec, before);
      }
    }
    for (const { ref, live } of before.values()) if (live !== QUIET && !this.methods.has(ref)) this.#take(live);
    this.structure++;
    this.#link();
  }

  /** Takes a message of the stream. A complete one has all methods that were ever called; the others are quiet. */
  setState(message, complete) {
    if (complete) for (const m of this.methods.values()) m.live = QUIET;
    for (const live of message.methods ?? []) this.#take(live);
    for (const key of ['now', 'started', 'controls', 'breakers', 'budgets', 'incidents']) if (key in message) this[key] = message[key] ?? [];
    this.ready = true;
    this.#link();
  }

  /** Calls and fallbacks in a second, the share of calls without an error for the caller, and all calls since the start. */
  totals() {
    let [rate, errors, fallbacks, calls] = [0, 0, 0, 0];
    for (const { live } of this.methods.values()) {
      rate += live.rate;
      errors += live.rate * live.errorShare;
      fallbacks += live.fallbackRate;
      calls += live.calls;
    }
    return { rate, success: rate > 0 ? 1 - errors / rate : 1, fallbacks, calls };
  }

  /** Whether breakers or budgets have had work and yet no method was ever heard of. */
  isDeaf() {
    return this.ready && ![...this.methods.values()].some((m) => m.live !== QUIET) &&
      (this.budgets.some((b) => b.paid > 0 || b.refused > 0) || this.breakers.some((b) => b.calls > 0 || b.failuresInRow > 0));
  }

  #take(live) {
    let m = this.methods.get(live.ref);
    if (!m) {
      const { service: name, method } = parseRef(live.ref);
      let service = this.services.find((s) => s.ref === name);
      if (!service) this.services.push((service = looseService(this.services.length, name)));
      m = this.#add(service, live.ref, method || 'calls', null, this.methods);
      this.structure++;
    }
    m.live = live;
  }

  #add(service, ref, name, spec, before) {
    const m = { ref, name, service, spec, live: before.get(ref)?.live ?? QUIET, state: 'idle', kind: null, word: 'idle', severity: 0, breakers: [], budgets: [], incident: null };
    if (!this.methods.has(ref)) this.methods.set(ref, m);
    service.methods.push(this.methods.get(ref));
    return m;
  }

  // What is known of a method from elsewhere: its breakers, its budgets, its incident.
  #link() {
    const breakers = byMethod(this.breakers);
    const budgets = byMethod(this.budgets);
    const incidents = new Map(this.incidents.map((i) => [i.ref, i]));
    for (const m of this.methods.values()) {
      m.breakers = breakers.get(m.ref) ?? [];
      m.budgets = budgets.get(m.ref) ?? [];
      m.incident = incidents.get(m.ref) ?? null;
      m.state = m.incident ? 'failing' : stateOf(m.live);
      m.kind = m.incident && incidentKind(m.incident, this.now); // failing, recovering or shut
      m.word = m.kind === 'recovering' ? m.kind : m.state;
      m.severity = SEVERITY[m.state];
    }
    for (const s of this.services) {
      s.worst = s.methods.reduce((worst, m) => (worst && worst.severity >= m.severity ? worst : m), null);
    }
  }
}

// Breakers and budgets that no container knows have no methods; their name is a chain's.
function byMethod(all) {
  const found = new Map();
  for (const one of all) {
    for (const ref of one.methods?.length ? one.methods : [one.name]) {
      if (!found.has(ref)) found.set(ref, []);
      found.get(ref).push(one);
    }
  }
  return found;
}

function looseService(index, ref) {
  return { index, ref, ...parseRef(ref), loose: true, source: null, specs: [], methods: [], needs: [], consumers: [], isAspect: false, worst: null };
}
