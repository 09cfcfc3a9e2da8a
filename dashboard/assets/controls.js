// Turning a breaker by hand. Each action is confirmed in the page first, with what it will do; what came of it is told.

import { el, text, attr } from './dom.js';
import { clock } from './format.js';

const ACTIONS = [
  { action: 'open', word: 'Force open', asks: 'Every call will be refused until somebody resets it', state: 'force-open', done: 'is forced open' },
  { action: 'close', word: 'Force closed', asks: 'Every call will be admitted and nothing counted until somebody resets it', state: 'force-closed', done: 'is forced closed' },
  { action: 'metrics', word: 'Metrics only', asks: 'Every call will be admitted and counted, and it will not open until somebody resets it', state: 'metrics-only', done: 'only counts' },
  { action: 'reset', word: 'Reset', asks: 'It will forget what it has counted, close, and go on as declared', state: null, done: 'is reset' },
];

let made = 0; // makes the ids of questions unique

/** Sends an action to the server. Throws an error that says why it was not done. */
export async function turn(name, action) {
  const answer = await fetch('breaker', { method: 'POST', body: new URLSearchParams({ name, action }), cache: 'no-store' })
    .catch(() => {
      throw new Error('not done: no connection');
    });
  if (answer.ok) return;
  const reason = (await answer.text().catch(() => '')).trim().split('\n')[0].slice(0, 200);
  throw new Error(`not done, the server answered ${answer.status}${reason ? `: ${reason}` : ''}`);
}

export class BreakerControls {
  #breaker = null;
  #buttons = ACTIONS.map((a) => el('button', { type: 'button', class: 'quiet', 'data-action': a.action, onclick: () => this.#ask(a) }, a.word));
  #row = el('div.controls-row', { role: 'group', 'aria-label': 'Turn the breaker' }, ...this.#buttons);
  #question = el('p', { id: `confirm-${++made}` });
  #yes = el('button', { type: 'button', class: 'danger', 'data-confirm': true, onclick: () => this.#do() });
  #no = el('button', { type: 'button', class: 'quiet', 'data-cancel': true, onclick: () => this.#close() }, 'Cancel');
  #confirm = el('div.confirm', { role: 'alertdialog', 'aria-label': 'Confirm', 'aria-describedby': this.#question.id, hidden: true }, this.#question, this.#yes, this.#no);
  #told = el('p.told', { role: 'status' });
  #asked = null;
  node = el('div.controls', { hidden: true }, this.#row, this.#confirm, this.#told);

  constructor() {
    this.#confirm.addEventListener('keydown', (e) => {
      if (e.key !== 'Escape') return;
      e.stopPropagation(); // it closes this step only
      this.#close();
    });
  }

  update(breaker, allowed) {
    this.#breaker = breaker;
    this.node.hidden = !allowed && this.#confirm.hidden; // what is asked stays until it is answered
    ACTIONS.forEach(({ state }, i) => attr(this.#buttons[i], 'aria-pressed', state === null ? null : String(state === breaker.state)));
  }

  #ask(action) {
    this.#asked = action;
    const methods = this.#breaker.methods ?? [];
    text(this.#question, `${action.word} ${this.#breaker.name}? ${action.asks}${methods.length > 1 ? `, for all ${methods.length} methods that share it` : ''}.`);
    text(this.#yes, action.word);
    text(this.#told, '');
    this.#row.hidden = true;
    this.#confirm.hidden = false;
    this.#no.focus(); // the harmless one: a second Enter by mistake does nothing
  }

  #close() {
    this.#confirm.hidden = true;
    this.#row.hidden = false;
    this.#buttons[ACTIONS.indexOf(this.#asked)]?.focus();
  }

  async #do() {
    const { action, done } = this.#asked;
    const { name } = this.#breaker;
    this.#yes.disabled = true;
    let outcome;
    try {
      await turn(name, action);
      outcome = { done: 'yes', words: `${clock(Date.now())}: breaker ${name} ${done}.` };
    } catch (error) {
      outcome = { done: 'no', words: `${clock(Date.now())}: ${error.message}.` };
    }
    this.#yes.disabled = false;
    this.#close();
    this.#told.dataset.done = outcome.done;
    text(this.#told, outcome.words);
  }
}
