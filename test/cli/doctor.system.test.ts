// `doctor`, the built command: what it finds, with what mends it, and that it leaves nothing behind but a record.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { CLI } from '../harness/start-process.ts';
import { record, trailOf, withDatabase } from '../harness/state.ts';
import { tempRoot } from '../harness/temp-root.ts';

const TEXT = 'name: shop # ours\nreplicas: 2\n';
const place = tempRoot({
  'root/a.yaml': TEXT,
  'json/a.json': '{"a":1}\n',
  'bare/notes.pdf': 'x',
  'team/.config-airlock.yaml': 'root: .\nallow: ["deploy/**"]\npolicy: .config-airlock-policy.yaml\n',
  'team/.config-airlock-policy.yaml':
    'default: preview\nrules: [{ id: notes, ops: [comment], then: direct }]\n',
  'team/deploy/web.yaml': TEXT,
  'denied.yaml': 'default: deny\n',
});
afterAll(() => place.remove());
const at = (name: string): string => join(place.dir, name);
const STATE = ['--state-dir', at('state')];

const Report = z.strictObject({
  ok: z.boolean(),
  findings: z.array(
    z.strictObject({
      check: z.string(),
      status: z.enum(['ok', 'warning', 'fault']),
      message: z.string().min(1),
      fix: z.string().min(1).optional(),
    }),
  ),
});

function run(args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: at('home') };
  return spawnSync(process.execPath, [CLI, 'doctor', ...args], { encoding: 'utf8', env, cwd: place.dir });
}

function found(args: readonly string[]) {
  const { status, stdout, stderr } = run([...args, '--json']);
  const { findings } = Report.parse(JSON.parse(stdout));
  // Whoever runs the tests may be root, which is a warning of its own.
  const others = findings.filter(({ check }) => check !== 'user');
  return { status, stderr, findings, bad: others.filter(({ status: how }) => how !== 'ok') };
}

const all = [
  'node',
  'user',
  'options',
  'containment',
  'masking',
  'patterns',
  'state',
  'audit',
  'clock',
  'server',
  'roots',
];

it('a server that works has all checks, and a preview of it is made and dropped', () => {
  const { bad, findings, status, stderr } = found(['--root', at('root'), ...STATE]);
  expect(bad).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual([...all, 'preview']);
  expect([stderr, status]).toEqual(['', 0]);
  expect(readFileSync(at('root/a.yaml'), 'utf8')).toBe(TEXT);
  expect(trailOf(at('state')).map(({ type }) => type)).toEqual(['previewed']);
  expect(run(['--root', at('root'), ...STATE]).stdout).toMatch(/^ok {7}preview: A preview was made/m);
});

it.each([
  { why: 'JSON has no comments', args: ['--root', 'json', ...STATE], finds: [] },
  { why: 'text alone', args: ['--root', 'root', '--replies', 'text', ...STATE], finds: [] },
  {
    why: 'the options of a repository',
    args: ['--config', 'team/.config-airlock.yaml', ...STATE],
    finds: [],
  },
  { why: 'nothing is kept', args: ['--root', 'root', '--read-only'], finds: [] },
  { why: 'no file', args: ['--root', 'bare', ...STATE], finds: ['warning roots'] },
  { why: 'all is shown', args: ['--root', 'root', '--no-mask', ...STATE], finds: ['warning masking'] },
  {
    why: 'all is denied',
    args: ['--root', 'root', '--policy', 'denied.yaml', ...STATE],
    finds: ['warning policy', 'warning preview'],
  },
  {
    why: 'a pattern that matches no file',
    args: ['--root', 'root', '--mask-path', 'deploy/*.yaml:db.host', ...STATE],
    finds: ['warning patterns'],
  },
  { why: 'no root', args: STATE, finds: ['fault options'] },
  { why: 'no such root', args: ['--root', 'none', ...STATE], finds: ['fault options'] },
  {
    why: 'nobody reviews',
    args: ['--root', 'root', '--approval', 'human', ...STATE],
    finds: ['fault options'],
  },
  { why: 'a state in the root', args: ['--root', 'root', '--state-dir', 'root/s'], finds: ['fault options'] },
  {
    why: 'no file of tokens',
    args: ['--root', 'root', '--http', '127.0.0.1:1', '--http-tokens', 'none', ...STATE],
    finds: ['fault http'],
  },
  {
    why: 'no issuer answers',
    args: [
      ...['--root', 'root', '--http', '127.0.0.1:1', '--http-url', 'https://airlock.invalid/mcp'],
      ...['--oidc-issuer', 'http://127.0.0.1:1', ...STATE],
    ],
    finds: ['fault http'],
  },
])('with $why it finds $finds', ({ args, finds }) => {
  const { bad, status } = found(args);
  expect(bad.map(({ status: how, check }) => `${how} ${check}`)).toEqual(finds);
  expect(bad.every(({ fix }) => fix !== undefined)).toBe(true);
  if (finds.length > 0) expect(status).toBe(finds.some((one) => one.startsWith('fault')) ? 2 : 0);
});

it('a clock that was set back, and a trail that somebody has edited, are found', async () => {
  found(['--root', at('root'), '--state-dir', at('later')]);
  const [first] = trailOf(at('later'));
  if (first === undefined) throw new Error('no record');
  await record(at('later'), () => ({ ...first, time: '2999-01-01T00:00:00.000Z' }));
  const args = ['--root', at('root'), '--state-dir', at('later')];
  expect(found(args).bad.map(({ check }) => check)).toEqual(['clock']);
  withDatabase(at('later'), (database) => {
    database.run("UPDATE trail SET body = replace(body, 'doctor', 'nobody') WHERE seq = 1");
  });
  const { bad, status } = found(args);
  expect([bad.map(({ check }) => check), status]).toEqual([['audit', 'preview'], 2]);
});
