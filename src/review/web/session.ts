// Decides who may use the page: the browser that opened it with the secret from the terminal, which works once. After that, a cookie
// identifies the browser, and a token in each form shows that the form is ours. Both end with the session.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const MAX_WRONG_SECRETS = 10;
const SECRET_LIFETIME_MS = 10 * 60_000;
const MAX_IDLE_MS = 30 * 60_000;
const MAX_SESSION_MS = 8 * 60 * 60_000;

export const COOKIE_NAME = 'airlock_review';

export class Session {
  readonly secret = randomBytes(24).toString('base64url');
  /**
   * The first part of every address. Cookies are bound to hosts, not ports: with a path that nobody can guess, the browser
   * sends ours to no other server on this machine.
   */
  readonly base = `/${randomBytes(16).toString('hex')}`;
  /** The token in every form; another site cannot read it. */
  readonly formToken = randomBytes(32).toString('base64url');
  readonly #cookie = randomBytes(32).toString('base64url');
  readonly #now: () => number;
  readonly #bornAt: number;
  #wrong = 0;
  #openedAt: number | undefined;
  #usedAt: number;

  /** Starts a session; `now` answers milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now;
    this.#bornAt = now();
    this.#usedAt = this.#bornAt;
  }

  /** Returns the cookie; undefined for a wrong secret. The right one also fails after its first use, after its time, or after too many wrong ones. */
  enter(secret: string): string | undefined {
    const isRight = isSame(secret, this.secret);
    const isOpen =
      this.#openedAt === undefined &&
      this.#wrong < MAX_WRONG_SECRETS &&
      this.#now() - this.#bornAt < SECRET_LIFETIME_MS;
    if (!isRight) this.#wrong += 1;
    if (!isRight || !isOpen) return undefined;
    this.#openedAt = this.#now();
    this.#usedAt = this.#openedAt;
    return this.#cookie;
  }

  /** Checks the Cookie header as it came. The right cookie counts as use of the session where a person has asked. */
  admits(cookies: string | undefined, isUse = true): boolean {
    const found = (cookies ?? '').split(';').map((pair) => pair.trim().split('='));
    const values = found.flatMap(([name, value]) => (name === COOKIE_NAME ? [value ?? ''] : []));
    // If there are two cookies of this name, somebody else has set one of them.
    const [value] = values;
    if (this.#openedAt === undefined || value === undefined || values.length !== 1) return false;
    if (!isSame(value, this.#cookie) || this.hasEnded()) return false;
    if (isUse) this.#usedAt = this.#now();
    return true;
  }

  isOurForm(token: string | undefined): boolean {
    return token !== undefined && isSame(token, this.formToken);
  }

  /** True if the session has ended. The process then drops the key. */
  hasEnded(): boolean {
    const now = this.#now();
    if (this.#openedAt === undefined)
      return now - this.#bornAt >= SECRET_LIFETIME_MS || this.#wrong >= MAX_WRONG_SECRETS;
    return now - this.#usedAt >= MAX_IDLE_MS || now - this.#openedAt >= MAX_SESSION_MS;
  }
}

/** Compares in a time that reveals neither how much is right nor how long the expected text is. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text, 'utf8').digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
