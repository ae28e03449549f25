// Counts the requests that wait for their answer, so that the end of input can wait for them, and notices the first quiet
// moment. Ids are counted, because a client may use one twice; nobody waits for a cancelled request.

export class PendingRequests {
  readonly #counts = new Map<unknown, number>();
  #onNone: (() => void) | undefined;

  add(id: unknown): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  remove(id: unknown): void {
    const count = this.#counts.get(id) ?? 0;
    if (count > 1) this.#counts.set(id, count - 1);
    else this.#counts.delete(id);
    this.#settle();
  }

  clear(): void {
    this.#counts.clear();
    this.#settle();
  }

  /** Settles when nothing waits any more, or after `patienceMs`. */
  async none(patienceMs: number): Promise<void> {
    if (this.#counts.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.#onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #settle(): void {
    if (this.#counts.size === 0) this.#onNone?.();
  }
}

/** A timer for the first quiet moment; it never keeps a process alive. */
export class IdleTimer {
  /** Settles after the first quiet moment; stays pending where there is none. */
  readonly elapsed: Promise<void>;
  readonly #momentMs: number;
  #settle: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(momentMs: number) {
    this.#momentMs = momentMs;
    this.elapsed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Starts the moment anew, because something has happened. */
  reset(): void {
    if (this.#timer === undefined) this.#timer = setTimeout(this.#settle, this.#momentMs).unref();
    else this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
