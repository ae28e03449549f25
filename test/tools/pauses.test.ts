// How often a small call lets the event loop turn: what it does in one piece, everybody else at this server waits for.
// Times depend on the machine; the number of pieces does not.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/security/index.ts';
import { openAirlock } from '../../src/server.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { tempRoot } from '../harness/temp-root.ts';

const file = 'a.yaml';
const sets = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ op: 'set', file, path: `key${n}`, value: String(n) }));
const news = (count: number) => sets(count).map((edit) => ({ ...edit, path: `new_${edit.path}` }));

async function pausesOf(name: string, args: Readonly<Record<string, unknown>>): Promise<number> {
  const text = Array.from({ length: 20 }, (_, n) => `key${n}: x\n`).join('');
  const [root, state] = [tempRoot({ [file]: text }), tempRoot()];
  onTestFinished(() => [root, state].forEach((made) => void made.remove()));
  const log = createLog({ level: 'error', format: 'json', file: join(state.dir, 'log') });
  const airlock = openAirlock({ roots: [root.dir], stateDir: join(state.dir, 'state'), log });
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error('no such tool');
  let pauses = 0;
  await tool.run(tool.input.parse(args), {
    ...{ requestId: 'r', caller: { name: 'c', version: '1' }, confirmed: undefined, isolation: 'none' },
    ...{ policy: airlock.policy, sandbox: airlock.sandbox, log: airlock.log, state: airlock.state },
    signal: new AbortController().signal,
    pause: async () => {
      pauses += 1;
    },
    criticalSection: (work) => work(),
    progress: () => undefined,
  });
  return pauses;
}

test.each([
  { what: 'a source that is new: before it', name: 'config_get', args: { file }, least: 1 },
  { what: 'an outline: before it', name: 'config_get', args: { file, view: 'outline' }, least: 1 },
  {
    what: 'a value: before its node, before it and before its text',
    name: 'config_get',
    args: { file, view: 'value' },
    least: 3,
  },
  {
    what: 'a check: before repeated keys, and before the rest',
    name: 'config_validate',
    args: { file },
    least: 2,
  },
  // Before the plan, the proof, the schemas, the warnings and the keeping.
  { what: 'an edit', name: 'config_set', args: { file, path: 'key1', value: '1' }, least: 5 },
  { what: 'ten edits', name: 'config_edit', args: { edits: sets(10) }, least: 23 },
  {
    what: 'ten new keys, each held against the others',
    name: 'config_edit',
    args: { edits: news(10) },
    least: 33,
  },
])('others are heard within $what [SRV-7]', async ({ name, args, least }) => {
  expect(await pausesOf(name, args)).toBeGreaterThanOrEqual(least);
});
