// Wrong arguments come back as one ARGUMENT_INVALID that names each problem, its place and what was
// expected; whatever the client sent as a value stays out of it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureTool, OK } from '../harness/fixture-tools.ts';
import { connectInProcess, type InProcess } from '../harness/in-process.ts';

const CANARY = 'CANARY-9f3b';
const seen: unknown[] = [];

const subject = fixtureTool({
  name: 'subject',
  input: {
    file: z.string().min(2).max(20),
    path: z.string().optional(),
    doc: z.union([z.int(), z.record(z.string(), z.string())]).optional(),
    view: z.enum(['source', 'outline']).default('source'),
    limit: z.int().min(1).max(5).optional(),
    edits: z
      .array(z.strictObject({ op: z.literal('set'), value: z.string() }))
      .max(2)
      .optional(),
    json: z.unknown().optional(),
  },
  run: (input) => {
    seen.push(input);
    return OK;
  },
});

let server: InProcess;
beforeAll(async () => {
  server = await connectInProcess([subject]);
});
afterAll(() => server.close());

const CASES: readonly { args: Record<string, unknown>; says: readonly string[]; why: string }[] = [
  { args: {}, says: ['file: missing, expected a string'], why: 'a field that must be there' },
  { args: { file: 7 }, says: ['file: expected a string, got a number'], why: 'a wrong type' },
  { args: { file: null }, says: ['file: expected a string, got null'], why: 'null is a type of its own' },
  { args: { file: [] }, says: ['file: expected a string, got an array'], why: 'an array is no object' },
  { args: { file: 'x' }, says: ['file: expected at least 2 characters'], why: 'too short' },
  { args: { file: CANARY.repeat(3) }, says: ['file: expected at most 20 characters'], why: 'too long' },
  { args: { file: 'ok', limit: 1.5 }, says: ['limit: expected an integer'], why: 'a fraction' },
  {
    args: { file: 'ok', limit: 'NaN' },
    says: ['limit: expected a number, got a string'],
    why: 'PROT-007: NaN as text',
  },
  { args: { file: 'ok', limit: 6 }, says: ['limit: expected at most 5'], why: 'too much' },
  {
    args: { file: 'ok', view: CANARY },
    says: ['view: expected "source" or "outline"'],
    why: 'no such choice',
  },
  {
    args: { file: 'ok', doc: true },
    says: ['doc: expected a number, or expected an object'],
    why: 'none of several',
  },
  {
    args: { file: 'ok', fil: CANARY },
    says: ['fil: no such field, did you mean file?'],
    why: 'a mistyped field',
  },
  {
    args: { file: 'ok', [CANARY]: 1 },
    says: ['"CANARY-9f3b": no such field'],
    why: 'a name is shown, a value is not',
  },
  {
    args: { file: 'ok', '\u202Ex\n': 1 },
    says: ['"<U+202E>x<U+000A>": no such field'],
    why: 'a name made visible',
  },
  {
    args: { file: 'ok', edits: [{ op: 'set', valu: CANARY, value: 'v' }] },
    says: ['edits[0].valu: no such field, did you mean value?'],
    why: 'deep inside',
  },
  {
    args: { file: 'ok', edits: [{ op: CANARY }] },
    says: ['edits[0].op: expected "set"', 'edits[0].value: missing, expected a string'],
    why: 'two deep inside',
  },
  { args: { file: 'ok', edits: [1, 2, 3] }, says: ['edits: expected at most 2 items'], why: 'too many' },
  {
    args: JSON.parse('{"file":"ok","__proto__":{"dry_run":false}}'),
    says: ['__proto__: no such field'],
    why: 'PROT-007: __proto__',
  },
  {
    args: JSON.parse('{"file":"ok","edits":[{"op":"set","value":"v","__proto__":{}}]}'),
    says: ['Cannot call subject: edits[0].__proto__: no such field'],
    why: '__proto__, named once',
  },
  {
    args: { file: 'ok', constructor: 1 },
    says: ['constructor: no such field'],
    why: 'PROT-007: constructor',
  },
  {
    args: { view: 1, limit: 0, nope: CANARY },
    says: ['file: missing', 'view: expected', 'limit: expected at least 1', 'nope: no such field'],
    why: 'everything at once',
  },
];

it.each(CASES)('$why [SRV-1]', async ({ args, says }) => {
  seen.length = 0;
  const result = await server.client.callTool({ name: 'subject', arguments: args });
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { ok: false, error: { code: 'ARGUMENT_INVALID', category: 'validation' } },
  });
  const [content] = result.content;
  const text = content?.type === 'text' ? content.text : '';
  for (const words of says) expect(text).toContain(words);
  expect(text).toContain('subject takes file, path?, doc?, view?, limit?, edits?, json?');
  const values = Object.values(args)
    .map((value) => JSON.stringify(value))
    .filter((value) => value.includes(CANARY));
  for (const value of values) expect(JSON.stringify(result)).not.toContain(value);
  expect(seen).toEqual([]);
  expect(Reflect.get({}, 'dry_run')).toBeUndefined();
});

it('passes what is right, with defaults filled in and everything inside `unknown` untouched', async () => {
  seen.length = 0;
  const json = { deep: [{ nested: null }] };
  const result = await server.client.callTool({ name: 'subject', arguments: { file: 'ok', json } });
  expect(result.isError).toBeUndefined();
  expect(seen).toEqual([{ file: 'ok', view: 'source', json }]);
});

it('takes no arguments at all for none', async () => {
  const result = await server.client.callTool({ name: 'subject' });
  expect(result).toMatchObject({ structuredContent: { error: { code: 'ARGUMENT_INVALID' } } });
});

it('answers a thousand problems in two thousand characters, and looks at a hundred', async () => {
  const args = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, CANARY]));
  const result = await server.client.callTool({ name: 'subject', arguments: args });
  const [content] = result.content;
  expect(content?.type === 'text' ? content.text.length : 0).toBeLessThan(2000);
  expect(content).toMatchObject({ text: expect.stringContaining('at least 100 problems') });
});
