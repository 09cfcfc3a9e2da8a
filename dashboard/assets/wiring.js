// Reads the wiring: which services there are, which of their methods are protected, and who needs whom. All functions are
// pure.

/** The parts of a reference: "Class#name@Method" has all three; a chain's name is a class alone. */
export function parseRef(ref) {
  const at = ref.lastIndexOf('@');
  const service = at > 0 ? ref.slice(0, at) : ref;
  const hash = service.indexOf('#');
  return {
    service,
    class: hash > 0 ? service.slice(0, hash) : service,
    name: hash > 0 ? service.slice(hash + 1) : '',
    method: at > 0 ? ref.slice(at + 1) : '',
  };
}

/**
 * The services of an explain.Wiring. Each has its protected methods (specs), the services it needs
 * ({to, fallback}) and the indexes of those that need it.
 */
export function readWiring(wiring) {
  const aspects = wiring?.aspects ?? [];
  const services = (wiring?.services ?? []).map((source, index) => ({
    index,
    ref: source.ref,
    ...pick(parseRef(source.ref)),
    source,
    specs: (source.methods ?? []).filter((m) => m.policies?.length),
    methods: [],
    needs: [],
    consumers: [],
    isAspect: aspects.some((a) => a.service === index),
    worst: null,
  }));
  for (const service of services) {
    for (const need of service.source.needs ?? []) {
      // An aspect stands around the methods and is told there; as an edge it would run against the calls.
      if (need.to < 0 || need.to === service.index || need.kind === 'aspect' || !services[need.to]) continue;
      const fallback = need.kind === 'reference' && /^fallback\b/.test(need.why ?? '');
      const known = service.needs.find((n) => n.to === need.to);
      if (known) known.fallback &&= fallback; // who needs it anyway has a plain edge
      else {
        service.needs.push({ to: need.to, fallback });
        services[need.to].consumers.push(service.index);
      }
    }
  }
  return { services, aspects, problems: wiring?.problems ?? [] };
}

const pick = ({ class: cls, name }) => ({ class: cls, name });

/**
 * The services that are worth a place in the picture: those with protected methods, and of the others those that connect
 * them: that stand between two, need one, or are the fallback of one.
 */
export function connecting(services) {
  const has = (s) => s.methods.length > 0;
  const below = reach(services, services.filter(has), (s) => s.needs.map((n) => n.to));
  const above = reach(services, services.filter(has), (s) => s.consumers);
  return services.filter((s) =>
    has(s) ||
    (!s.isAspect &&
      ((below.has(s.index) && above.has(s.index)) ||
        s.needs.some((n) => has(services[n.to])) ||
        s.consumers.some((c) => services[c].needs.some((n) => n.to === s.index && n.fallback)))));
}

// The indexes of the services that are one step or more from those of start.
function reach(services, start, next) {
  const seen = new Set();
  const todo = start.flatMap(next);
  while (todo.length) {
    const index = todo.pop();
    if (seen.has(index)) continue;
    seen.add(index);
    todo.push(...next(services[index]));
  }
  return seen;
}

/** The indexes of a service and of those that it needs or that need it. */
export function neighbours(services, index) {
  const s = services[index];
  return new Set([index, ...s.consumers, ...s.needs.map((n) => n.to)]);
}
