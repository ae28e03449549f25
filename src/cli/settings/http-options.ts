// Defines the options of `serve --http`.
import type { Address } from '../../transports/http/index.ts';
import { badValue, count, oneOf, path, single, sizeInBytes, text, toggle } from './option.ts';

export const HTTP_OPTIONS = {
  http: single<Address | undefined>({
    ...{ name: 'http', argument: 'HOST:PORT', default: undefined, read: readAddress, write: addressText },
    help: 'serve over Streamable HTTP there, instead of over stdin and stdout',
  }),
  httpUrl: single<URL | undefined>({
    ...{ name: 'http-url', argument: 'URL', default: undefined, read: readUrl },
    help: 'by which clients come, such as https://config.example.org/mcp',
    unset: 'http://HOST:PORT/mcp',
    write: (url) => url?.href ?? '',
  }),
  httpTokens: path(
    'http-tokens',
    'FILE',
    'who may come: lines of "name scopes expiry sha256:HASH", made by config-airlock token; read again at SIGHUP',
  ),
  oidcIssuer: text(
    'oidc-issuer',
    'URL',
    'or whoever has a token of this OpenID Connect issuer',
    undefined,
    readIssuer,
  ),
  oidcAudience: text('oidc-audience', 'TEXT', 'for whom its tokens have to be issued', 'that of --http-url'),
  oidcPrincipal: single<string>({
    ...{ name: 'oidc-principal', argument: 'CLAIM', default: 'sub', read: String },
    help: 'what in a token names the principal, such as email, which has to be verified then',
  }),
  tlsCert: path('tls-cert', 'FILE', 'certificate chain in PEM; read again at SIGHUP'),
  tlsKey: path('tls-key', 'FILE', 'its key in PEM'),
  behindProxy: toggle('behind-proxy', 'listen beyond loopback without TLS, which a proxy in front provides'),
  httpCallsAtOnce: count('http-calls-at-once', 'calls of one principal at once', 8, 64),
  httpCallsPerMinute: count('http-calls-per-minute', 'calls of one principal in a minute', 600, 1e6),
  httpBodySize: sizeInBytes('http-body-size', 'largest body of a call', 4 * 1024 ** 2),
  metrics: single<Address | undefined>({
    ...{ name: 'metrics', argument: 'HOST:PORT', default: undefined, read: readAddress, write: addressText },
    help: 'answer Prometheus at http://HOST:PORT/metrics; beyond loopback only for a token made with --scope metrics',
  }),
};

/** Options of the command that makes tokens. */
export const SCOPE = oneOf('scope', 'what the token is good for', ['read', 'write', 'metrics'], 'read');
export const DAYS = count('days', 'days until it expires', 90, 3_650);

function addressText(address: Address | undefined): string {
  return address === undefined ? '' : `${address.host}:${address.port}`;
}

function readAddress(given: string): Address {
  const [, host, digits] = /^(\[[\da-f:.]+\]|[a-z\d][a-z\d.-]*):(\d{1,5})$/i.exec(given) ?? [];
  const port = Number(digits);
  if (host === undefined || port > 65_535)
    throw badValue(given, 'expected HOST:PORT, such as 127.0.0.1:8080');
  return { host: host.toLowerCase(), port };
}

function readUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isPlain =
    url !== undefined && /^https?:$/u.test(url.protocol) && `${url.search}${url.hash}${url.username}` === '';
  if (!isPlain) throw badValue(given, 'expected a URL such as https://config.example.org/mcp');
  return url;
}

/** Reads the issuer's URL. It must use https, because without encryption anybody on the way could issue tokens. */
function readIssuer(given: string): string {
  const { protocol, hostname } = readUrl(given);
  if (protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    throw badValue(given, 'expected a URL with https');
  // The text stays as it is, because it must equal the issuer in the tokens exactly.
  return given;
}
