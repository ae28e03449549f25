// The same kinds of attack on the reference file server, for the table of `npm run test:security`, which installs
// it. Says nothing about what must come of them: it makes other promises, and has no list of denied names.
import { existsSync, linkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { count } from '../harness/figures.ts';
import { CANARY, type Ground, makeGround } from '../security/attacks/ground.ts';
import { CONTESTS, FILE, hold } from '../security/races/contest.ts';
import { countRace } from '../security/races/racing.ts';

const PEER = '../../scripts/security-peer/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
const SERVER = fileURLToPath(new URL(PEER, import.meta.url));
const ATTEMPTS = { reads: 1_000, writes: 300 };

type Call = (name: string, args: Readonly<Record<string, unknown>>) => Promise<string>;

async function serving(root: string): Promise<Call> {
  const client = new Client({ name: 'attacker', version: '1' });
  onTestFinished(() => client.close());
  const started = new StdioClientTransport({
    command: process.execPath,
    args: [SERVER, root],
    cwd: root,
    stderr: 'ignore',
  });
  await client.connect(started);
  return async (name, args) => {
    const { isError, content } = await client.callTool({ name, arguments: { ...args } });
    return `${isError === true ? 'refused' : 'ok'} ${JSON.stringify(content)}`;
  };
}

const DENIED = ['.env', '.npmrc', '.git/config', '.ssh/id_rsa', 'secrets/db.yaml', 'tls/server.key'];

function prepared(): Ground {
  const ground = makeGround();
  onTestFinished(() => ground.remove());
  for (const file of DENIED) ground.write(`root/${file}`, `a: ${CANARY}\n`);
  const at = (name: string): string => join(ground.root, name);
  symlinkSync(join(ground.base, 'outside/s.yaml'), at('link.yaml'));
  symlinkSync(join(ground.base, 'outside'), at('folder'));
  symlinkSync('/proc/self/root', at('machine'));
  linkSync(join(ground.base, 'outside/s.yaml'), at('hard.yaml'));
  return ground;
}

const pathsOf = ({ base }: Ground): readonly string[] => [
  ...['../outside/s.yaml', 'a/../../outside/s.yaml', 'link.yaml', 'folder/s.yaml', 'hard.yaml'],
  ...[`${base}/outside/s.yaml`, `${base}/root-evil/s.yaml`, `${base}/root/../outside/s.yaml`],
  ...[
    `file://${base}/outside/s.yaml`,
    `machine${base}/outside/s.yaml`,
    `/proc/self/root${base}/outside/s.yaml`,
  ],
  ...DENIED,
];

describe.skipIf(!existsSync(SERVER))('the reference server', () => {
  it('is asked for paths, links and denied names', async () => {
    const ground = prepared();
    const call = await serving(ground.root);
    for (const path of pathsOf(ground)) {
      const edits = [{ oldText: 'a: ', newText: 'b: ' }];
      const calls: readonly [string, Readonly<Record<string, unknown>>][] = [
        ['read_text_file', { path }],
        ['edit_file', { path, edits, dryRun: true }],
        ['write_file', { path, content: `a: ${CANARY}, written\n` }],
      ];
      for (const [name, args] of calls) {
        const before = ground.sentinels().join('\n');
        const reply = await call(name, args);
        count('attacks', 1, 'peer');
        count('refused', reply.startsWith('refused') ? 1 : 0, 'peer');
        count('canaries leaked', reply.includes(CANARY) ? 1 : 0, 'peer');
        count('escapes', ground.sentinels().join('\n') === before ? 0 : 1, 'peer');
      }
    }
    expect(await call('read_text_file', { path: join(ground.root, 'ok.yaml') })).toContain('a: 1');
  });

  it.each(CONTESTS)('races while $name', async (contest) => {
    const outcome = await hold(contest, async ({ root }, judge) => {
      const call = await serving(root);
      const path = join(root, FILE);
      for (let i = 0; i < ATTEMPTS.reads; i += 1) judge(await call('read_text_file', { path }));
      for (let i = 0; i < ATTEMPTS.writes; i += 1) await call('write_file', { path, content: 'a: inside\n' });
    });
    countRace(outcome, ATTEMPTS, 'peer');
    expect(outcome.swaps).toBeGreaterThan(0);
  });
});
