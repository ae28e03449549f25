// What an edit reports beside its diff: every path that differs, how far it reaches through aliases, the comments
// that go, and what could deceive. Held against a comparison made with the `yaml` package alone.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { dataDiff } from '../harness/data-diff.ts';
import { toolServer } from '../harness/tool-server.ts';

const Reply = z.looseObject({
  summary: z.string(),
  diff: z.string().default(''),
  removed_comments: z.array(z.string()).default([]),
  also_affects: z.array(z.string()).default([]),
  warnings: z.array(z.string()).default([]),
});

const server = toolServer();

const counted = (paths: readonly string[]) =>
  `${paths.length} path${paths.length === 1 ? '' : 's'} in 1 file`;

let count = 0;
type Edit = Readonly<Record<string, unknown>>;

/** What the edits report, and what is on the disk when they are written. */
async function report(before: string, edits: readonly Edit[], extension = 'yaml') {
  const file = `f${count++}.${extension}`;
  server.write(file, before);
  const args = { edits: edits.map((edit) => ({ file, ...edit })), dry_run: false };
  const { data, text } = await server.ok('config_edit', args);
  return { text, ...Reply.parse(data), after: server.disk(file) };
}

const BASE = `a: 1
b: {c: 2, d: [x, y, {z: 3}]}
list:
- one
- k: v
  w: [1, 2]
- three
text: |
  some
  lines
e:
---
a: second
n: {m: 1}
`;

const NAMES = Array.from({ length: 25 }, (_, index) => `n${index}`);
const noAt = (path: string) => ({ op: 'set', path, value: 'no' });

describe('paths', () => {
  test.each([
    { edits: [{ op: 'set', path: 'a', value: '2' }], why: 'a scalar' },
    { edits: [{ op: 'set', path: 'b.d[2].z', json: { q: [1] } }], why: 'deep in flow' },
    { edits: [{ op: 'delete', path: 'b.c' }], why: 'a key that goes' },
    { edits: [{ op: 'delete', path: 'list[0]' }], why: 'an item that goes' },
    { edits: [{ op: 'set', path: 'n.m', json: 2, doc: 1 }], why: 'another document' },
    {
      edits: [
        { op: 'set', path: 'a', value: '9' },
        { op: 'rename', path: 'a', new_key: 'A' },
        { op: 'delete', path: 'list[1].w[0]' },
        { op: 'append', path: 'list[1].w', json: 3 },
        { op: 'set', path: 'a', doc: 1, json: 0 },
        { op: 'delete', path: 'e' },
      ],
      why: 'a batch, once for each path',
    },
    {
      edits: [
        { op: 'set', path: 'a', value: '9' },
        { op: 'set', path: 'a', value: '1' },
        { op: 'set', path: 'tmp', value: '1' },
        { op: 'delete', path: 'tmp' },
        { op: 'set', path: 'b.c', value: '3' },
      ],
      why: 'nothing of what was undone',
    },
  ])('are counted where they differ: $why', async ({ edits }) => {
    const { summary, after } = await report(
      BASE,
      edits.map((edit) => ({ doc: 0, ...edit })),
    );
    expect(summary).toContain(counted(dataDiff(BASE, after)));
  });

  it('are counted where they differ, whatever a batch does [EDT-10]', async () => {
    const paths = [
      'a',
      'b',
      'b.c',
      'b.d',
      'b.d[0]',
      'b.d[2].z',
      'list',
      'list[0]',
      'list[1]',
      'list[1].w',
      'new',
      'e',
    ];
    const value = fc.constantFrom('1', 'x', '"q"', '[1, 2]', '{k: 1}', '- i\n- j', 'k: 1\nl: 2', '|\n  t');
    const path = fc.constantFrom(...paths);
    const edit = fc.oneof(
      fc.record({ op: fc.constant('set'), path, value }),
      fc.record({ op: fc.constant('delete'), path }),
      fc.record({ op: fc.constant('append'), path, value }),
      fc.record({ op: fc.constant('insert'), path, value, index: fc.nat(3) }),
      fc.record({ op: fc.constant('insert'), path, value, key: fc.constantFrom('i', 'j') }),
      fc.record({ op: fc.constant('rename'), path, new_key: fc.constantFrom('r', 's') }),
    );
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const file = `f${count++}.yaml`;
        server.write(file, BASE);
        const args = { edits: edits.map((each) => ({ file, doc: 0, ...each })), dry_run: false };
        const outcome = await server.callTool('config_edit', args);
        const after = server.disk(file);
        if (outcome.isError) {
          expect(after).toBe(BASE);
          return;
        }
        applied += 1;
        const differing = dataDiff(BASE, after);
        if (differing.length > 0) expect(outcome.text).toContain(counted(differing));
      }),
      // Seeded: how many batches can be applied at all is chance.
      { numRuns: 120, seed: 20 },
    );
    expect(applied).toBeGreaterThan(30);
  });

  it('of comments and spelling are told apart from those of data', async () => {
    const edits = [
      { op: 'comment', path: 'a', doc: 0, comment: 'why' },
      { op: 'set', path: 'a', doc: 0, value: '1 # why' },
    ];
    for (const edit of edits) {
      const { text, warnings } = await report(BASE, [edit]);
      expect(text).toContain('comments or layout only');
      expect(warnings).toEqual([]);
    }
  });
});

describe('a report that is cut says so', () => {
  it('of aliases', async () => {
    const long = 'k'.repeat(30);
    const before = `a: &a 1\n${Array.from({ length: 3_000 }, (_, i) => `${long}${i}: *a\n`).join('')}`;
    const { text } = await report(before, [{ op: 'set', path: 'a', json: 2 }]);
    expect(text).toMatch(/; and \d{3,4} more\n/u);
  });

  it('of changes', async () => {
    const lines = (value: string) => Array.from({ length: 600 }, (_, i) => `k${i}: ${value}\n`).join('');
    const { warnings } = await report(lines('1'), [{ op: 'set', path: '', value: lines('no') }]);
    expect(warnings).toContain('Only the first 500 of 600 changes were looked over for warnings.');
    expect(warnings).toContainEqual(expect.stringMatching(/^… and \d+ more\.$/));
  });
});

describe('removed_comments', () => {
  const COMMENTED = `# of a
a: 1 # tail

# of b
# more of b
b:
  # within
  c: 1 # deep
l: [1, # one
  2] # two
`;
  test.each([
    { edit: { op: 'delete', path: 'a' }, gone: ['# of a', '# tail'] },
    { edit: { op: 'delete', path: 'b' }, gone: ['# of b', '# more of b', '# within', '# deep'] },
    { edit: { op: 'set', path: 'a', value: '2' }, gone: [] },
    { edit: { op: 'set', path: 'b', json: 2 }, gone: ['# within', '# deep'] },
    { edit: { op: 'set', path: 'l', json: [] }, gone: ['# one'] },
    { edit: { op: 'comment', path: 'b', comment: 'other' }, gone: ['# of b', '# more of b'] },
    { edit: { op: 'comment', path: 'a', comment: '', place: 'line_end' }, gone: ['# tail'] },
    { edit: { op: 'comment', path: 'a', comment: 'end', place: 'line_end' }, gone: [] },
    { edit: { op: 'set', path: 'a', value: '2 # v2' }, gone: ['# tail'] },
    { edit: { op: 'rename', path: 'b', new_key: 'B' }, gone: [] },
    { edit: { op: 'move', path: 'a', to: 'b' }, gone: [] },
  ])('$edit takes $gone', async ({ edit, gone }) => {
    const { removed_comments, text, after } = await report(COMMENTED, [edit]);
    expect(removed_comments).toEqual(gone);
    for (const comment of gone) expect(after).not.toContain(comment);
    if (gone.length > 0) expect(text).toContain(`Removed comments: ${gone.join('; ')}`);
  });

  it('are none where a commented-out part is one again', async () => {
    const edits = [{ op: 'replace_text', old_text: '#a: 1\n#b: 2\n', new_text: 'a: 1\nb: 2\n' }];
    expect((await report('#a: 1\n#b: 2\nc: 3\n', edits)).removed_comments).toEqual([]);
  });

  test.each([
    {
      edit: { op: 'comment', path: 'b', comment: 'other' },
      says: 'This replaces the comment above b. To add to it instead, send the edit with "keep": true.',
    },
    { edit: { op: 'comment', path: 'b', comment: 'other', keep: false }, says: undefined },
    { edit: { op: 'comment', path: 'b', comment: 'other', keep: true }, says: undefined },
    { edit: { op: 'comment', path: 'b', comment: '' }, says: undefined },
    { edit: { op: 'comment', path: 'l', comment: 'new' }, says: undefined },
  ])('are warned of where $edit replaces one', async ({ edit, says }) => {
    expect((await report(COMMENTED, [edit])).warnings).toEqual(says === undefined ? [] : [says]);
  });

  it('and a header that is none is said', async () => {
    server.write('header.yaml', COMMENTED);
    const edits = [{ op: 'comment', file: 'header.yaml', path: '', comment: '' }];
    expect((await server.ok('config_edit', { edits })).text).toContain(
      'There is no header: the comment at the top is directly above the first entry, and is its comment.',
    );
  });
});

describe('warnings', () => {
  const PLAIN = 'a: null\nm: {k: [1]}\nl: [i]\n';
  const TRAPS = [
    ...['no', 'Off', 'n', 'yes', 'ON', 'y', '0o17', '017', '-017', '08', '1.10', '1.0', '12:30', '1:30:00.5'],
    ...['2024-01-01', '2024-01-01T10:00:00Z', '2024-01-01 10:00:00', '1_000', '1_0.5', '0b11', '0x_1F'],
    ...['1e3', '1E-3', '1.5e3', '.5e3', '=', '<<'],
  ];
  test.each(TRAPS)('%s reads differently elsewhere, wherever it is put', async (value) => {
    for (const { edit, at } of [
      { edit: { op: 'set', path: 'a', value }, at: 'a' },
      { edit: { op: 'append', path: 'l', value }, at: 'l[1]' },
      { edit: { op: 'set', path: 'm', value: `{k: [1, ${value}]}` }, at: 'm.k[1]' },
    ]) {
      const { warnings, text } = await report(PLAIN, [edit]);
      expect(warnings).toEqual([expect.stringMatching(`^${at.replace(/[[\]]/g, '\\$&')}: .*Quote it`)]);
      expect(warnings[0]).toContain(value);
      expect(text).toContain(`Warning: ${warnings[0]}`);
    }
    // Quoted, or sent as data, it reads the same everywhere.
    for (const safe of [{ value: `'${value}'` }, { json: value }])
      expect((await report(PLAIN, [{ op: 'set', path: 'a', ...safe }])).warnings).toEqual([]);
  });

  test.each([
    'x',
    '1',
    '1.5',
    '-0',
    'true',
    'null',
    '~',
    '0x1F',
    '.inf',
    '1.5e+3',
    'nope',
    '2024-01-01 is a day',
    'v1.10',
  ])('%s reads the same everywhere', async (value) => {
    expect(
      (await report('a: old\n', [{ op: 'set', path: 'a', value }])).warnings.filter((one) =>
        one.includes('YAML 1.1'),
      ),
    ).toEqual([]);
  });

  test.each([
    {
      value: '{on: x}',
      says: 'a.on: the key on is the boolean true for YAML 1.1 readers. Quote it if it is meant as text.',
    },
    { value: '!!js/function x', says: 'a: the tag !!js/function makes some readers run code.' },
    {
      value: '[!!python/object:os.system x]',
      says: 'a[0]: the tag !!python/object:os.system makes some readers run code.',
    },
    { value: '!ruby/object:X {}', says: 'a: the tag !ruby/object:X makes some readers run code.' },
  ])('of keys and tags: $value', async ({ value, says }) => {
    expect((await report(PLAIN, [{ op: 'set', path: 'a', value }])).warnings).toContain(says);
  });

  it.each<[string, string, (name: string) => Edit]>([
    ['new keys', 'a: 1\n', (key) => ({ op: 'insert', path: '', key, before: 'ver', json: 1 })],
    ['other warnings', NAMES.map((key) => `${key}: x\n`).join(''), noAt],
  ])('of what is asked, and of what deceives, behind however many %s [EDT-10]', async (_, above, made) => {
    const file = server.fresh(`${above}ver: "1.10"\nend: x\n`);
    const edits = [
      ...NAMES.map(made),
      { op: 'set', path: 'ver', value: '1.11' },
      { op: 'set', path: 'end', value: 'a\u202eb' },
    ].map((edit) => ({ file, ...edit }));
    expect((await server.refused('config_edit', { edits, dry_run: false })).code).toBe('PREVIEW_REQUIRED');
    const { text } = await server.ok('config_edit', { edits });
    expect(text).toContain('ver: was text ("1.10") and becomes a number (1.11). Did you mean');
    expect(text).toContain('U+202E reorders the text');
  });

  it('never of JSON, which has no such readers', async () => {
    const { warnings } = await report(
      '{"a": null}',
      [{ op: 'set', path: 'a', value: '{"no": 1, "x": 1.10}' }],
      'json',
    );
    expect(warnings).toEqual([]);
  });

  test.each([
    { value: '"x\u202ey"', code: '202E', says: 'reorders the text', why: 'bidirectional override' },
    { value: 'x\u200by', code: '200B', says: 'is invisible', why: 'zero-width space' },
    { value: 'x\ufe0fy', code: 'FE0F', says: 'is invisible', why: 'variation selector' },
    { value: 'x\u{e0041}y', code: 'E0041', says: 'is invisible', why: 'tag character' },
    { value: 'x\u00a0y', code: '00A0', says: 'looks like a space', why: 'no-break space' },
    {
      value: 'pаypal',
      code: '0430',
      says: 'only looks like another sign',
      why: 'a Cyrillic letter among Latin ones',
    },
    { value: 'ａdmin', code: 'FF41', says: 'only looks like another sign', why: 'full width' },
  ])('of $why, which diff and text show escaped', async ({ value, code, says }) => {
    for (const edit of [
      { op: 'set', path: 'a', value },
      { op: 'comment', path: 'a', comment: value },
    ]) {
      const { diff, text, warnings } = await report(PLAIN, [edit]);
      const all = `${diff}${text}`;
      expect(warnings.join()).toContain(`U+${code} ${says}`);
      expect(diff).toContain(`<U+${code}>`);
      expect(all).not.toContain(String.fromCodePoint(Number.parseInt(code, 16)));
    }
  });

  it('of a whole word that could be another', async () => {
    const { warnings } = await report(PLAIN, [{ op: 'rename', path: 'a', new_key: 'а' }]);
    expect(warnings).toContain(
      'In the new text letters of another alphabet could be taken for Latin ones: U+0430.',
    );
  });

  test.each(['Привет, мир', 'Ελληνικά', '漢字', 'naïve café', '😀', 'Ω', 'Москва x'])(
    'not of plain %s',
    async (value) => {
      const { warnings, diff } = await report(PLAIN, [{ op: 'set', path: 'a', value }]);
      expect(warnings).toEqual([]);
      expect(diff).toContain(`+a: ${value}`);
    },
  );
});

it.each([
  {
    text: 'a:\n  resources:\n    limits: 1\n',
    op: 'delete',
    path: 'a.resources.limits',
    says: 'a.resources empty ({})',
  },
  { text: 'l:\n- 1\nb: 1\n', op: 'delete', path: 'l[0]', says: 'l empty ([])' },
  { text: 'a: {b: 1}\nc: {d: 1}\n', op: 'move', path: 'a.b', to: 'c', says: 'a empty ({})' },
  { text: 'a: {b: 1, c: 2}\n', op: 'delete', path: 'a.b', says: undefined },
  { text: 'a: {b: 1}\nc: 1\n', op: 'delete', path: 'a', says: undefined },
  { text: 'a: {b: 1}\n', op: 'set', path: 'a', json: { c: 1 }, says: undefined },
])('says which parent a deletion leaves empty: $op $path', async ({ text, says, ...edit }) => {
  const { warnings } = await report(text, [edit]);
  expect(warnings).toEqual(says === undefined ? [] : [`It leaves ${says}.`]);
});
