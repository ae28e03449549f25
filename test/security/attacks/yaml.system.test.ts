// Hostile YAML through a real client, in every place where a text can come in: each call is answered, with
// what was asked for or with a typed error, by the same process, and so is the next. How long it takes and how
// much memory is printed, not judged: that is for the limits' own tests.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../harness/clients.ts';
import { timesOf } from '../../harness/runs.ts';
import { type RunningProcess, startProcess } from '../../harness/start-process.ts';
import { codeIn, leaksOf, makeGround } from './ground.ts';
import { BROKEN, DEEP, EXPANDING, type HostileText, WIDE } from './yaml-rows.ts';

/** Answers to hostile texts; INTERNAL is none of them, and neither is silence. */
const CODES = [
  ...['ok', 'TIMEOUT', 'SYNTAX_INVALID', 'LIMIT_EXCEEDED', 'VALUE_INVALID', 'NODE_NOT_FOUND'],
  ...['TYPE_MISMATCH', 'DUPLICATE_KEY', 'UNSUPPORTED_FORMAT'],
  ...['DOCUMENT_AMBIGUOUS', 'ALIAS_CROSSED', 'ANCHOR_IN_USE', 'KEY_IS_SHARED', 'NODE_PATH_INVALID'],
  ...['FILE_TOO_LARGE', 'ARGUMENT_INVALID', 'VERIFICATION_FAILED'],
];
const MOST_REPLY_CHARS = 1_000_000;

const ground = makeGround();
let server: RunningProcess;
const costs: {
  readonly why: string;
  readonly slowest: string;
  readonly ms: number;
  readonly rssMB: number;
}[] = [];

beforeAll(async () => {
  ground.write('root/good.json', '{"a": 1, "l": [1]}\n');
  ground.write('root/good.yaml', 'a: 1\nl:\n  - 1\nm: {x: 1}\n');
  server = await startProcess({ root: ground.root, flags: ['--log-level', 'error'] });
});
afterAll(async () => {
  await server.close();
  ground.remove();
  const worst = costs.toSorted((a, b) => b.ms - a.ms).slice(0, 12);
  process.stdout.write(`\nthe costliest of ${costs.length} hostile texts:\n`);
  for (const { ms, rssMB, why, slowest } of worst) {
    process.stdout.write(
      `${String(Math.round(ms)).padStart(6)} ms ${String(rssMB).padStart(5)} MB  ${why} (${slowest})\n`,
    );
  }
});

interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The text as a file. */
const READING: readonly Call[] = [
  { tool: 'config_validate', args: { file: 'x.yaml' } },
  { tool: 'config_get', args: { file: 'x.yaml' } },
  { tool: 'config_get', args: { file: 'x.yaml', view: 'value' } },
  { tool: 'config_get', args: { file: 'x.yaml', view: 'outline' } },
  { tool: 'config_get', args: { file: 'x.yaml', doc: { a: '1', 'b.c[0]': null } } },
  { tool: 'config_set', args: { file: 'x.yaml', path: 'zz', json: [1] } },
  { tool: 'config_search', args: { key: 'a', value: '*x*?', pattern: 'x.yaml' } },
  { tool: 'config_edit', args: { edits: [{ op: 'delete', file: 'x.yaml', path: 'a' }] } },
  { tool: 'config_list', args: {} },
];

/** The text as an argument. */
const sending = (text: string): readonly Call[] => [
  { tool: 'config_set', args: { file: 'good.yaml', path: 'a', value: text } },
  { tool: 'config_set', args: { file: 'good.yaml', path: 'm.x', value: text } },
  { tool: 'config_set', args: { file: 'good.yaml', path: 'a', json: text } },
  { tool: 'config_set', args: { file: 'good.json', path: 'a', value: text } },
  { tool: 'config_edit', args: { edits: [{ op: 'append', file: 'good.yaml', path: 'l', value: text }] } },
  { tool: 'config_edit', args: { edits: [{ op: 'comment', file: 'good.yaml', path: 'a', comment: text }] } },
  { tool: 'config_edit', args: { edits: [{ op: 'rename', file: 'good.yaml', path: 'a', new_key: text }] } },
  { tool: 'config_validate', args: { text } },
  { tool: 'config_get', args: { file: 'good.yaml', path: text } },
  { tool: 'config_get', args: { file: 'good.yaml', doc: { [text]: text } } },
  { tool: 'config_search', args: { key: text } },
  { tool: 'explain_error', args: { message: text } },
  { tool: 'explain_error', args: { code: text } },
];

/**
 * A deep text, which can end a process, is sent to every place; of the others, each to a fifth of them, in
 * turn. What is too large for a name or a path is refused there by its size.
 */
function placesFor(kind: string, text: string, turn: number): readonly Call[] {
  const calls = sending(text);
  if (text.length > 50_000) return calls.slice(0, 4);
  return kind === 'deep' ? calls : calls.filter((_, place) => place % 5 === turn % 5);
}

/** `npm run test:long` reads each text in every way. */
function readingsOf(kind: string, turn: number): readonly Call[] {
  const share = timesOf(3, 1);
  return kind === 'deep' ? READING : READING.filter((_, way) => way % share === turn % share);
}

describe.each([
  { kind: 'deep', rows: DEEP },
  { kind: 'expanding', rows: EXPANDING },
  { kind: 'wide', rows: WIDE },
  { kind: 'broken', rows: BROKEN },
])('a $kind text', ({ kind, rows }) => {
  it.each(rows)('is answered: $why ($id) [SRV-3]', async (row) => {
    const text = row.make();
    ground.write('root/x.yaml', text);
    const before = [ground.sentinels(), ground.inside()];
    const sent = placesFor(kind, text, rows.indexOf(row));
    const slowest = { tool: '', ms: 0 };
    for (const call of [...readingsOf(kind, rows.indexOf(row)), ...sent]) {
      const start = performance.now();
      const outcome = await server.callTool(call.tool, call.args);
      const ms = performance.now() - start;
      expectAnswer(outcome, call, row);
      if (ms > slowest.ms) Object.assign(slowest, { tool: call.tool, ms });
    }
    expect(await server.callTool('config_get', { file: 'ok.yaml' })).toMatchObject({ text: 'a: 1\n' });
    expect([ground.sentinels(), ground.inside()]).toEqual(before);
    costs.push({ why: row.why, slowest: slowest.tool, ms: slowest.ms, rssMB: peakMemoryMB(server.pid) });
  });
});

function expectAnswer(outcome: Outcome, { tool, args }: Call, { why }: HostileText): void {
  const code = codeIn(outcome);
  expect(CODES, `${tool}: ${why}`).toContain(code);
  if (!outcome.isError) return;
  expect(outcome.text.length).toBeLessThanOrEqual(2_000);
  // What the agent wrote itself comes back to it, in the call that would work.
  const isOwn = (leak: string): boolean => leak === 'U+feff' && JSON.stringify(args).includes('\ufeff');
  expect(leaksOf(outcome, ground).filter((leak) => !isOwn(leak))).toEqual([]);
  expect(JSON.stringify(outcome.data).length, `${tool}: the reply to ${why}`).toBeLessThan(MOST_REPLY_CHARS);
}

it('in a heap of 512 MB, texts whose errors or nodes are many end no process (YAML-023) [SRV-3]', async () => {
  const small = await startProcess({
    root: ground.root,
    flags: ['--log-level', 'error'],
    env: { NODE_OPTIONS: '--max-old-space-size=512' },
  });
  for (const [piece, count] of [
    [']', 500_000],
    ['}: ', 200_000],
    ['&a ', 30_000],
    ['!a ', 30_000],
    ['@\n', 100_000],
    ['- {}\n', 200_000],
  ] as const) {
    ground.write('root/x.yaml', piece.repeat(count));
    const outcome = await small.callTool('config_validate', { file: 'x.yaml' });
    expect(CODES, piece).toContain(codeIn(outcome));
  }
  expect(await small.callTool('config_get', { file: 'ok.yaml' })).toMatchObject({ text: 'a: 1\n' });
  await small.close();
});

it.each(['--- a\n', 'a\n...\n', '---\n', '--- a\n...\n', '%YAML 1.2\n---\na\n'])(
  'documents are counted however they begin and end: %j (YAML-018)',
  async (document) => {
    for (const [count, code] of [
      [1_000, 'ok'],
      [1_001, 'LIMIT_EXCEEDED'],
    ] as const) {
      ground.write('root/x.yaml', document.repeat(count));
      expect(codeIn(await server.callTool('config_get', { file: 'x.yaml', doc: 0 }))).toBe(code);
    }
  },
);

it('nothing of it reaches the prototypes of the server (YAML-015)', async () => {
  ground.write('root/x.yaml', '__proto__: {polluted: 1}\na: {b: 1}\n');
  const paths = [
    '__proto__.polluted',
    '__proto__',
    'constructor.prototype.polluted',
    'a.__proto__.polluted',
    '/__proto__/polluted',
  ];
  for (const path of paths) {
    for (const args of [
      { json: { __proto__: 1, constructor: { prototype: 2 } } },
      { value: '{__proto__: {x: 1}}' },
    ]) {
      const outcome = await server.callTool('config_set', { file: 'x.yaml', path, ...args });
      expect(CODES).toContain(codeIn(outcome));
    }
  }
  expect(
    await server.callTool('config_get', { file: 'x.yaml', path: '__proto__', view: 'value' }),
  ).toMatchObject({
    data: { value: { polluted: 1 } },
  });
  expect(codeIn(await server.callTool('config_get', { file: 'x.yaml', path: 'a.toString' }))).toBe(
    'NODE_NOT_FOUND',
  );
  expect(codeIn(await server.callTool('config_get', { file: 'x.yaml', path: 'a.polluted' }))).toBe(
    'NODE_NOT_FOUND',
  );
});

it.each([
  'x\nadmin: true',
  'x # y',
  '- x',
  '*x',
  '!x',
  '|',
  '%x',
  '`x`',
  '"',
  '{',
  ']',
  ',',
  '---',
  '#',
  ' x',
  '',
  '~',
  'no',
  '1:30',
  '0x1F',
  '<<',
  '=',
  '\u2028',
  '\u0000',
  '\ufeff',
])('as json it is one value, whatever it looks like: %j (YAML-020, YAML-028, YAML-029)', async (json) => {
  ground.write('root/x.yaml', 'a: old\nb: 1\n');
  expect(
    codeIn(await server.callTool('config_set', { file: 'x.yaml', path: 'a', json, dry_run: false })),
  ).toBe('ok');
  const { data } = await server.callTool('config_get', { file: 'x.yaml', view: 'value' });
  expect(data['value']).toEqual({ a: json, b: 1 });
});

it('a json argument that nests deeper than a file may is refused, by one layer or another', async () => {
  const deep = (levels: number): unknown =>
    Array.from({ length: levels }).reduce((inner: unknown) => [inner], 1);
  for (const levels of [90, 99, 100, 101, 110, 118]) {
    const outcome = await server.callTool('config_set', { file: 'good.yaml', path: 'a', json: deep(levels) });
    expect(CODES, String(levels)).toContain(codeIn(outcome));
  }
  for (const levels of [130, 5_000]) {
    const call = server.callTool('config_set', { file: 'good.yaml', path: 'a', json: deep(levels) });
    // The transport refuses the line without its id, so no client can tell whose answer it is.
    void call.catch(() => undefined);
    expect(await server.callTool('config_get', { file: 'ok.yaml' })).toMatchObject({ text: 'a: 1\n' });
  }
});

function peakMemoryMB(pid: number): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return 0;
  }
}
