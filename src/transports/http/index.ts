// Serves an airlock over Streamable HTTP to clients with a token. It listens on loopback only, unless the operator says what protects
// the connection. At the end it answers the requests that have come.
import { getRequestListener } from '@hono/node-server';
import { type Bounds, type Certificate, type Listener, listen } from '../../listener/listen.ts';
import type { Log } from '../../security/audit/log.ts';
import { StartError } from '../../security/errors/start-error.ts';
import { type Airlock, forManyClients } from '../../server.ts';
import { createApp } from './app.ts';
import { type CallLimits, Limits } from './limits.ts';
import { serveMetrics } from './metrics.ts';
import { discover, OidcAuthenticator } from './oidc.ts';
import { plainOnly } from './plain-request.ts';
import { type Authenticator, TokenFile } from './tokens.ts';

export { METRICS, PRINCIPAL, principalsIn, READ, WRITE } from './tokens.ts';

export interface Address {
  /** The host as in a URL: `127.0.0.1`, `[::1]`. */
  readonly host: string;
  /** The port; 0 means any that is free. */
  readonly port: number;
}

export interface HttpOptions extends Address {
  /** The address that clients use, where it differs from the one that is listened on. */
  readonly url: URL | undefined;
  readonly authentication:
    | { readonly tokens: string }
    | { readonly issuer: string; readonly audience: string | undefined; readonly claim: string };
  /** Reads the certificate from its files. */
  readonly certificate: (() => Certificate) | undefined;
  readonly isBehindProxy: boolean;
  readonly limits: CallLimits;
  readonly maxBodyBytes: number;
  /** The address for metrics, if they are served. */
  readonly metrics?: Address | undefined;
}

export interface HttpService {
  /** The address that clients use. */
  readonly url: string;
  /** Reads the tokens and the certificate again. */
  reload(): void;
  /** Accepts no new requests, answers those that have come, and settles when that is done. */
  end(): Promise<void>;
}

const BOUNDS: Bounds = {
  ...{ connections: 1_000, requestsPerConnection: 100_000 },
  // A proxy keeps its connections for about a minute. A call may have to wait for those before it.
  ...{ requestMs: 30_000, keepAliveMs: 75_000, silenceMs: 600_000 },
};
const DRAIN_MS = 20_000;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** True if the issuer of the tokens answers, or there is no issuer. */
export async function reachesIssuer({ authentication }: HttpOptions): Promise<boolean> {
  if (!('issuer' in authentication)) return true;
  return discover(authentication.issuer).then(
    () => true,
    () => false,
  );
}

/** Starts to serve. Throws StartError for options that are not safe, and where it cannot listen. */
export async function serveOverHttp(airlock: Airlock, options: HttpOptions): Promise<HttpService> {
  const { log } = airlock;
  const { host, certificate, metrics } = options;
  requireProtected(options, '--http', options);
  if (metrics !== undefined) requireProtected(metrics, '--metrics', options);
  const hostnames = hostnamesOf(options);
  const scheme = certificate === undefined ? 'http' : 'https';
  const urlAt = (port: number) => options.url ?? new URL(`${scheme}://${host}:${port}/mcp`);
  const authenticator = authenticatorFor(options, log);
  const served = await forManyClients(airlock);
  let isEnding = false;
  const limits = new Limits(options.limits);
  const app = createApp({
    ...{
      airlock: served,
      authenticator,
      limits,
      url: urlAt(options.port),
      hostnames,
      isEnding: () => isEnding,
    },
    maxBodyBytes: options.maxBodyBytes,
  });
  // Converting a request fails only where it is malformed.
  const errorHandler = () => new Response(null, { status: 400 });
  const answer = getRequestListener(
    (request, { outgoing: out }) =>
      app.fetch(request, (done) => void (out.destroyed ? done() : out.once('close', done))),
    { overrideGlobalObjects: false, errorHandler },
  );
  const metricsListener = metrics && (await metricsAt(metrics, options, authenticator, airlock));
  const listener = await listen({
    ...{ host: listenAddress(host), port: options.port, bounds: BOUNDS },
    certificate: certificate?.(),
    onRequest: plainOnly(answer),
  }).catch((error: unknown) => {
    metricsListener?.close();
    throw error;
  });
  log.notice('info', 'listening', { transport: scheme, port: listener.port });
  return {
    url: urlAt(listener.port).href,
    reload: () => {
      authenticator.reload();
      const isRenewed =
        certificate === undefined ||
        [listener, ...(metricsListener === undefined ? [] : [metricsListener])].every(({ renew }) =>
          renew(certificate),
        );
      if (!isRenewed) log.event('error', 'certificate_unusable');
    },
    end: async () => {
      isEnding = true;
      listener.stop();
      await limits.idle(DRAIN_MS);
      await app.close();
      listener.close();
      metricsListener?.close();
      await served.shared.refusedWrites.flush();
    },
  };
}

/** Throws StartError where tokens would be sent unprotected. */
function requireProtected(
  { host }: Address,
  option: string,
  { certificate, isBehindProxy }: HttpOptions,
): void {
  if (LOOPBACK.includes(host) || certificate !== undefined || isBehindProxy) return;
  throw new StartError(
    `${option}: ${host} can be reached from elsewhere, and tokens would travel in the clear: give --tls-cert and --tls-key, or --behind-proxy where a proxy does that`,
  );
}

/** Returns the allowed host names. Throws StartError where nobody could call it. */
function hostnamesOf({ host, url }: HttpOptions): readonly string[] {
  const isLoopback = LOOPBACK.includes(host);
  const isAny = host === '0.0.0.0' || host === '[::]';
  if (isAny && url === undefined)
    throw new StartError(`--http: ${host} is no address that clients call; give theirs with --http-url`);
  const own = isLoopback ? LOOPBACK : [host];
  return [...(url === undefined ? [] : [url.hostname]), ...(isAny ? [] : own)];
}

/** Returns the address to listen at. `localhost` is not looked up, because the system's host names could point elsewhere. */
function listenAddress(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host.replace(/^\[|\]$/gu, '');
}

async function metricsAt(
  { host, port }: Address,
  { certificate }: HttpOptions,
  authenticator: Authenticator,
  { log, state }: Airlock,
): Promise<Listener> {
  const metrics = await serveMetrics({
    ...{
      host: listenAddress(host),
      port,
      bounds: BOUNDS,
      certificate: certificate?.(),
      authenticator,
      state,
    },
    loopback: LOOPBACK.includes(host) ? LOOPBACK : undefined,
  });
  log.notice('info', 'metrics_listening', { port: metrics.port });
  return metrics;
}

function authenticatorFor({ authentication, url }: HttpOptions, log: Log): Authenticator {
  if ('tokens' in authentication) return new TokenFile(authentication.tokens, log);
  if (url === undefined)
    throw new StartError('--oidc-issuer needs --http-url: tokens are issued for the address of this server');
  const { issuer, claim, audience = url.href } = authentication;
  return new OidcAuthenticator({ issuer, claim, audience, resource: url.href }, log);
}
