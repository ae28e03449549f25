// Several servers behind one address, which share a folder and a state in PostgreSQL: no request can tell which of them
// answers, and no update is lost. Every other request of a client goes to another server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type AnyClient,
  connectClient,
  GENERATIONS,
  type Generation,
  type Outcome,
  type Person,
} from '../../harness/clients.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../harness/postgres.ts';
import { timesOf } from '../../harness/runs.ts';
import { type HttpServer, lineOf, startHttp, tokenOf } from '../../harness/start-http.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const AGENTS = Array.from({ length: timesOf(20, 50) }, (_, n) => `agent${n}`);
/** Of each agent; a round is three calls that succeed. Before a release they are two thousand in all. */
const ROUNDS = timesOf(2, 14);
const FILES = ['a.yaml', 'b.yaml', 'c.yaml'];
const fileOf = (agent: number): string => `@shop/${FILES[agent % FILES.length]}`;

interface Ground {
  readonly servers: readonly HttpServer[];
  readonly disk: (file: string) => string;
  readonly client: (name: string, generation: Generation, person?: Person) => Promise<AnyClient>;
}

describe.runIf(hasPostgres)('replicas behind one address', () => {
  let postgres: PostgresServer;
  let databases = 0;
  beforeAll(() => {
    postgres = startPostgres();
  });
  afterAll(() => postgres.remove());

  async function start(count: number, flags: readonly string[] = []): Promise<Ground> {
    databases += 1;
    const database = `http${databases}`;
    postgres.sql(`CREATE DATABASE ${database}`);
    const tokens = new Map(AGENTS.map((name) => [name, tokenOf()]));
    const lines = [...tokens].map(([name, token]) =>
      lineOf(name, 'config:read,config:write', '2999-12-31', token),
    );
    const text = AGENTS.map((name) => `${name}: 0\n`).join('');
    const files = Object.fromEntries(FILES.map((name) => [`root/${name}`, text]));
    const place = tempRoot({ tokens: lines.join(''), ...files });
    onTestFinished(() => place.remove());
    const beside = { tokensFile: join(place.dir, 'tokens'), root: join(place.dir, 'root') };
    const state = `postgres://owner@/${database}?host=${postgres.socket}&port=${postgres.port}`;
    const servers: HttpServer[] = [];
    // One after the other: the first makes the tables.
    for (let n = 0; n < count; n += 1) {
      const server = await startHttp(['--state', state, ...flags], { beside });
      onTestFinished(() => server.close());
      servers.push(server);
    }
    let turn = 0;
    const next = (url: string | URL): URL => {
      const to = new URL(url);
      turn += 1;
      to.port = String(servers[turn % count]?.port);
      return to;
    };
    return {
      servers,
      disk: (file) => readFileSync(join(beside.root, file), 'utf8'),
      client: async (name, generation, person) => {
        const Transport = generation === 'v1' ? StreamableHTTPClientTransport : ModernTransport;
        const transport = new Transport(new URL('http://127.0.0.1/mcp'), {
          fetch: (url, init = {}) => fetch(next(url), init),
          requestInit: { headers: { authorization: `Bearer ${tokens.get(name)}` } },
        });
        const client = await connectClient(transport, { client: generation, ...(person && { person }) });
        onTestFinished(() => client.close());
        return client;
      },
    };
  }

  it.each(GENERATIONS)('serve a client of the SDK, %s, as one', async (generation) => {
    const { client, disk } = await start(2);
    const agent = await client('agent1', generation);
    const set = await agent.callTool('config_set', { file: '@shop/a.yaml', path: 'agent1', json: 7 });
    const applied = await agent.callTool('config_apply', { preview_id: set.data['preview_id'] });
    expect([applied.isError, disk('a.yaml')]).toEqual([false, expect.stringContaining('agent1: 7\n')]);
    const again = await agent.callTool('config_apply', { preview_id: set.data['preview_id'] });
    expect(again.text).toContain('PREVIEW_USED');
    const other = await client('agent2', generation);
    const revert = { change_id: applied.data['change_id'], dry_run: false };
    expect((await other.callTool('config_revert', revert)).text).toContain('CHANGE_NOT_FOUND');
    expect((await agent.callTool('config_revert', revert)).isError).toBe(false);
    expect(disk('a.yaml')).toContain('agent1: 0\n');
  });

  it('take the answer to a question that another of them has asked [APR-10]', async () => {
    const { client, disk } = await start(2, ['--approval', 'client']);
    const yes: Person = async () => ({ action: 'accept', content: { apply: true } });
    const agent = await client('agent1', 'v2-modern', yes);
    const set = await agent.callTool('config_set', { file: '@shop/a.yaml', path: 'agent1', json: 7 });
    const applied = await agent.callTool('config_apply', { preview_id: set.data['preview_id'] });
    expect([applied.isError, applied.text]).toEqual([false, expect.stringContaining('Applied')]);
    expect(disk('a.yaml')).toContain('agent1: 7\n');
  });

  it('lose no update of many agents, and record every one [NET-3] [NET-6]', async () => {
    const { client, disk, servers } = await start(3);
    let calls = 0;
    let changes = 0;
    const say = async (agent: AnyClient, tool: string, args: object): Promise<Outcome> => {
      for (;;) {
        calls += 1;
        const outcome = await agent.callTool(tool, { ...args });
        if (!outcome.text.startsWith('BUSY')) return outcome;
      }
    };
    await Promise.all(
      AGENTS.map(async (name, index) => {
        const agent = await client(name, GENERATIONS[index % GENERATIONS.length] ?? 'v1');
        for (let round = 1; round <= ROUNDS; round += 1) {
          const set = { file: fileOf(index), path: name, json: round };
          for (;;) {
            const { data } = await say(agent, 'config_set', set);
            const applied = await say(agent, 'config_apply', { preview_id: data['preview_id'] });
            if (!applied.isError) break;
            expect(applied.text).toMatch(/^FILE_CHANGED/u);
          }
          changes += 1;
          expect((await say(agent, 'config_get', { file: fileOf(index), path: name })).text).toContain(
            `${round}`,
          );
        }
      }),
    );
    const expected = FILES.map((_, file) =>
      AGENTS.map((name, index) => `${name}: ${index % FILES.length === file ? ROUNDS : 0}\n`).join(''),
    );
    expect(FILES.map(disk)).toEqual(expected);
    const applied = Number(
      postgres.sql(`SELECT count(*) FROM config_airlock.trail WHERE type = 'applied'`, `http${databases}`),
    );
    expect(applied).toBe(changes);
    expect(changes).toBe(AGENTS.length * ROUNDS);
    // Each of them has served its part.
    const served = servers.map((server) => server.log().filter(({ event }) => event === 'tool_call').length);
    for (const count of served) expect(count).toBeGreaterThan(0);
    process.stdout.write(
      `${AGENTS.length} agents, ${calls} calls, ${applied} changes, ${served} by server\n`,
    );
  });
});
