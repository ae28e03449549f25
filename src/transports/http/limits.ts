// Limits the calls of one principal at once and in a minute, so that no principal keeps the others from being served. It also limits the
// calls of all principals at once, because each needs memory.

export interface CallLimits {
  readonly atOnce: number;
  readonly perMinute: number;
}

/** The limit of calls at once for all principals together. */
const MAX_CALLS_AT_ONCE = 64;

interface Account {
  open: number;
  /** The calls that may begin at this moment; refilled with time. */
  available: number;
  at: number;
}

export class Limits {
  readonly #limits: CallLimits;
  readonly #accounts = new Map<string, Account>();
  #open = 0;
  #onIdle: () => void = () => undefined;

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  /** Admits a call, and answers the function that ends it; or the reason for a refusal, and after how many seconds to ask again. */
  enter(principal: string): (() => void) | { status: 429 | 503; reason: string; seconds: number } {
    const { atOnce, perMinute } = this.#limits;
    const now = performance.now();
    const account = this.#accounts.get(principal) ?? { open: 0, available: perMinute, at: now };
    this.#accounts.set(principal, account);
    account.available = Math.min(perMinute, account.available + ((now - account.at) / 60_000) * perMinute);
    account.at = now;
    if (account.open >= atOnce) return { status: 429, reason: `at most ${atOnce} calls at once`, seconds: 1 };
    const seconds = Math.ceil((60 / perMinute) * (1 - account.available));
    if (seconds > 0) return { status: 429, reason: `at most ${perMinute} calls a minute`, seconds };
    if (this.#open >= MAX_CALLS_AT_ONCE) return { status: 503, reason: 'too many calls at once', seconds: 1 };
    account.available -= 1;
    account.open += 1;
    this.#open += 1;
    return () => {
      account.open -= 1;
      this.#open -= 1;
      if (this.#open === 0) this.#onIdle();
    };
  }

  /** Settles when no call is open, or after `timeoutMs`. */
  async idle(timeoutMs: number): Promise<void> {
    if (this.#open === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      setTimeout(resolve, timeoutMs).unref();
    });
  }
}
