// What people and models are shown: nothing hidden, nothing that reorders a line, nothing that hides a second
// change, and never more than they can take in. Through a real client, over every tool that answers with text.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { visible } from '../../../src/security/text/visible.ts';
import type { Outcome } from '../../harness/clients.ts';
import { startServer } from '../../harness/start-server.ts';
import { openSide, type Side } from './attack.ts';
import { codeIn } from './ground.ts';

const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]|(?! )\p{Zs}/u;

let side: Side;
beforeAll(async () => {
  side = await openSide(['--log-level', 'error', '--max-reply-chars', '20000']);
});
afterAll(() => side.close());
afterEach(() => side.ground.refill());

const call = (tool: string, args: Readonly<Record<string, unknown>>): Promise<Outcome> =>
  side.server.callTool(tool, args);
const set = (path: string, value: Readonly<Record<string, unknown>>): Promise<Outcome> =>
  call('config_set', { file: 'x.yaml', path, ...value });
const put = (text: string): string => side.ground.write('root/x.yaml', text);

/** A few of each kind: test/security/text has them all. */
const RISKY: readonly {
  readonly id: string;
  readonly why: string;
  readonly characters: readonly string[];
}[] = [
  { id: 'OUTP-002', why: 'reorders a line', characters: ['\u202a', '\u202e', '\u2066', '\u061c', '\u200f'] },
  {
    id: 'OUTP-003',
    why: 'is invisible',
    characters: ['\u200b', '\u200d', '\ufeff', '\u00ad', '\ufe0f', '\u{e0100}', '\u{e0041}'],
  },
  {
    id: 'OUTP-004',
    why: 'looks like a space or a line end',
    characters: ['\u00a0', '\u2000', '\u3000', '\u0085', '\u2028', '\u2029'],
  },
  { id: 'OUTP-007', why: 'is a letter that shows nothing', characters: ['\u115f', '\u3164', '\u2800'] },
];
const CHARACTERS = RISKY.flatMap(({ characters, ...row }) =>
  characters.map((character) => ({
    ...row,
    character,
    name: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  })),
);

/** Calls whose text is for reading. `config_get` of a source or a value answers with the exact bytes instead. */
const SHOWN: readonly ((c: string) => readonly [string, Readonly<Record<string, unknown>>])[] = [
  () => ['config_get', { file: 'x.yaml', view: 'outline' }],
  (c) => ['config_get', { file: 'x.yaml', path: `k${c}x` }],
  () => ['config_get', { file: 'x.yaml', path: 'kz' }],
  (c) => ['config_get', { file: 'x.yaml', path: `k${c}z.b` }],
  (c) => ['config_get', { file: 'x.yaml', path: `a["${c}` }],
  () => ['config_get', { file: 'docs.yaml', path: 'kind' }],
  () => ['config_get', { file: 'docs.yaml', view: 'outline' }],
  (c) => ['config_get', { file: 'docs.yaml', doc: { [`k${c}`]: `v${c}` } }],
  (c) => ['config_get', { file: `a${c}.yaml` }],
  (c) => ['config_get', { file: 'ok.yaml', view: `v${c}`, [`w${c}`]: 1 }],
  () => ['config_validate', { file: 'twice.yaml' }],
  () => ['config_validate', { file: 'broken.yaml' }],
  () => ['config_validate', { file: 'x.yaml' }],
  (c) => ['config_validate', { text: `a: *n${c}` }],
  () => ['config_search', { key: '*' }],
  () => ['config_search', { value: 'v*' }],
  (c) => ['config_search', { key: `k${c}*`, cursor: c }],
  (c) => ['config_list', { pattern: `*${c}` }],
  () => ['config_list', {}],
  (c) => ['config_set', { file: 'x.yaml', path: `k${c}z`, value: '1' }],
  (c) => ['config_set', { file: 'x.yaml', path: 'plain', value: `x${c}y` }],
  (c) => ['config_set', { file: 'x.yaml', path: `new${c}`, json: `j${c}` }],
  (c) => ['config_set', { file: 'twice.yaml', path: `k${c}`, value: '1' }],
  (c) => [
    'config_set',
    { file: 'x.yaml', path: 'none', value: '1', create: false, doc: { [`k${c}z`]: `n${c}` } },
  ],
  (c) => ['config_edit', { edits: [{ op: 'delete', file: 'x.yaml', path: `k${c}z` }] }],
  (c) => ['config_edit', { edits: [{ op: 'rename', file: 'x.yaml', path: 'plain', new_key: `l${c}` }] }],
  (c) => ['config_edit', { edits: [{ op: 'comment', file: 'x.yaml', path: 'plain', comment: `l${c}` }] }],
  (c) => ['explain_error', { code: `A${c}` }],
  () => ['list_capabilities', {}],
];

describe('a character that', () => {
  it.each(CHARACTERS)(
    '$why is shown by its number, wherever it stands ($name, $id) [DIS-8]',
    async ({ character: c }) => {
      put(
        `k${c}z: v${c}w # c${c}\nplain: 1 # c${c}\n? [a${c}]\n: 1\nanchor: &a${c}n 1\n"q${c}k": "v${c}"\ntag: !t${c}x 1\n`,
      );
      side.ground.write('root/docs.yaml', `kind: K${c}\nmetadata: {name: n${c}}\n---\nkind: L\nk${c}: 2\n`);
      side.ground.write('root/twice.yaml', `k${c}: 1\nk${c}: 2\n`);
      side.ground.write('root/broken.yaml', `k${c}: [\n`);
      for (const make of SHOWN) {
        const [tool, args] = make(c);
        const { text: shown } = await call(tool, args);
        const found = HIDDEN.exec(shown);
        expect(
          found === null ? '' : shown.slice(Math.max(0, found.index - 60), found.index + 20),
          `${tool} ${JSON.stringify(args)}`,
        ).toBe('');
      }
    },
  );

  it.each(CHARACTERS)('$why is found in what is new ($name, $id)', async ({ character, name }) => {
    put('a: 1\n');
    const { data } = await set('a', { json: `x${character}y` });
    const said = JSON.stringify(data['warnings']);
    // Either it stands there as it is, and is warned of, or it is written as an escape.
    const isEscaped = typeof data['diff'] === 'string' && /\\[uxUN_LPe]/.test(data['diff']);
    if (!isEscaped) expect(said).toContain(name);
  });

  it('moves the cursor cannot be in a file, and is escaped in an argument (OUTP-001)', async () => {
    for (const sequence of [
      '\u001b[2K\u001b[1A',
      '\u001b]8;;http://x\u0007',
      '\u001b]52;c;eA==\u0007',
      '\u001b[?25l',
      '\u009b2J',
      '\b\b\b',
      '\u007f',
    ]) {
      put(`a: 1 # ${sequence}\nb: 1\n`);
      const read = await call('config_get', { file: 'x.yaml' });
      if (!read.isError) expect(read.text).toContain(visible(sequence));
      put('a: 1\n');
      for (const args of [{ value: `"${sequence}"` }, { json: sequence }, { value: sequence }]) {
        expect((await set('a', args)).text).not.toMatch(/(?!\n)\p{Cc}/u);
      }
      for (const path of [sequence, `a["${sequence}"]`])
        expect((await set(path, { json: 1 })).text).not.toMatch(/(?!\n)\p{Cc}/u);
    }
  });

  it('ends a line for YAML but not for people is shown, and lines are counted at LF (OUTP-005)', async () => {
    put('replicas: 1 # x\rreplicas2: 9\nb: 1\n');
    const edits = [{ op: 'replace_text', file: 'x.yaml', old_text: 'b: 1', new_text: 'b: 2' }];
    const { text } = await call('config_edit', { edits });
    expect(text).toContain('replicas: 1 # x<U+000D>replicas2: 9');
    expect(text).toContain('@@ -1,2 +1,2 @@');
  });

  it('is a letter of another alphabet is warned of (OUTP-006) [EDT-10]', async () => {
    put('a: 1\n');
    for (const json of ['im\u0430ge', 'p\u0430ypal', '\u0440assword']) {
      expect(JSON.stringify((await set('a', { json })).data['warnings'])).toMatch(/only looks? like/);
    }
    expect(JSON.stringify((await set('im\u0430ge', { json: 1 })).data['warnings'])).toMatch(
      /only looks? like/,
    );
  });
});

describe('a preview', () => {
  it('counts every path and every file, however far apart they are (OUTP-012) [EDT-10]', async () => {
    put(`a: 1\n${'# x\n'.repeat(500)}b: 1\n`);
    const edits = ['a', 'b'].map((path) => ({ op: 'set', file: 'x.yaml', path, json: 2 }));
    const { text, data } = await call('config_edit', {
      edits: [...edits, { op: 'set', file: 'ok.yaml', path: 'a', json: 2 }],
    });
    expect(text).toContain('3 paths in 2 files');
    expect(text.match(/^@@ /gmu)).toHaveLength(3);
    expect(String(data['diff'])).toContain('b: 2');
  });

  it('says so where nothing but a comment or a spelling changes (OUTP-013)', async () => {
    put('a: "x" # y\n');
    const spelling = await set('a', { value: "'x'" });
    expect(spelling.text).toContain('comments or layout only');
    const comment = await call('config_edit', {
      edits: [{ op: 'comment', file: 'x.yaml', path: 'a', comment: 'z' }],
    });
    expect(String(comment.data['diff'])).toContain('# z');
  });

  it.each([
    { before: "'012'", after: '012' },
    { before: '"no"', after: 'no' },
    { before: '"1:30"', after: '1:30' },
    { before: '"1.10"', after: '1.10' },
    { before: "'~'", after: '~' },
  ])(
    'says so where the meaning changes and the text hardly does: $before to $after (OUTP-014) [EDT-10]',
    async ({ before, after }) => {
      put(`a: ${before}\n`);
      const { data, text } = await set('a', { value: after });
      expect(text).toContain(`-a: ${before}`);
      expect(data['warnings']).toContainEqual(expect.stringMatching(/^a: was text|\ba\b.*(?:text|number)/));
    },
  );

  it('of a line of 1 MB is cut, says so, and offers no call to apply it (OUTP-011) [APR-9]', async () => {
    put(`a: ${'x'.repeat(1_000_000)}\n`);
    const { text, data } = await set('a', { json: 'y' });
    expect(text.length).toBeLessThan(25_000);
    expect(JSON.stringify(data).length).toBeLessThan(60_000);
    expect(text).toMatch(/cut|longer than a reply/);
    expect(data['next']).toBeUndefined();
  });

  it('of 5,000 changed lines is bounded in the same way (GLOB-006, GLOB-007, GLOB-008)', async () => {
    put(`a:\n${Array.from({ length: 5_000 }, (_, i) => `  - x${i}\n`).join('')}`);
    const { text, data } = await set('a', {
      value: Array.from({ length: 5_000 }, (_, i) => `- y${i}`).join('\n'),
    });
    expect(text.length).toBeLessThan(25_000);
    expect(data['next']).toBeUndefined();
    const edits = Array.from({ length: 10 }, (_, i) => ({
      op: 'set',
      file: 'x.yaml',
      path: `a[${i * 100}]`,
      json: 'z',
    }));
    expect((await call('config_edit', { edits })).text).toContain('10 paths in 1 file');
  });

  it('of lines that look like parts of a diff is applied by bytes (GLOB-010)', async () => {
    const before =
      'a: |\n  --- a/x\n  +++ b/x\n  @@ -1 +1 @@\n  -old\n  +new\n  \\ No newline at end of file\n--- # a document\nb: 1\n';
    const file = put(before);
    const { data } = await call('config_set', {
      file: 'x.yaml',
      doc: 1,
      path: 'b',
      json: '+++ b/y\n@@ -1 +1 @@',
      dry_run: false,
    });
    expect(data['applied']).toBe(true);
    const after = readFileSync(file, 'utf8');
    expect(after.startsWith(before.slice(0, before.indexOf('b: 1')))).toBe(true);
    expect(await call('config_get', { file: 'x.yaml', doc: 1, path: 'b', view: 'value' })).toMatchObject({
      data: { value: '+++ b/y\n@@ -1 +1 @@' },
    });
  });
});

describe('an error', () => {
  it('repeats no more than a line of what it was sent (OUTP-010)', async () => {
    put('a: [1\n');
    const long = 'q'.repeat(1_000_000);
    const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
      ['config_set', { file: 'x.yaml', path: 'a', json: long }],
      ['config_set', { file: 'ok.yaml', path: 'a', value: `[${long}` }],
      ['config_set', { file: 'ok.yaml', path: long, json: 1 }],
      ['config_set', { file: long, path: 'a', json: 1 }],
      ['config_set', { file: 'ok.yaml', path: 'a.b', json: long }],
      ['config_set', { file: 'ok.yaml', path: 'a', json: long, expected_sha256: '0'.repeat(64) }],
      ['config_set', { file: 'ok.yaml', path: 'a', value: long, json: long, [long]: long }],
      ['config_get', { file: 'ok.yaml', view: long }],
      ['config_get', { file: 'ok.yaml', doc: { [long]: long } }],
      ['config_list', { pattern: long }],
      ['config_list', { cursor: long }],
      ['config_search', { key: long, value: long }],
      ['config_validate', { file: 'ok.yaml', schema: long }],
      ['explain_error', { code: long }],
      ['explain_error', { message: long }],
    ];
    for (const [tool, args] of calls) {
      const outcome = await call(tool, args);
      expect(outcome.text.length, JSON.stringify(args).slice(0, 80)).toBeLessThanOrEqual(2_000);
      expect(outcome.text, JSON.stringify(args).slice(0, 80)).not.toContain('q'.repeat(420));
      expect(JSON.stringify(outcome.data).length, JSON.stringify(args).slice(0, 80)).toBeLessThan(5_000);
    }
  });
});

describe('a pattern', () => {
  it.each([
    ...['(a+)+b', `{${'a,'.repeat(1_000)}b}`, '('.repeat(5_000), '['.repeat(5_000)],
    ...['x'.repeat(65_537), '/ok.yaml', '../*', 'a\0b', '\u202e*'],
    ...['{.,..}/*', '', '[o]k.yaml', '{{a,b},c}', 'C:\\*', '\ud800'],
  ])(
    'that is none is refused, whatever it would cost: %j (GLOB-002, GLOB-003, GLOB-004)',
    async (pattern) => {
      for (const [tool, more] of [
        ['config_list', {}],
        ['config_search', { key: 'a' }],
      ] as const) {
        const outcome = await call(tool, { pattern, ...more });
        expect(codeIn(outcome)).toBe('ARGUMENT_INVALID');
        expect(outcome.text).not.toMatch(HIDDEN);
      }
    },
  );

  it.each(['*a'.repeat(100), `${'**/'.repeat(80)}*`])('costs no more than others: %j', async (pattern) => {
    expect(codeIn(await call('config_list', { pattern }))).toBe('ok');
  });

  it('finds what is listed, and nothing else: links are not followed, round or out (GLOB-005)', async () => {
    const { root } = side.ground;
    symlinkSync('.', join(root, 'round'));
    symlinkSync('../outside', join(root, 'out'));
    for (const pattern of ['**', '**/*', '**/s.yaml', 'out/*', 'round/**', '*/ok.yaml']) {
      const { data } = await call('config_list', { pattern });
      expect(JSON.stringify(data)).not.toMatch(/out\/|round\/|s\.yaml/);
      // A note may repeat the pattern.
      const { matches } = (await call('config_search', { pattern, key: '*' })).data;
      expect(JSON.stringify(matches)).not.toMatch(/out\/|round\/|s\.yaml/);
    }
  });

  it('over a tree that is too large answers with a part, and says so (GLOB-005) [SRV-16]', async () => {
    const { root } = side.ground;
    for (let i = 0; i < 300; i++) {
      mkdirSync(join(root, `d${i % 7}/e${i % 3}`), { recursive: true });
      writeFileSync(join(root, `d${i % 7}/e${i % 3}/f${i}.yaml`), 'a: 1\n');
    }
    let deep = root;
    for (let i = 0; i < 80; i++) {
      deep = join(deep, 'n');
      mkdirSync(deep);
    }
    writeFileSync(join(deep, 'deepest.yaml'), 'a: 1\n');
    const server = await startServer({ root, flags: ['--max-list-entries', '100', '--log-level', 'error'] });
    expect((await server.callTool('config_list')).data).toMatchObject({ ok: true, truncated: true });
    expect((await server.callTool('config_search', { key: 'a' })).data).toMatchObject({ ok: true });
    await server.close();
    expect((await call('config_list', { pattern: '**/deepest.yaml' })).data).toMatchObject({
      files: [],
      truncated: true,
    });
  });

  it('lists no name that could not be used, nor forge a line of a diff (GLOB-009)', async () => {
    const names = [
      'a\nb.yaml',
      '--- x\n+++ y.yaml',
      'a\rb.yaml',
      'a\u2028b.yaml',
      'a\u202eb.yaml',
      ' x.yaml ',
      'a\\b.yaml',
      'x:y.yaml',
      'x.yaml.',
      '\u001b[2J.yaml',
    ];
    for (const name of names) writeFileSync(join(side.ground.root, name), 'a: 1\n');
    writeFileSync(join(side.ground.root, '--- x.yaml'), 'a: 1\n');
    const { data, text } = await call('config_list', {});
    const files = Array.isArray(data['files']) ? data['files'].map(({ file }) => file) : [];
    expect(files).toEqual(['--- x.yaml', 'a/b/deep.yaml', 'ok.yaml']);
    expect(text).not.toMatch(HIDDEN);
    expect((await call('config_set', { file: '--- x.yaml', path: 'a', json: 2 })).text).toContain(
      '--- a/--- x.yaml\n+++ b/--- x.yaml\n@@',
    );
  });
});
