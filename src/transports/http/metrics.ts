// Serves metrics for Prometheus on a separate listener: the number, duration and failures of the calls of each tool. No label comes from
// a file, an argument or a person.
import { getRequestListener } from '@hono/node-server';
import { hostHeaderValidationResponse, requireBearerAuth } from '@modelcontextprotocol/server';
import type { Histogram, Registry } from 'prom-client';
import { type Listener, type ListenOptions, listen } from '../../listener/listen.ts';
import { type Airlock, onCall } from '../../server.ts';
import { refusal } from './endpoint.ts';
import { plainOnly } from './plain-request.ts';
import { type Authenticator, METRICS } from './tokens.ts';

interface MetricsOptions extends Pick<ListenOptions, 'host' | 'port' | 'bounds' | 'certificate'> {
  /** The host names that need no token; undefined if other machines can connect. */
  readonly loopback: readonly string[] | undefined;
  readonly authenticator: Authenticator;
  readonly state: Airlock['state'];
}

const LABELS = ['mcp_method_name', 'gen_ai_tool_name', 'error_type', 'config_airlock_code'] as const;
/** The boundaries in seconds that OpenTelemetry's conventions give. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Starts to serve metrics. Throws StartError where it cannot listen. */
export async function serveMetrics(options: MetricsOptions): Promise<Listener> {
  const { loopback, authenticator: verifier, host, port, bounds, certificate } = options;
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  const duration = new prometheus.Histogram({
    name: 'mcp_server_operation_duration_seconds',
    help: 'Calls of tools, by their duration',
    labelNames: LABELS,
    buckets: BUCKETS,
    registers: [registry],
  });
  await measureOnDemand(registry, options);
  const authenticate = requireBearerAuth({ verifier, requiredScopes: [METRICS] });
  const answer = async (request: Request): Promise<Response> => {
    const refused =
      loopback === undefined
        ? await authenticate(request)
        : hostHeaderValidationResponse(request, [...loopback]);
    if (refused instanceof Response) return refused;
    if (request.method !== 'GET' || new URL(request.url).pathname !== '/metrics')
      return refusal(404, 'there is nothing at this address');
    return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
  };
  const serve = getRequestListener(answer, { overrideGlobalObjects: false });
  const listener = await listen({ ...{ host, port, bounds, certificate }, onRequest: plainOnly(serve) });
  const stopCounting = countCalls(duration);
  return {
    ...listener,
    close: () => {
      stopCounting();
      listener.close();
    },
  };
}

/** The days for which tokens that end by then are counted. */
const DAYS = [0, 7, 30, 90];
const DAY_SECONDS = 86_400;

/** Registers what is looked up when it is asked for: the queue of the reviewers, and the tokens that end soon. */
async function measureOnDemand(
  registry: Registry,
  { state, authenticator }: Pick<MetricsOptions, 'state' | 'authenticator'>,
): Promise<void> {
  const { Gauge } = await import('prom-client');
  const registers = [registry];
  if (state !== undefined) {
    const agesInSeconds = async (): Promise<readonly number[]> => {
      const now = Date.now();
      return (await state.store.waiting())
        .filter(({ approval, isDecided }) => approval === 'human' && !isDecided)
        .map(({ createdAt }) => (now - Date.parse(createdAt)) / 1_000);
    };
    new Gauge({
      name: 'config_airlock_waiting_previews',
      help: 'Previews that wait for a reviewer',
      registers,
      async collect() {
        this.set((await agesInSeconds()).length);
      },
    });
    new Gauge({
      name: 'config_airlock_oldest_waiting_seconds',
      help: 'Age of the oldest preview that waits for a reviewer; 0 if none waits',
      registers,
      async collect() {
        this.set(Math.max(0, ...(await agesInSeconds())));
      },
    });
  }
  if (authenticator.expiries === undefined) return;
  new Gauge({
    name: 'config_airlock_tokens',
    help: 'Tokens that have ended, or end within these days',
    labelNames: ['days'],
    registers,
    collect() {
      const now = Date.now() / 1_000;
      const ends = authenticator.expiries?.() ?? [];
      for (const days of DAYS)
        this.set({ days: `${days}` }, ends.filter((end) => end <= now + days * DAY_SECONDS).length);
      this.set({ days: '+Inf' }, ends.length);
    },
  });
}

function countCalls(duration: Histogram<(typeof LABELS)[number]>): () => void {
  return onCall((event) =>
    duration.observe(
      {
        mcp_method_name: event['mcp.method.name'],
        gen_ai_tool_name: event['gen_ai.tool.name'],
        error_type: event['error.type'] ?? '',
        config_airlock_code: event['config_airlock.code'] ?? '',
      },
      event['mcp.server.operation.duration'],
    ),
  );
}
