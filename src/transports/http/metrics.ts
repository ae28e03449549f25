// Serves metrics for Prometheus on a separate listener: the number, duration and failures of the calls of each tool. No label comes from
// a file, an argument or a person.
import { getRequestListener } from '@hono/node-server';
import { hostHeaderValidationResponse, requireBearerAuth } from '@modelcontextprotocol/server';
import type { Histogram } from 'prom-client';
import { type Listener, type ListenOptions, listen } from '../../listener/index.ts';
import { onCall } from '../../server.ts';
import { refusal } from './endpoint.ts';
import { plainOnly } from './plain-request.ts';
import { type Authenticator, METRICS } from './tokens.ts';

interface MetricsOptions extends Pick<ListenOptions, 'host' | 'port' | 'bounds' | 'certificate'> {
  /** The host names that need no token; undefined where other machines can connect. */
  readonly loopback: readonly string[] | undefined;
  readonly authenticator: Authenticator;
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
