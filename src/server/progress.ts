// Progress for a client that asked for it, and silence for every other. Never awaited and never
// throws: a client that has gone away may not stop or break a write.
import type { ServerContext } from '@modelcontextprotocol/server';
import type { CallControl } from '../engine/index.ts';

export function progressTo({ mcpReq }: ServerContext): CallControl['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (done, total) => {
    const progress = total === undefined ? { progress: done } : { progress: done, total };
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, ...progress } })
      .catch(() => undefined);
  };
}
