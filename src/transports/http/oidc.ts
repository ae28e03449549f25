// Verifies bearer tokens (JWTs) of an OpenID Connect issuer by its public keys, which are cached for ten minutes. If the issuer cannot
// be reached and no fresh keys are cached, no token is accepted.
import { type AuthInfo, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  jwtVerify,
  type RemoteJWKSet,
} from 'jose';
import { z } from 'zod';
import type { Log } from '../../security/audit/log.ts';
import { type Authenticator, infoOf, PRINCIPAL, READ, WRITE } from './tokens.ts';

export interface OidcOptions {
  readonly issuer: string;
  readonly audience: string;
  /** The claim that names the principal. */
  readonly claim: string;
  /** The address by which clients know this server. */
  readonly resource: string;
}

/** The algorithms with a public key. With any other algorithm, whoever verifies tokens could also issue them. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const TIMEOUT_MS = 5_000;
/** The time after a failure in which the issuer is not asked again: anyone can send a text that looks like a token. */
const PAUSE_MS = 5_000;
/** Errors that are the issuer's fault, and not the token's. */
const UNREACHABLE: readonly string[] = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'];
const Discovery = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });
const Scopes = z.union([z.string().transform((text) => text.split(' ')), z.array(z.string())]);

export class OidcAuthenticator implements Authenticator {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly #options: OidcOptions;
  readonly #log: Log;
  readonly #pauseMs: number;
  #keys: Promise<RemoteJWKSet> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(options: OidcOptions, log: Log, pauseMs = PAUSE_MS) {
    this.#options = options;
    this.#log = log;
    this.#pauseMs = pauseMs;
    const { issuer, resource } = options;
    const how = { scopes_supported: [READ, WRITE], bearer_methods_supported: ['header'] };
    this.metadata = { resource, resource_name: 'Config Airlock', authorization_servers: [issuer], ...how };
  }

  reload(): void {
    this.#keys = undefined;
  }

  async verifyAccessToken(token: string): Promise<AuthInfo> {
    const { issuer, audience } = this.#options;
    const required = { issuer, audience, algorithms, clockTolerance: 30, requiredClaims: ['exp'] };
    // This is checked first, so that nobody can make us ask the issuer about a text that is no JWT.
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/u.test(token)) throw invalidToken();
    try {
      const { payload } = await jwtVerify(token, await this.#publicKeys(), required);
      return infoFrom(payload, this.#options.claim);
    } catch (error) {
      if (error instanceof OAuthError) throw error;
      // The answer does not name the exact fault, because that would help somebody who tries tokens.
      if (error instanceof errors.JOSEError && !UNREACHABLE.includes(error.code)) throw invalidToken();
      this.#pause();
      throw new OAuthError(OAuthErrorCode.ServerError, 'The issuer cannot be reached');
    }
  }

  #publicKeys(): Promise<RemoteJWKSet> {
    this.#keys ??= discover(this.#options.issuer, this.#ask).catch((error: unknown) => {
      // A token after the pause tries again.
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }

  /** Asks the issuer, unless it has just failed. Keys that are cached verify tokens meanwhile. */
  readonly #ask: FetchImplementation = async (url, options) => {
    if (this.#isPausing) throw new Error('the issuer has just failed');
    return fetch(url, options);
  };

  get #isPausing(): boolean {
    return performance.now() - this.#failedAt < this.#pauseMs;
  }

  #pause(): void {
    if (this.#isPausing) return;
    this.#failedAt = performance.now();
    this.#log.event('error', 'issuer_unreachable');
  }
}

function infoFrom(payload: JWTPayload, claim: string): AuthInfo {
  const principal = payload[claim];
  // An address that the issuer has not verified may belong to somebody else.
  const isUnverified = claim === 'email' && payload['email_verified'] !== true;
  if (typeof principal !== 'string' || !PRINCIPAL.test(principal) || isUnverified) throw invalidToken();
  return infoOf(principal, Scopes.safeParse(payload['scope'] ?? payload['scp']).data ?? [], payload.exp ?? 0);
}

/** Finds the public keys of an issuer. Throws where it does not answer as that issuer. */
export async function discover(issuer: string, ask: FetchImplementation = fetch): Promise<RemoteJWKSet> {
  const place = `${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration`;
  const response = await ask(place, {
    ...{ method: 'GET', headers: new Headers(), redirect: 'manual' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error('the issuer does not describe itself');
  const found = Discovery.parse(await response.json());
  const keys = new URL(found.jwks_uri);
  const isSafe = keys.protocol === 'https:' || issuer.startsWith('http:');
  if (found.issuer !== issuer || !isSafe)
    throw new Error('this is another issuer, or its keys may be forged');
  return createRemoteJWKSet(keys, { timeoutDuration: TIMEOUT_MS, [customFetch]: ask });
}

function invalidToken(): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, 'The token is not valid here');
}
