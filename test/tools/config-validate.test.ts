// config_validate through a client: every problem with its line and column, of files and of texts.
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { ownToolServer, toolServer } from '../harness/tool-server.ts';

const FILES = {
  'good.yaml': 'a: 1\nb: [1, 2]\n',
  'syntax.yaml': 'a: [1\nb: "x\\q"\nc: {d: 1\n',
  'multi.yaml': 'kind: A\na: 1\na: 2\n---\nkind: B\nb: *x\nc: {d: 1, d: 2}\n---\nkind: C\n',
  'bad.json': '{\n  "a": 1,\n}\n',
  'commented.json': '{\n  // why\n  "a": 1\n}\n',
  'good.json': '{"a": 1}\n',
  'duplicate.json': '{"a": 1, "b": {"x": 1, "x": 2}}\n',
  'bom.yaml': '\uFEFFa: 1\r\né𝄞: {"é": 1, "é": 2}\r\n',
};

const Report = z.strictObject({
  ok: z.literal(true),
  file: z.string().optional(),
  valid: z.boolean(),
  problem_count: z.number(),
  hazards: z.array(z.unknown()),
  schemas: z.array(z.string()),
  notes: z.array(z.string()),
  problems: z.array(
    z.strictObject({
      code: z.string(),
      message: z.string(),
      line: z.number().min(1),
      column: z.number().min(1),
      doc: z.number().optional(),
      path: z.string().optional(),
    }),
  ),
});

const server = toolServer({ files: FILES });

async function report(args: Readonly<Record<string, unknown>>) {
  const { data, text } = await server.ok('config_validate', args);
  return { ...Report.parse(data), text };
}

async function places(args: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const { problems } = await report(args);
  return problems.map(({ code, line, column, path = null }) => [code, line, column, path]);
}

test.each([
  { file: 'good.yaml' },
  { file: 'good.json' },
  { text: 'a: 1' },
  { text: '' },
  { text: '# only\n' },
])('valid: %j', async (args) => {
  const { valid, problem_count, problems, file, text } = await report(args);
  expect({ valid, problem_count, problems }).toEqual({ valid: true, problem_count: 0, problems: [] });
  expect(file).toBe('file' in args ? args.file : undefined);
  expect(text).toBe('Valid: no problems found.');
});

it('finds every syntax error, in the order of the text', async () => {
  const { valid, problem_count, problems, text } = await report({ file: 'syntax.yaml' });
  expect({ valid, count: problem_count }).toEqual({ valid: false, count: problems.length });
  expect(problems.length).toBeGreaterThanOrEqual(3);
  expect(problems.every(({ code }) => code === 'SYNTAX_INVALID')).toBe(true);
  const order = problems.map(({ line, column }) => line * 1000 + column);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(problems).toContainEqual(expect.objectContaining({ line: 2, column: 6 }));
  for (const { line, column, message } of problems)
    expect(text).toContain(`line ${line}, column ${column}: SYNTAX_INVALID: ${message}`);
});

it('finds what valid syntax gets wrong, in every document', async () => {
  expect(await places({ file: 'multi.yaml' })).toEqual([
    ['DUPLICATE_KEY', 3, 1, 'a[#2]'],
    ['ANCHOR_IN_USE', 6, 4, 'b'],
    ['DUPLICATE_KEY', 7, 11, 'c.d[#2]'],
  ]);
});

it('knows JSON from YAML by the name of the file', async () => {
  expect(await places({ file: 'bad.json' })).toEqual([['SYNTAX_INVALID', 3, 1, null]]);
  expect(await places({ file: 'duplicate.json' })).toEqual([['DUPLICATE_KEY', 1, 24, 'b.x[#2]']]);
});

it('says that a .json file with comments is none for strict readers', async () => {
  const { valid, notes } = await report({ file: 'commented.json' });
  expect({ valid, notes }).toEqual({
    valid: true,
    notes: [expect.stringContaining('strict JSON refuse it')],
  });
});

it('never shows what stands in the file beyond its keys', async () => {
  const { text } = await report({ text: 'password: hunter2: hunter3\nkey: [hunter4\n' });
  expect(text).not.toContain('hunter');
});

it('lists 500 problems and counts them all', async () => {
  const text = Array.from({ length: 700 }, () => 'a: 1\n').join('');
  const reply = await report({ text });
  expect({ count: reply.problem_count, listed: reply.problems.length }).toEqual({ count: 699, listed: 500 });
  expect(reply.text).toContain('and 199 more');
});

describe('many files', () => {
  it('are checked to the last one, page by page, and are remembered as they are', async () => {
    const many = await ownToolServer();
    for (let i = 0; i < 450; i++)
      many.write(`f${String(i).padStart(3, '0')}.yaml`, i % 2 === 0 ? `a: [${i}\n` : `a: ${i}\n`);
    for (const _ of [1, 2]) {
      const [lines, counts]: [string[], unknown[]] = [[], []];
      let cursor: unknown;
      do {
        const { data } = await many.ok('config_validate', {
          pattern: '**',
          ...(cursor === undefined ? {} : { cursor }),
        });
        lines.push(...z.array(z.string()).parse(data['problems']));
        counts.push([data['problem_count'], data['files'], data['of']]);
        cursor = data['next_cursor'];
      } while (cursor !== undefined);
      expect(lines).toHaveLength(225);
      expect(new Set(lines.map((line) => line.slice(0, 10))).size).toBe(225);
      expect(counts).toEqual([
        [200, 399, 450],
        [225, 450, undefined],
      ]);
    }
    many.write('f000.yaml', 'a: 0\n');
    const { data } = await many.ok('config_validate', { pattern: 'f00*' });
    expect(data).toMatchObject({ problem_count: 4, valid: false });
  });
});

describe('what is wrong is refused', () => {
  test.each([
    { args: { file: 'none.yaml' }, code: 'FILE_NOT_FOUND' },
    { args: { file: '../good.yaml' }, code: 'PATH_INVALID' },
    { args: { file: 'good.yaml', doc: 1 }, code: 'NODE_NOT_FOUND' },
    { args: { file: 'multi.yaml', doc: {} }, code: 'DOCUMENT_AMBIGUOUS' },
    { args: { text: '['.repeat(200) }, code: 'LIMIT_EXCEEDED' },
  ])('$args: $code', async ({ args, code }) => {
    expect((await server.refused('config_validate', args)).code).toBe(code);
  });
});

it('does not call plain text valid, and counts it beside the files that were checked', async () => {
  const server = await ownToolServer({
    files: { 'a.properties': 'a=\\u00zz\n', 'b.properties': 'a=1\n', 'c.yaml': 'a: 1\n' },
  });
  const one = await server.ok('config_validate', { file: 'a.properties' });
  expect(one.text).toBe('Plain text: not checked.');
  expect(one.data['notes']).toEqual(['Plain text: not checked.']);
  const all = await server.ok('config_validate', {});
  expect(all.text).toBe('1 file checked, 0 with problems.\n2 files of plain text: not checked.');
  expect(all.data).toMatchObject({ files: 3, plain_text: 2 });
});
