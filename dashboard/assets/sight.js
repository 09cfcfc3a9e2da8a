// Which of many rows are written in a tick: those in sight, and of the others a tenth, so that all of them are right soon, for
// a screen reader too. Six hundred methods then cost little more than sixty.

const SHARE = 10;

export class Sight {
  #views = new Map(); // by node
  #seen = new Set();
  #turn = 0;
  #observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const view = this.#views.get(target);
      if (!view || !isIntersecting) this.#seen.delete(view);
      else {
        this.#seen.add(view);
        view.update();
      }
    }
  }, { rootMargin: '100px' });

  /** Watches these views, {node, update, ...}, and no others. */
  watch(views) {
    const wanted = new Map(views.map((v) => [v.node, v]));
    for (const [node, view] of this.#views) {
      if (wanted.get(node) === view) continue;
      this.#observer.unobserve(node);
      this.#seen.delete(view);
    }
    for (const node of wanted.keys()) if (!this.#views.has(node)) this.#observer.observe(node);
    this.#views = wanted;
  }

  /** Updates those whose turn it is. */
  update() {
    this.#turn = (this.#turn + 1) % SHARE;
    let i = 0;
    for (const view of this.#views.values()) if (this.#seen.has(view) || i++ % SHARE === this.#turn) view.update();
  }
}
