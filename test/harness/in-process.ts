// Our server and a real client in this process, over memory: for tools that only a test has.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { createLog } from '../../src/security/audit/log.ts';
import { createServer, openAirlock } from '../../src/server.ts';
import type { Tool } from '../../src/tools/index.ts';
import { jsonLines } from './json-lines.ts';
import { tempRoot } from './temp-root.ts';

export interface InProcess {
  readonly client: Client;
  /** The state directory. */
  readonly state: string;
  /** What the log holds so far. */
  log(): readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

export async function connectInProcess(tools: readonly Tool[]): Promise<InProcess> {
  const root = tempRoot({ 'a.yaml': 'a: 1\n' });
  const state = tempRoot();
  const stateDir = join(state.dir, 'state');
  const file = join(state.dir, 'log');
  const log = createLog({ level: 'debug', format: 'json', file });
  const server = createServer({ ...(await openAirlock({ roots: [root.dir], stateDir, log })), tools });
  const client = new Client({ name: 'test', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(ours);
  await client.connect(theirs);
  return {
    ...{ client, state: stateDir },
    log: () => jsonLines(readFileSync(file, 'utf8')),
    close: async () => {
      await client.close();
      root.remove();
      state.remove();
    },
  };
}
