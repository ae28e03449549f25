// Verifies bearer tokens by the operator's file, which has a line for each token: its holder, its scopes, its expiry, and its hash. A
// token is 256 random bits, so that nobody can find it by its hash.
import { timingSafeEqual } from 'node:crypto';
import {
  type AuthInfo,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokenVerifier,
} from '@modelcontextprotocol/server';
import type { Log } from '../../security/audit/log.ts';
import { ignoring } from '../../security/errors/refusal.ts';
import { StartError } from '../../security/errors/start-error.ts';
import { readOperatorFile } from '../../security/policy/operator-file.ts';
import { quoted } from '../../security/text/visible.ts';
import { sha256Hex } from '../../state/canonical.ts';

export const READ = 'config:read';
export const WRITE = 'config:write';
/** The scope for the metrics; it lets nobody read or change a file. */
export const METRICS = 'metrics:read';
/** The name of a principal: one word that is recorded and shown. It does not begin with #, which begins a comment in the file. */
export const PRINCIPAL = /^(?!#)[^\s\p{C}]{1,200}$/u;

/** Verifies a token. Returns its holder as `clientId`, its scopes and its expiry. */
export interface Authenticator extends OAuthTokenVerifier {
  /** The issuer of tokens by RFC 9728; undefined if the operator makes them. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Returns when each token ends, in seconds since 1970; undefined if they are not known here. */
  expiries?(): readonly number[];
  /** Reads again what the operator may have changed. */
  reload(): void;
}

/** Describes a verified token without the token itself. Whoever may write may also read. */
export function infoOf(principal: string, scopes: readonly string[], expiresAt: number): AuthInfo {
  const ours = [READ, WRITE, METRICS].filter(
    (scope) => scopes.includes(scope) || (scope === READ && scopes.includes(WRITE)),
  );
  return { token: '', clientId: principal, scopes: ours, expiresAt };
}

interface Holder {
  /** The hash of the token. */
  readonly hash: Buffer;
  readonly info: AuthInfo;
}

const LINE = /^(\S+)\s+(\S+)\s+(\S+)\s+sha256:([0-9a-f]{64})$/u;
const EXPIRY = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d)?Z)?$/u;

export class TokenFile implements Authenticator {
  readonly #file: string;
  readonly #log: Log;
  #holders: readonly Holder[];

  /** Reads the file. Throws StartError where it cannot be used. */
  constructor(file: string, log: Log) {
    this.#file = file;
    this.#log = log;
    this.#holders = readTokens(file);
  }

  /** Reads the file again. A token that is no longer in it is refused. While the file cannot be used, every token is refused. */
  reload(): void {
    const holders = ignoring('all', () => readTokens(this.#file));
    this.#holders = holders ?? [];
    if (holders === undefined) this.#log.event('error', 'tokens_unusable');
    else this.#log.event('info', 'tokens_read', { count: holders.length });
  }

  expiries(): readonly number[] {
    return this.#holders.map(({ info }) => info.expiresAt ?? 0);
  }

  async verifyAccessToken(token: string): Promise<AuthInfo> {
    const given = Buffer.from(sha256Hex(token), 'hex');
    // All hashes are compared in constant time, so that the time tells nothing about any of them.
    const [holder] = this.#holders.filter(({ hash }) => timingSafeEqual(hash, given));
    if (holder === undefined)
      throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is not valid here');
    return holder.info;
  }
}

/** Returns the holders that a tokens file names. Throws StartError where it cannot be used. */
export function principalsIn(file: string): readonly string[] {
  return readTokens(file).map(({ info }) => info.clientId);
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
  if (!scopes.every((scope) => [READ, WRITE, METRICS].includes(scope)))
    return `has other scopes than ${READ}, ${WRITE}, ${METRICS}`;
  return Number.isNaN(secondsOf(expiry))
    ? 'has no expiry such as 2027-01-31 or 2027-01-31T12:00Z'
    : undefined;
}

/** Returns the expiry in seconds, as OAuth counts; a day counts to its end. */
function secondsOf(expiry: string): number {
  const [whole, time] = EXPIRY.exec(expiry) ?? [];
  return Date.parse(whole ?? '') / 1_000 + (time === undefined ? 86_400 : 0);
}
