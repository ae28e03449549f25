// config_edit through a client: what each operation does to YAML and to JSON, batches that are all or nothing,
// and what is refused. What a reply reports of a change is edit-report.test.ts.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { applyDiff } from '../harness/apply-diff.ts';
import { sha256 } from '../harness/sha256.ts';
import { toolServer } from '../harness/tool-server.ts';

const APP = `# app
server:
  host: localhost   # keep
  ports: [80, 443]
# the list
list:
- one
# about two
- two # second
- three
env:
  A: 1

  # about B
  B: 2 # b
  C: 3
`;
const PACKAGE = `{
  "name": "app",
  "tags": ["a", "b"],
  "deep": {"x": 1},
  "list": [
    1,
    2
  ],
  "empty": {}
}
`;

const server = toolServer();

const Edited = z.looseObject({
  dry_run: z.literal(true).optional(),
  applied: z.literal(true).optional(),
  preview_id: z.string().optional(),
  diff: z.string().default(''),
  sha256: z.array(z.string()).default([]),
});
const short = (text: string) => sha256(text).slice(0, 12);

async function edit(args: Readonly<Record<string, unknown>>, tool = 'config_edit') {
  return Edited.parse((await server.ok(tool, args)).data);
}

type Edit = Readonly<Record<string, unknown>>;

/** The bytes after a write that the preview announced: its diff, its sha256. */
async function written(contents: string, edits: readonly Edit[], extension = 'yaml'): Promise<string> {
  const file = server.fresh(contents, extension);
  const {
    preview_id,
    diff,
    sha256: hashes,
  } = await edit({ edits: edits.map((each) => ({ file, ...each })) });
  expect(server.disk(file)).toBe(contents);
  if (preview_id === undefined) {
    expect(diff).toBe('');
    return contents;
  }
  expect(await edit({ preview_id }, 'config_apply')).toMatchObject({ applied: true, sha256: hashes });
  const after = server.disk(file);
  expect(hashes).toEqual([`${file} ${short(contents)} → ${short(after)}`]);
  expect(applyDiff(contents, diff)).toBe(after);
  return after;
}

describe('JSON stays JSON', () => {
  test.each([
    "'x'",
    'x',
    'a: 1',
    '- x',
    '{a: 1}',
    '[1,]',
    '1 # why',
    '!!str x',
    '&a 1',
    '*a',
    '',
    '|\n  x',
    '.5',
  ])('the fragment %j is YAML only, and refused in so many words', async (value) => {
    for (const op of [
      { op: 'append', path: 'list' },
      { op: 'insert', path: 'list', index: 0 },
      { op: 'insert', path: 'deep', key: 'k' },
      { op: 'set', path: 'name' },
    ]) {
      const file = server.fresh(PACKAGE, 'json');
      const error = await server.refused('config_edit', { edits: [{ file, ...op, value }], dry_run: false });
      expect(error.code).toBe('VALUE_INVALID');
      expect(error.message).toContain('JSON');
      expect(server.disk(file)).toBe(PACKAGE);
    }
  });

  test.each([{ comment: 'why' }, { comment: '' }, { comment: 'why', place: 'line_end' }])(
    'a comment is refused: %j',
    async (comment) => {
      const file = server.fresh(PACKAGE, 'json');
      const error = await server.refused('config_edit', {
        edits: [{ file, op: 'comment', path: 'name', ...comment }],
      });
      expect(error.code).toBe('VALUE_INVALID');
      expect(error.message).toContain('JSON has no comments');
    },
  );
});

describe('a key that no reader would take for one', () => {
  const LONGEST = 'k'.repeat(1_000);

  it.each([
    { op: 'rename', path: 'server', new_key: `${LONGEST}k` },
    { op: 'insert', path: '', key: `${LONGEST}k`, json: 1 },
    { op: 'set', path: `env.${LONGEST}k.more`, json: 1 },
    { op: 'set', path: 'env', json: { [`${LONGEST}k`]: 1 } },
    // Its quotes count.
    { op: 'rename', path: 'server', new_key: `: ${LONGEST.slice(2)}` },
  ])('is refused for its length: $op', async (edit) => {
    const file = server.fresh(APP);
    const error = await server.refused('config_edit', { edits: [{ file, ...edit }], dry_run: false });
    expect(error).toMatchObject({ code: 'VALUE_INVALID', details: 'Choose a shorter key' });
    expect(error.message).toContain('at most 1000');
    expect(server.disk(file)).toBe(APP);
  });
});

describe('a batch', () => {
  it('lets later edits see what earlier ones made', async () => {
    const after = await written('a: 1\nl: [x]\n', [
      { op: 'set', path: 'b.c', json: 1 },
      { op: 'rename', path: 'b.c', new_key: 'd' },
      { op: 'set', path: 'b.d', value: '2' },
      { op: 'insert', path: 'l', index: 0, value: 'w' },
      { op: 'set', path: 'l[1]', value: 'y' },
      { op: 'delete', path: 'a' },
      { op: 'comment', path: 'b.d', comment: 'new', place: 'line_end' },
      { op: 'append', path: 'l', value: 'z' },
      { op: 'delete', path: 'l[0]' },
    ]);
    expect(after).toBe('l: [y, z]\nb:\n  d: 2 # new\n');
  });

  it('that comes to nothing says so, and writes nothing', async () => {
    const [one, two] = [server.fresh(APP), server.fresh(PACKAGE, 'json')];
    const before = [server.changedAt(one), server.changedAt(two)];
    const edits = [
      { file: one, op: 'set', path: 'env.A', value: '9' },
      { file: two, op: 'set', path: 'name', json: 'app' },
      { file: one, op: 'set', path: 'env.A', value: '1' },
    ];
    for (const dry_run of [true, false]) {
      const { text, data } = await server.ok('config_edit', { edits, dry_run });
      expect(text).toBe('No change: the files already say this. Nothing was written.');
      expect(data).toEqual({ ok: true, note: text });
    }
    expect([server.changedAt(one), server.changedAt(two)]).toEqual(before);
  });

  it('over several files shows one diff for each, in the order of their first edits, and writes them all', async () => {
    const [last, first, same] = [server.fresh(APP), server.fresh(PACKAGE, 'json'), server.fresh('a: 1\n')];
    const edits = [
      { file: first, op: 'set', path: 'name', json: 'x' },
      { file: last, op: 'delete', path: 'env' },
      { file: same, op: 'set', path: 'a', value: '1' },
      { file: first, op: 'delete', path: 'tags' },
    ];
    const { text, data } = await server.ok('config_edit', { edits });
    const preview = Edited.parse(data);
    expect(preview.diff.match(/^--- .*/gmu)).toEqual([`--- a/${first}`, `--- a/${last}`]);
    expect(text).toMatch(/^Preview: 3 paths in 2 files \(1 more without a change\); nothing was written\./);
    const untouched = server.changedAt(same);
    const id = { preview_id: preview.preview_id };
    // What does not change is no part of what is applied, and may change meanwhile.
    expect((await edit(id, 'config_apply')).sha256).toEqual(preview.sha256);
    expect(JSON.parse(server.disk(first))).toEqual({ name: 'x', deep: { x: 1 }, list: [1, 2], empty: {} });
    expect(server.disk(last)).toBe(APP.slice(0, APP.indexOf('env:')));
    expect(server.changedAt(same)).toBe(untouched);
    expect((await server.refused('config_apply', id)).code).toBe('PREVIEW_USED');
  });

  describe('is all or nothing', () => {
    const GOOD = { op: 'set', path: 'env.A', value: '2' };
    const untouched = async <Result>(
      files: readonly string[],
      act: () => Promise<Result>,
    ): Promise<Result> => {
      const look = () => files.map((file) => [server.disk(file), server.changedAt(file)]);
      const before = look();
      const result = await act();
      expect(look()).toEqual(before);
      return result;
    };

    test.each([
      { bad: { op: 'delete', path: 'env.Z' }, code: 'NODE_NOT_FOUND' },
      { bad: { op: 'append', path: 'server', value: 'x' }, code: 'TYPE_MISMATCH' },
      { bad: { op: 'set', path: 'env.A', value: '[' }, code: 'VALUE_INVALID' },
      { bad: { op: 'set', path: 'env.A', value: '1', doc: 1 }, code: 'NODE_NOT_FOUND' },
      { bad: { op: 'delete', path: 'x', file: 'none.yaml' }, code: 'FILE_NOT_FOUND' },
      { bad: { op: 'delete', path: 'x', file: '../x.yaml' }, code: 'PATH_INVALID' },
    ])('an edit that is refused is named, and nothing changes: $bad', async ({ bad, code }) => {
      const [one, two] = [server.fresh(APP), server.fresh(APP)];
      const edits = [
        { file: one, ...GOOD },
        { file: two, ...GOOD },
        { file: two, ...bad },
        { file: one, ...GOOD },
      ];
      await untouched([one, two], async () => {
        for (const dry_run of [true, false]) {
          const error = await server.refused('config_edit', { edits, dry_run });
          expect(error.code).toBe(code);
          const file = 'file' in bad ? bad.file : two;
          expect(error).toMatchObject({ file });
          expect(error.text).toContain(`In edits[2], ${file}`);
        }
      });
    });

    test.each([
      { code: 'ANCHOR_IN_USE', bad: { op: 'delete', path: 'a' } },
      { code: 'SECRET_PLACEHOLDER', bad: { op: 'set', path: 'password', value: 'Zq8vLm2xTr5w' } },
    ])('of edits that are proven together, the one at fault is named: $code', async ({ code, bad }) => {
      const file = server.fresh('a: &a 1\nb: *a\nc: 1\nd: 2\npassword: Kp4nWd7yHs3v\n');
      const good = ['c', 'd'].map((path) => ({ file, op: 'set', path, value: '7' }));
      const error = await server.refused('config_edit', { edits: [good[0], { file, ...bad }, good[1]] });
      expect(error.code).toBe(code);
      expect(error.text).toContain('In edits[1]');
    });

    it('a file that changed since is named, and the others stay', async () => {
      const [one, two] = [server.fresh(APP), server.fresh(APP)];
      const edits = [
        { file: one, ...GOOD },
        { file: two, ...GOOD },
      ];
      const { preview_id } = await edit({ edits });
      server.write(two, `${APP}# touched\n`);
      const error = await untouched([one, two], () => server.refused('config_apply', { preview_id }));
      expect(error).toMatchObject({ code: 'FILE_CHANGED', file: two });
      expect(error.details).toContain(`The file has sha256 ${sha256(`${APP}# touched\n`)} now`);
      const step = error.again;
      expect(step?.tool).toBe('config_apply');
      await server.ok('config_apply', step?.arguments);
      expect(server.disk(two)).toBe(`${server.disk(one)}# touched\n`);
      expect(server.disk(one)).not.toBe(APP);
    });

    it('a file whose mode is read-only stops the others, though only when it comes to writing', async () => {
      const [one, two] = [server.fresh(APP), server.fresh(APP)];
      chmodSync(join(server.root, two), 0o444);
      const edits = [
        { file: one, ...GOOD },
        { file: two, ...GOOD },
      ];
      await edit({ edits });
      await untouched([one, two], async () => {
        const error = await server.refused('config_edit', { edits, dry_run: false });
        expect(error).toMatchObject({ code: 'READ_ONLY', file: two });
        expect(error.text).toContain(`In ${two}`);
      });
    });
  });

  describe('expected_sha256', () => {
    const OTHER = sha256('other');
    const set = (file: string) => ({ file, op: 'set', path: 'env.A', value: '2' });

    test.each([{ dry_run: true }, { dry_run: false }])(
      'as text holds for the one file: %j',
      async ({ dry_run }) => {
        const file = server.fresh(APP);
        const refusal = { edits: [set(file)], dry_run, expected_sha256: OTHER };
        expect(await server.refused('config_edit', refusal)).toMatchObject({
          code: 'FILE_CHANGED',
          file,
        });
        expect((await edit({ ...refusal, expected_sha256: sha256(APP) })).dry_run).toBe(dry_run || undefined);
      },
    );

    it('by file may name some of them', async () => {
      const [one, two] = [server.fresh(APP), server.fresh(APP)];
      const edits = [set(one), set(two)];
      await edit({ edits, expected_sha256: { [two]: sha256(APP) } });
      await edit({ edits, expected_sha256: {} });
      const error = await server.refused('config_edit', { edits, expected_sha256: { [two]: OTHER } });
      expect(error).toMatchObject({ code: 'FILE_CHANGED', file: two });
    });

    test.each([
      { expected_sha256: OTHER, says: 'for several files, give it as [{"file": …, "sha256": …}]' },
      { expected_sha256: { 'none.yaml': OTHER }, says: 'no edit is of "none.yaml"' },
      { expected_sha256: { __proto__x: OTHER }, says: 'no edit is of "__proto__x"' },
      { expected_sha256: 'abc', says: 'expected 8 to 64 hexadecimal digits' },
      { expected_sha256: 5, says: 'expected_sha256' },
    ])('that fits no file is refused: $expected_sha256', async ({ expected_sha256, says }) => {
      const edits = [set(server.fresh(APP)), set(server.fresh(APP))];
      const { code, text } = await server.refused('config_edit', { edits, expected_sha256 });
      expect(code).toBe('ARGUMENT_INVALID');
      expect(text).toContain(says);
    });
  });
});

test.each<{ name: string; text: string; value: string; step: unknown }>([
  {
    name: 'a.json',
    text: '{"a": 1}\n',
    value: 'on: [x]\nit: {n: 1.5}',
    step: { on: ['x'], it: { n: 1.5 } },
  },
  { name: 'a.jsonc', text: '{"a": 1}\n', value: '- a\n- ~', step: ['a', null] },
  { name: 'a.toml', text: 'a = 1\n', value: 'a b:\n- 1\n- c: "x"', step: { 'a b': [1, { c: 'x' }] } },
  // TOML has no null, and a number would lose a digit.
  { name: 'a.toml', text: 'a = 1\n', value: 'a:\nb: 1', step: undefined },
  { name: 'a.json', text: '{"a": 1}\n', value: 'a: 1.10', step: undefined },
  { name: 'a.json', text: '{"a": 1}\n', value: 'plain words', step: undefined },
])('YAML for $name is offered as json: $value', async ({ name, text, value, step }) => {
  const folder = `yaml-for${yamlFor++}`;
  mkdirSync(join(server.root, folder));
  writeFileSync(join(server.root, folder, name), text);
  const file = `${folder}/${name}`;
  const edits = [
    { op: 'set', file, path: 'a', json: 2 },
    { op: 'set', file, path: 'b', value },
  ];
  const { code, again } = await server.refused('config_edit', { edits });
  expect(code).toBe('VALUE_INVALID');
  const corrected = [edits[0], { op: 'set', file, path: 'b', json: step ?? value }];
  expect(again?.arguments).toEqual({ edits: corrected });
  await server.ok('config_edit', again?.arguments);
});

let yamlFor = 0;

describe('arguments', () => {
  test.each([
    { edit: { op: 'set' }, says: ['set takes exactly one of value and json'] },
    {
      edit: { op: 'set', value: '1', index: 1, place: 'before' },
      says: ['set takes no index', 'set takes no place'],
    },
    {
      edit: { op: 'delete', value: '1', create: true },
      says: ['delete takes no value', 'delete takes no create'],
    },
    {
      edit: { op: 'insert', json: 1, index: 0, key: 'k' },
      says: ['insert takes exactly one of index and key'],
    },
    {
      edit: { op: 'insert', json: 1, key: 'k', before: 'a', after: 'b' },
      says: ['give before or after, not both'],
    },
    { edit: { op: 'insert', json: 1 }, says: ['or before or after an item of a list'] },
    {
      edit: { op: 'insert', index: 0, new_key: 'x' },
      says: ['insert takes exactly one of value and json', 'insert takes no new_key'],
    },
    {
      edit: { op: 'comment', comment: 'x', place: 'after' },
      says: ['place: expected "before" or "line_end"'],
    },
    { edit: { op: 'set', pth: 'a', json: 1 }, says: ['pth: no such field, did you mean path?'] },
    {
      edit: { op: 'set', json: 1, create: 'yes', doc: [] },
      says: ['create: expected a boolean', 'doc: expected'],
    },
  ])('that do not fit the operation are named: $edit', async ({ edit, says }) => {
    const { code, text } = await server.refused('config_edit', {
      edits: [{ file: 'a.yaml', path: 'a', ...edit }],
    });
    expect(code).toBe('ARGUMENT_INVALID');
    for (const words of says) expect(text).toContain(words);
    expect(text).toContain('edits[0].');
  });

  test.each([
    { args: {}, says: 'edits: missing' },
    { args: { edits: [] }, says: 'edits: expected at least 1 item' },
    {
      args: { edits: Array.from({ length: 201 }, () => ({ op: 'delete', file: 'a.yaml', path: 'a' })) },
      says: 'at most 200',
    },
    { args: { edits: [null, 'x'] }, says: 'edits[0]: expected an object' },
  ])('$says', async ({ args, says }) => {
    const { code, text } = await server.refused('config_edit', args);
    expect(code).toBe('ARGUMENT_INVALID');
    expect(text).toContain(says);
  });
});

test('a document is named by what the edits before have made of it', async () => {
  const file = server.fresh('kind: A\nmetadata: {name: x}\nn: 1\n');
  const edits = [
    { op: 'set', file, path: 'kind', json: 'B' },
    { op: 'set', file, doc: 'A/x', path: 'n', json: 2 },
  ];
  expect((await server.refused('config_edit', { edits })).code).toBe('NODE_NOT_FOUND');
});

test('the last of many edits is refused at about the price of the batch', async () => {
  const keys = Array.from({ length: 60 }, (_, index) => `k${index}`);
  const file = server.fresh(`${keys.map((key) => `${key}: 1\n`).join('')}${'# filled\n'.repeat(3_000)}`);
  const edits = keys.map((path) => ({ op: 'set', file, path, value: '2' }));
  const missing = { op: 'delete', file, path: 'missing' };
  // The least of three: a run beside others pays for their garbage and for code that is not yet compiled.
  const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
    const costs: number[] = [];
    for (let run = 0; run < 3; run++) {
      const from = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(from);
      costs.push(user + system);
    }
    return Math.min(...costs);
  };
  const fine = await cpuOf(() => server.ok('config_edit', { edits }));
  const refused = await cpuOf(async () => {
    const { code, text } = await server.refused('config_edit', { edits: [...edits, missing] });
    expect(code).toBe('NODE_NOT_FOUND');
    expect(text).toContain('In edits[60]');
  });
  // Halving reads the file about seven times; one edit after another reads it sixty times.
  expect(refused / fine).toBeLessThan(20);
});
