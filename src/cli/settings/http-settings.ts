// Turns settings into the options of the HTTP transport. Options that exclude or need each other are checked here.
import { readOperatorFile } from '../../security/policy/operator-file.ts';
import type { HttpOptions } from '../../transports/http/index.ts';
import { HTTP_OPTIONS } from './http-options.ts';
import type { Option } from './option.ts';
import type { Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';

const ALL: readonly Option<unknown>[] = Object.values(HTTP_OPTIONS);

/** Returns the options; undefined if stdin and stdout are served. Throws UsageError for options that do not go together. */
export function httpOptions(settings: Settings): HttpOptions | undefined {
  const get = <Value>(option: Option<Value>): Value => settings.of(option).value;
  const address = get(HTTP_OPTIONS.http);
  if (address === undefined) {
    const given = ALL.find((option) => settings.of(option).from !== 'default');
    if (given !== undefined) throw new UsageError(`--${given.name} goes with --http HOST:PORT`);
    return undefined;
  }
  return {
    ...address,
    url: get(HTTP_OPTIONS.httpUrl),
    authentication: authenticationIn(get),
    certificate: certificateIn(get),
    isBehindProxy: get(HTTP_OPTIONS.behindProxy),
    limits: { atOnce: get(HTTP_OPTIONS.httpCallsAtOnce), perMinute: get(HTTP_OPTIONS.httpCallsPerMinute) },
    maxBodyBytes: get(HTTP_OPTIONS.httpBodySize),
    metrics: get(HTTP_OPTIONS.metrics),
  };
}

type Get = <Value>(option: Option<Value>) => Value;

function authenticationIn(get: Get): HttpOptions['authentication'] {
  const [tokens, issuer] = [get(HTTP_OPTIONS.httpTokens), get(HTTP_OPTIONS.oidcIssuer)];
  // Only one source of principals is allowed, because the same name could mean different people in two sources.
  if ((tokens === undefined) === (issuer === undefined))
    throw new UsageError(
      '--http needs either --http-tokens FILE or --oidc-issuer URL: nobody is served unknown',
    );
  if (issuer === undefined) return { tokens: tokens ?? '' };
  return { issuer, audience: get(HTTP_OPTIONS.oidcAudience), claim: get(HTTP_OPTIONS.oidcPrincipal) };
}

function certificateIn(get: Get): HttpOptions['certificate'] {
  const [cert, key] = [get(HTTP_OPTIONS.tlsCert), get(HTTP_OPTIONS.tlsKey)];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new UsageError('--tls-cert and --tls-key go together');
  return () => ({ cert: readOperatorFile(cert), key: readOperatorFile(key) });
}
