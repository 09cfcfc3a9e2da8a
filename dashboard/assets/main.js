// Puts the page together: the stream fills the model, and the views are drawn from it, once for each tick.

import { attr, text } from './dom.js';
import { clock, until, span } from './format.js';
import { Model } from './model.js';
import { openStream } from './stream.js';
import { Incidents } from './incidents.js';
import { Overview } from './overview.js';
import { Detail } from './detail.js';
import { hashOf, watchRoute, clearRoute } from './route.js';
import { watchTheme } from './theme.js';
import { watchKeys } from './keys.js';
import { fillLegend } from './legend.js';

const $ = (id) => document.getElementById(id);

const model = new Model();
const incidents = new Incidents();
const overview = new Overview(() => draw());
const detail = new Detail();
let wanted = ''; // the method that the address asks for
let chosen = ''; // without one, the method that the page shows by itself
let wiringOf = null; // which run of the server the wiring is of
let connected = false;

// One frame for each tick, however many messages it had. A page in the background draws nothing.
let waiting = false;
function draw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    const ref = wanted || chosen;
    const selected = model.methods.get(ref) ?? null;
    attr(document.body, 'data-detail', wanted ? 'open' : null);
    if (model.ready) {
      incidents.render(model);
      text($('clock'), clock(model.now));
    }
    overview.render(model, selected);
    detail.render(model, selected, { withGraph: overview.viewOf(model) === 'list', ref: wanted });
  });
}

// Without a choice of the reader the page shows the worst incident, else the busiest method, and stays with it until another
// incident comes. It does not change under the pointer.
function chooseByItself() {
  if (model.methods.has(chosen) && $('method').matches(':hover')) return;
  const first = model.incidents.find((i) => model.methods.has(i.ref));
  const still = model.methods.has(chosen) && (!first || model.incidents.some((i) => i.ref === chosen));
  if (still) return;
  const busiest = [...model.methods.values()].reduce((best, m) => (!best || m.live.rate > best.live.rate ? m : best), null);
  chosen = first?.ref ?? busiest?.ref ?? '';
}

// Who does something in the panel has chosen what it shows.
function pin(event) {
  if (wanted || !model.methods.has(chosen) || event.key === 'Escape') return;
  wanted = chosen;
  history.replaceState(null, '', hashOf(wanted));
  draw();
}

const stream = openStream('stream', {
  all: (message) => took(message, true),
  tick: (message) => took(message, false),
  method(message) {
    detail.take(message);
    draw();
  },
}, showConnection);

function took(message, complete) {
  model.setState(message, complete);
  if (wiringOf !== model.started) readWiring(model.started);
  incidents.note(model);
  chooseByItself();
  stream.select(wanted || chosen);
  draw();
}

// The wiring is that of a run: after a restart it may be another one.
async function readWiring(started) {
  wiringOf = started;
  try {
    const answer = await fetch('wiring', { cache: 'no-store' });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    model.setWiring(await answer.json());
    chooseByItself();
    stream.select(wanted || chosen);
    draw();
  } catch {
    setTimeout(() => (wiringOf = wiringOf === started ? null : wiringOf), 3000); // a later tick tries again
  }
}

function showConnection({ kind, since, retryAt }) {
  attr(document.body, 'data-connection', kind);
  $('reconnect').hidden = kind !== 'lost';
  // The count of seconds is not for a screen reader, which is told once.
  const left = Math.max(0, retryAt - Date.now());
  text($('connection-text'), kind === 'live' ? 'Live' : kind === 'connecting' ? 'Connecting' : `Connection lost since ${clock(since)}`);
  $('stale').hidden = kind !== 'lost';
  if (kind === 'lost') {
    text($('stale'), `Nothing is known since ${clock(since)}. What you see below is of then.`);
    document.title = 'Connection lost \u00b7 Backstay';
  }
  text($('retry-in'), kind === 'lost' ? `${span(Date.now() - since)} ago, next try ${left ? `in ${until(left)}` : 'now'}` : '');
  if (kind === 'live' && !connected) draw();
  connected = kind === 'live';
}

watchTheme($('theme'));
fillLegend($('key'));
watchKeys({
  onEnter() {
    const m = overview.firstFound(model);
    if (m) location.hash = hashOf(m.ref);
  },
});
for (const type of ['pointerdown', 'keydown', 'wheel', 'focusin']) $('method').addEventListener(type, pin, { capture: true, passive: true });
$('reconnect').addEventListener('click', () => stream.retry());
$('back').addEventListener('click', (event) => {
  event.preventDefault();
  clearRoute();
});
let before = null; // where the list was, for who comes back to it on a phone
watchRoute((ref) => {
  const phone = matchMedia('(max-width: 719px)').matches;
  if (ref && !wanted) before = scrollY;
  wanted = ref;
  stream.select(ref || chosen);
  draw();
  requestAnimationFrame(() => {
    if (phone) scrollTo(0, ref ? 0 : before ?? 0);
    else $('method').scrollTop = 0;
  });
});
