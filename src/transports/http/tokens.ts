// Who gets in. The operator's file names who holds which token, what it is good for and until when; it has no token itself,
// only its hash. A token is 256 random bits, so that nobody finds it by its hash.
import { timingSafeEqual } from 'node:crypto';
import {
  type AuthInfo,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokenVerifier,
} from '@modelcontextprotocol/server';
import { ignoring, type Log, quoted, readOperatorFile, StartError, sha256Hex } from '../../security/index.ts';

export const READ = 'config:read';
export const WRITE = 'config:write';
/** One word that is recorded and shown. A line of the file that begins with # is a comment. */
export const PRINCIPAL = /^(?!#)[^\s\p{C}]{1,200}$/u;

/** Says whose a token is, as its `clientId`, for what and until when. */
export interface Authenticator extends OAuthTokenVerifier {
  /** Who issues tokens, by RFC 9728; undefined where only the operator does. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Looks again at what the operator may have changed. */
  reload(): void;
}

/** Of a token that was verified; the token itself goes no further. Nobody can edit what they may not read. */
export function infoOf(principal: string, scopes: readonly string[], expiresAt: number): AuthInfo {
  const ours = [READ, WRITE].filter((scope) => scopes.includes(scope) || scopes.includes(WRITE));
  return { token: '', clientId: principal, scopes: ours, expiresAt };
}

interface Holder {
  /** Of the token. */
  readonly hash: Buffer;
  readonly info: AuthInfo;
}

const LINE = /^(\S+)\s+(\S+)\s+(\S+)\s+sha256:([0-9a-f]{64})$/u;
const EXPIRY = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d)?Z)?$/u;

export class TokenFile implements Authenticator {
  readonly #file: string;
  readonly #log: Log;
  #holders: readonly Holder[];

  /** Throws StartError for a file that cannot be used. */
  constructor(file: string, log: Log) {
    this.#file = file;
    this.#log = log;
    this.#holders = readTokens(file);
  }

  /** Whoever is off the list no longer gets in; nobody does while the file cannot be used. */
  reload(): void {
    const holders = ignoring('all', () => readTokens(this.#file));
    this.#holders = holders ?? [];
    if (holders === undefined) this.#log.event('error', 'tokens_unusable');
    else this.#log.event('info', 'tokens_read', { count: holders.length });
  }

  async verifyAccessToken(token: string): Promise<AuthInfo> {
    const given = Buffer.from(sha256Hex(token), 'hex');
    // Every hash is compared as a whole: how long that takes tells nothing about any of them.
    const [holder] = this.#holders.filter(({ hash }) => timingSafeEqual(hash, given));
    if (holder === undefined)
      throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is not valid here');
    return holder.info;
  }
}

function readTokens(file: string): readonly Holder[] {
  const holders = new Map<string, Holder>();
  for (const [index, line] of readOperatorFile(file).split(/\r?\n/u).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, principal = '', scopes = '', expiry = '', hash = ''] = LINE.exec(line.trimEnd()) ?? [];
    const fault =
      faultIn(principal, scopes.split(','), expiry) ?? (holders.has(hash) ? 'repeats a token' : undefined);
    if (fault !== undefined)
      throw new StartError(`cannot use the tokens file ${quoted(file)}: line ${index + 1} ${fault}`);
    const info = infoOf(principal, scopes.split(','), secondsOf(expiry));
    holders.set(hash, { hash: Buffer.from(hash, 'hex'), info });
  }
  return [...holders.values()];
}

function faultIn(principal: string, scopes: readonly string[], expiry: string): string | undefined {
  if (!PRINCIPAL.test(principal)) return 'is not "NAME SCOPES EXPIRY sha256:HASH"';
  if (!scopes.every((scope) => scope === READ || scope === WRITE))
    return `has other scopes than ${READ}, ${WRITE}`;
  return Number.isNaN(secondsOf(expiry))
    ? 'has no expiry such as 2027-01-31 or 2027-01-31T12:00Z'
    : undefined;
}

/** As OAuth counts. A day counts to its end. */
function secondsOf(expiry: string): number {
  const [whole, time] = EXPIRY.exec(expiry) ?? [];
  return Date.parse(whole ?? '') / 1_000 + (time === undefined ? 86_400 : 0);
}
