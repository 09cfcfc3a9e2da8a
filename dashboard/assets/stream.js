// The connection to the server. An EventSource alone gives up where the answer is an error (a proxy's 502 while the service
// restarts), and does not notice a connection that is open and dead, so opening it again is done here.

const SILENCE = 6000; // the server ticks every second
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;

/**
 * Opens the stream and keeps it open. on has a function for each event's name (all, tick, method); onState gets
 * {kind, since, retryAt}: kind is "connecting", "live" or "lost", since is when the figures stopped, and while lost it is
 * called every second. select(ref) asks for the figures of another method; retry() does not wait any longer.
 */
export function openStream(url, on, onState) {
  let source = null;
  let ref = '';
  let heard = 0; // when the last message came
  let wait = FIRST_WAIT;
  let timer = 0;
  let state = { kind: 'connecting', since: 0, retryAt: 0 };

  const tell = (next) => onState((state = { ...state, ...next }));

  function open() {
    clearTimeout(timer);
    source?.close();
    timer = 0;
    heard = Date.now(); // it gets as long to answer as it may be silent
    source = new EventSource(ref ? `${url}?method=${encodeURIComponent(ref)}` : url);
    source.onerror = lose;
    for (const [name, take] of Object.entries(on)) {
      source.addEventListener(name, (event) => {
        heard = Date.now();
        wait = FIRST_WAIT;
        if (state.kind !== 'live') tell({ kind: 'live', since: 0, retryAt: 0 });
        take(JSON.parse(event.data));
      });
    }
  }

  function lose() {
    source?.close();
    source = null;
    clearTimeout(timer);
    const delay = wait * (0.8 + 0.4 * Math.random()); // a fleet of pages must not come back as one
    wait = Math.min(2 * wait, LONGEST_WAIT);
    timer = setTimeout(open, delay);
    tell({ kind: 'lost', since: state.since || heard || Date.now(), retryAt: Date.now() + delay });
  }

  setInterval(() => {
    if (source && Date.now() - heard > SILENCE) lose();
    else if (state.kind === 'lost') tell({});
  }, 1000);
  addEventListener('pagehide', () => source?.close()); // or the page could not be kept for the back button
  addEventListener('pageshow', (event) => event.persisted && open());

  open();
  return {
    select(next) {
      if (next === ref) return;
      ref = next;
      if (source) open(); // else the next try asks for it
    },
    retry() {
      wait = FIRST_WAIT;
      open();
    },
  };
}
