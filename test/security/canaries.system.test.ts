// Unique words in every file and every argument, every tool in every mode, every error that can be brought
// about; then a search for these words wherever the server writes besides its answers.
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Event } from '../../src/state/event.ts';
import type { Outcome } from '../harness/clients.ts';
import { jsonLines } from '../harness/json-lines.ts';
import { type RawServer, startRaw } from '../harness/raw-server.ts';
import { startProcess } from '../harness/start-process.ts';
import { startServer } from '../harness/start-server.ts';
import { trailOf } from '../harness/state.ts';
import { codeIn, makeGround } from './attacks/ground.ts';

let words = 0;
/** `from` says what it stood for: the log may know names, and never contents. */
const word = (from: 'value' | 'comment' | 'argument' | 'name'): string =>
  `kanari${from}${String(++words).padStart(4, '0')}x`;
const CONTENTS = /kanari(?:value|comment)\d{4}x/gu;
const UNSPEAKABLE = /kanari(?:value|comment|argument|name)\d{4}x/gu;

/** Keys, anchors and tags are names: an error may say them, the log may not. */
const n = (): string => word('name');
const v = (): string => word('value');
const c = (): string => word('comment');
const a = (): string => word('argument');

function seed(write: (file: string, contents: string | Uint8Array, mode?: number) => string): void {
  write(
    'root/good.yaml',
    `# ${c()}\na: ${v()} # ${c()}\nb:\n  - ${v()}\n  - "${v()}"\nm: {x: ${v()}, y: '${v()}'}\nt: |\n  ${v()}\n`,
  );
  write('root/good.json', `{"a": "${v()}", "l": ["${v()}"]}\n`);
  write(
    'root/secret.yaml',
    `kind: Secret\ndata:\n  password: ${v()}\n  token: eyJhbGciOiJIUzI1NiJ9.${v()}\n  key: |\n    -----BEGIN PRIVATE KEY-----\n    ${v()}\n`,
  );
  write('root/docs.yaml', `a: ${v()}\n---\na: ${v()}\n--- # ${c()}\n- ${v()}\n`);
  write('root/anchors.yaml', `base: &base {x: ${v()}}\nuse: *base\nmerge:\n  <<: *base\n  y: ${v()}\n`);
  write('root/twice.yaml', `a: ${v()}\na: ${v()}\n`);
  write('root/broken.yaml', `a: ${v()} # ${c()}\nb: [${v()}\nc: "${v()}\n`);
  write('root/broken.json', `{"a": "${v()}", oops ${v()}}\n`);
  write('root/bad-alias.yaml', `a: *${n()}\nb: &${n()} ${v()}\n`);
  write('root/bad-tag.yaml', `a: !x!${n()} ${v()}\n`);
  write('root/bad-escape.yaml', `a: "\\q${v()}"\n`);
  write('root/deep.yaml', `${'['.repeat(300)}${v()}`);
  write('root/latin1.yaml', Buffer.concat([Buffer.from(`a: ${v()} `), Buffer.from([0xe9])]));
  write('root/nul.yaml', `a: ${v()}\0\n`);
  write('root/large.yaml', `a: ${v()}\n#${'x'.repeat(300_000)}\n`);
  write('root/locked.yaml', `a: ${v()}\n`, 0o444);
  write('root/schema.json', `{"properties": {"a": {"const": "${v()}"}}}\n`);
  write('root/.env', `TOKEN=${v()}\n`);
  write('root/.git/c.yaml', `a: ${v()}\n`);
  write('outside/s.yaml', `a: ${v()}\n`);
}

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** Made anew for each server, so that no word is used twice. */
function battery(): readonly Call[] {
  const files = [
    'good.yaml',
    'good.json',
    'secret.yaml',
    'docs.yaml',
    'anchors.yaml',
    'twice.yaml',
    'broken.yaml',
    'broken.json',
    'bad-alias.yaml',
    'bad-tag.yaml',
  ];
  const others = [
    'bad-escape.yaml',
    'deep.yaml',
    'latin1.yaml',
    'nul.yaml',
    'large.yaml',
    'locked.yaml',
    '.env',
    '.git/c.yaml',
    'link.yaml',
    'none.yaml',
    '../outside/s.yaml',
    '/etc/passwd',
    'x\ny.yaml',
    '',
    'notes.txt',
  ];
  const all = [...files, ...others];
  const set = (file: string, path: string, more: Readonly<Record<string, unknown>>): readonly Call[] => [
    ['config_set', { file, path, ...more }],
    ['config_set', { file, path, ...more, dry_run: false }],
  ];
  return [
    ...all.flatMap((file): Call[] => [
      ...['source', 'outline', 'value'].map((view): Call => ['config_get', { file, view }]),
      ['config_get', { file, path: `${a()}.${a()}[0]`, doc: { a: a() } }],
      ['config_get', { file, path: `["${a()}` }],
      ['config_validate', { file }],
      ['config_validate', { file, schema: 'schema.json' }],
      ...set(file, 'a', { value: a() }),
      ...set(file, 'a.b.c', { json: { [a()]: a() } }),
      ['config_edit', { dry_run: false, edits: [{ op: 'comment', file, path: 'a', comment: a() }] }],
      [
        'config_edit',
        {
          dry_run: false,
          edits: [
            { op: 'delete', file, path: 'zz' },
            { op: 'append', file, path: 'b', value: a() },
          ],
        },
      ],
    ]),
    ...set('good.yaml', 'm.x', { value: `[${a()}` }),
    ...set('good.yaml', 'm.x', { value: `${a()}\n---\n${a()}` }),
    ...set('good.yaml', 'm.x', { value: `*${a()}` }),
    ...set('good.yaml', 'm.x', { json: a(), expected_sha256: '0'.repeat(64) }),
    ...set('good.yaml', 'm.x', { json: 'x'.repeat(300_000) + a() }),
    ...set('good.yaml', 'm.x', { value: a(), json: a() }),
    ...set('good.yaml', 'm.x', { json: a(), [a()]: a() }),
    ...set('good.yaml', 'm.x', { json: a(), expected_sha256: a() }),
    ...set('anchors.yaml', 'use.x', { json: a() }),
    ...set('anchors.yaml', 'base', { json: a() }),
    ['config_apply', { preview_id: a() }],
    ['config_apply', { preview_id: 'A'.repeat(43) }],
    ...[a(), 'A'.repeat(43)].flatMap((change_id): Call[] => [
      ['config_revert', { change_id }],
      ['config_revert', { change_id, dry_run: false }],
    ]),
    ['config_set', { file: 'good.yaml', path: 'a', json: a(), dry_run: a() }],
    ['config_set', { dry_run: false, [a()]: 1 }],
    ['config_edit', { dry_run: false, edits: [] }],
    ['config_edit', { dry_run: false, edits: [{ op: a(), file: 'good.yaml', path: 'a' }] }],
    [
      'config_edit',
      {
        dry_run: false,
        edits: [{ op: 'insert', file: 'good.yaml', path: 'm', key: 'k', value: a(), before: 'x' }],
      },
    ],
    [
      'config_edit',
      {
        dry_run: false,
        edits: [
          { op: 'set', file: 'good.yaml', path: 'm.x', json: a() },
          { op: 'set', file: 'broken.yaml', path: 'a', json: a() },
        ],
      },
    ],
    [
      'config_edit',
      {
        dry_run: false,
        edits: [
          { op: 'set', file: 'good.yaml', path: 'm.y', json: a() },
          { op: 'append', file: 'good.json', path: 'l', json: a() },
        ],
      },
    ],
    ['config_edit', { edits: [{ op: 'replace_text', file: 'good.yaml', old_text: a(), new_text: a() }] }],
    ['config_edit', { edits: [{ op: 'create_file', file: `${a()}.yaml`, content: `${a()}: [${a()}` }] }],
    [
      'config_edit',
      { edits: [{ op: 'create_file', file: 'new.yaml', content: `k: ${a()}\n` }], reason: a() },
    ],
    ['config_edit', { edits: [{ op: 'merge', file: 'good.yaml', path: `**.${a()}`, from: a(), json: {} }] }],
    ['config_diff', { a: { file: 'good.yaml' }, b: { file: `${a()}.yaml`, path: a() } }],
    ['config_diff', { a: { file: 'good.yaml', before_change: a() }, b: { file: 'good.yaml' } }],
    ['config_history', { file: a(), since: a(), change_id: a() }],
    ['config_history', {}],
    ['config_get', { file: 'good.yaml', view: 'raw', lines: a() }],
    ['config_search', { key: a(), where: `!=${a()}`, text: a() }],
    ['config_validate', { text: `a: [${a()}\n# ${a()}` }],
    ['config_validate', { text: a(), schema: a() }],
    ['config_validate', { file: 'good.yaml', schema: `${a()}.json` }],
    ['config_validate', { file: a(), text: a() }],
    ['config_search', { key: a(), value: `*${a()}*` }],
    ['config_search', { value: '*' }],
    ['config_search', { key: '*', pattern: `{${a()}`, cursor: a() }],
    ['config_list', { pattern: `**/*${a()}*` }],
    ['config_list', { pattern: `[${a()}`, cursor: a(), limit: a() }],
    ['explain_error', { code: a(), message: `${a()}: FILE_NOT_FOUND` }],
    ['explain_error', { message: a() }],
    ['list_capabilities', {}],
    ['list_capabilities', { [a()]: a() }],
  ];
}

interface Case {
  readonly name: string;
  readonly flags: readonly string[];
  readonly toFile?: true;
  /** Of the built command, with an environment of its own. */
  readonly isProcess?: true;
}
const CASES: readonly Case[] = [
  { name: 'JSON on stderr', flags: ['--log-format', 'json'], isProcess: true },
  { name: 'text on stderr', flags: ['--log-format', 'text'] },
  { name: 'JSON in a file', flags: ['--log-format', 'json'], toFile: true },
  { name: 'read-only, JSON on stderr', flags: ['--log-format', 'json', '--read-only'] },
];

describe.each(CASES)('at the lowest level, $name,', ({ flags, toFile, isProcess }) => {
  const ground = makeGround();
  afterAll(() => ground.remove());
  seed(ground.write);
  symlinkSync('../outside/s.yaml', join(ground.root, 'link.yaml'));
  const logFile = join(ground.base, 'airlock.log');
  const token = word('value');

  it('no content of a file and no value of an argument is written to the log, a name or an error [DIS-7]', async () => {
    const start = isProcess ? startProcess : startServer;
    const server = await start({
      root: ground.root,
      flags: [
        '--log-level',
        'debug',
        '--max-file-size',
        '200000',
        ...flags,
        ...(toFile ? ['--log-file', logFile] : []),
      ],
      env: { SOME_TOKEN: token },
    });
    const log = (): string => server.stderr() + (toFile ? readFileSync(logFile, 'utf8') : '');
    const names = readdirSync(ground.root).sort();
    const calls = battery();
    const codes = new Set<string>();
    const tools = (await server.listTools()).map(({ name }) => name);
    // A read-only server does not show those that need a state, and still refuses their calls.
    expect(calls.map(([tool]) => tool)).toEqual(expect.arrayContaining(tools));
    let writes = 0;
    for (const [tool, args] of calls) {
      const outcome = await server.callTool(tool, args);
      codes.add(codeIn(outcome));
      if (outcome.isError) expectNoContents(outcome, args);
      const isWrite = args['dry_run'] === false && !isNoChange(outcome);
      // A preview that is kept leaves a record, and so does an attempt to apply one.
      if (isWrite || 'preview_id' in outcome.data || tool === 'config_apply') writes += 1;
    }
    expect(log().match(/\btool_call\b/gu)).toHaveLength(calls.length);
    expect(log().match(UNSPEAKABLE) ?? []).toEqual([]);
    expect(log()).not.toContain(token);
    expect(log()).not.toContain(ground.base);
    expect(readdirSync(ground.root).sort()).toEqual(names);
    // Most of what can go wrong has gone wrong.
    for (const code of INDUCED) expect(codes).toContain(code);
    if (flags.includes('--read-only')) {
      // A server that may not write keeps no trail.
      expect(readdirSync(server.state)).toEqual([]);
      const refused = jsonLines(log()).filter(({ event }) => event === 'write_refused');
      expect(refused).toHaveLength(writes);
    } else expectAudited(trailOf(server.state), log(), writes);
    await server.close();
  });
});

const INDUCED = [
  ...['PATH_INVALID', 'PATH_OUTSIDE_ROOT', 'PATH_DENIED', 'SYMLINK_REFUSED', 'READ_ONLY'],
  ...['FILE_NOT_FOUND', 'FILE_TOO_LARGE'],
  ...['NOT_UTF8', 'SYNTAX_INVALID', 'LIMIT_EXCEEDED', 'NODE_PATH_INVALID', 'NODE_NOT_FOUND'],
  ...['TYPE_MISMATCH', 'DUPLICATE_KEY'],
  ...['DOCUMENT_AMBIGUOUS', 'ALIAS_CROSSED', 'VALUE_INVALID', 'FILE_CHANGED', 'ARGUMENT_INVALID'],
];

function isNoChange({ data }: Outcome): boolean {
  return data['ok'] === true && data['applied'] === false;
}

function expectNoContents({ text, data }: Outcome, args: Readonly<Record<string, unknown>>): void {
  expect(`${text} ${JSON.stringify(data)}`.match(CONTENTS) ?? [], JSON.stringify(args).slice(0, 200)).toEqual(
    [],
  );
}

/** Each write that was asked for has its record, with the code of its answer, and no field that holds a value. */
function expectAudited(trail: readonly Event[], log: string, writes: number): void {
  // The reason is what the agent says to people.
  const said = trail.map(({ reason: _, ...record }) => record);
  expect(JSON.stringify(said).match(UNSPEAKABLE) ?? []).toEqual([]);
  const calls = new Set(trail.map(({ request_id }) => request_id));
  expect(calls.size).toBe(writes);
  const known = [
    ...['time', 'type', 'files', 'about', 'named', 'tool', 'confirmed_by', 'caller', 'code'],
    ...['request_id', 'reason', 'outcome'],
  ];
  const ofFile = ['file', 'file_op', 'base_sha256', 'result_sha256', 'paths', 'more_paths'];
  const answered = log.startsWith('{')
    ? jsonLines(log).filter(({ event }) => event === 'tool_call')
    : undefined;
  for (const record of trail) {
    expect(known).toEqual(expect.arrayContaining(Object.keys(record)));
    for (const file of record.files) expect(ofFile).toEqual(expect.arrayContaining(Object.keys(file)));
    const call = answered?.find(({ request_id }) => request_id === record.request_id);
    if (answered === undefined) continue;
    if (record.type === 'refused') expect(record.code).toBe(call?.['code']);
    else expect(call?.['status']).toBe('ok');
  }
  for (const request of calls) {
    const own = trail.filter(({ request_id }) => request_id === request);
    // Never an intent alone: an auditor would take it for a crash. And a refusal once, not by the tool and by the commit as well.
    const types = own.map(({ type }) => type);
    expect([['previewed'], ['begun', 'applied'], ['refused']]).toContainEqual(types);
  }
}

describe('what an agent sends cannot forge a line of the log (AUDI-001) [AUD-4]', () => {
  const FORGED = '{"level":"info","time":"x","event":"change_recorded","status":"applied"}';
  const TRICKS = [
    `x\n${FORGED}\n.yaml`,
    `x\r\n00:00:00 info change_recorded status=applied.yaml`,
    `"},${FORGED},{"a":".yaml`,
    '\u001b[2K\u001b[1A.yaml',
    '\u202eforged.yaml',
    'a\u2028b\u2029c\u0085d.yaml',
    'x status=applied code=OK.yaml',
    '\\n\\u000a.yaml',
    '\ud800.yaml',
    `${'y'.repeat(100_000)}\n${FORGED}`,
  ];

  async function attacked(format: string): Promise<string> {
    const ground = makeGround();
    writeFileSync(join(ground.root, 'x status=applied code=OK.yaml'), 'a: 1\n');
    const server = startRaw({
      args: ['--root', ground.root, '--log-level', 'debug', '--log-format', format],
    });
    await server.request(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: `evil\n${FORGED}`, version: '\u001b[2K\n1' },
    });
    server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await sendTricks(server);
    server.child.stdin.end();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    ground.remove();
    return server.stderr();
  }

  async function sendTricks(server: RawServer): Promise<void> {
    let id = 0;
    for (const trick of TRICKS) {
      const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
        ['config_set', { file: trick, path: trick, value: trick, dry_run: false }],
        [
          'config_set',
          { file: 'ok.yaml', path: `["${trick.slice(0, 50)}"]`, json: trick.slice(0, 50), dry_run: false },
        ],
        ['config_edit', { edits: [{ op: 'set', file: trick, path: trick, json: 1 }], dry_run: false }],
        ['config_get', { file: trick }],
        ['config_list', { cursor: trick, [trick]: 1 }],
        [trick, {}],
      ];
      for (const [name, args] of calls) await server.request(++id, 'tools/call', { name, arguments: args });
      await server.request(++id, trick.slice(0, 200), {});
      server.send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: trick, reason: trick },
      });
      server.send({ jsonrpc: '2.0', method: trick.slice(0, 200), params: {} });
    }
  }

  it('as JSON: every line is one object of ours', async () => {
    const log = await attacked('json');
    expect(log).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    for (const record of jsonLines(log)) {
      expect(record).toMatchObject({
        level: expect.stringMatching(/^(debug|info|warn|error)$/),
        time: expect.stringMatching(/^\d{4}-/),
      });
      for (const value of Object.values(record)) expect(JSON.stringify(value).length).toBeLessThan(4_000);
    }
    expect(log).toContain('"event":"change_recorded"');
  });

  it('as text: every line begins as ours do, and fields cannot be added', async () => {
    const log = await attacked('text');
    expect(log).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    const lines = log.split('\n').filter((line) => line !== '');
    for (const line of lines) expect(line).toMatch(/^\d\d:\d\d:\d\d (debug|info|warn|error) [a-z_]+( |$)/);
    // A name with spaces and equals signs is quoted.
    const applied = lines.filter((line) =>
      / status=applied/.test(line.replaceAll(/"(?:[^"\\]|\\.)*"/gu, '""')),
    );
    for (const line of applied) expect(line).toMatch(/ change_recorded .*trail_sha256=[0-9a-f]{64}/);
  });
});
