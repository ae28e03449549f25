// explain_error through a client: an answer for every code, for a pasted reply, and for what it does not know.
import { expect, it, test } from 'vitest';
import { z } from 'zod';
import { REFUSALS } from '../../src/security/errors/refusals.ts';
import { toolServer } from '../harness/tool-server.ts';

const Known = z.strictObject({
  ok: z.literal(true),
  known: z.literal(true),
  code: z.string(),
  means: z.string().min(20),
  way: z.string().min(10),
});
const Unknown = z.strictObject({ ok: z.literal(true), known: z.literal(false), codes: z.array(z.string()) });

const server = toolServer();

test.each(Object.entries(REFUSALS))('%s is explained', async (code, { means, way }) => {
  const { text, data } = await server.ok('explain_error', { code });
  expect(Known.parse(data)).toMatchObject({ code, means, way });
  expect(text).toBe(`${code}: ${means}\n${way}`);
});

test.each([
  { args: { code: 'node_not_found' }, code: 'NODE_NOT_FOUND', why: 'in any case' },
  {
    args: { code: 'BUSY', message: 'READ_ONLY: Cannot write' },
    code: 'BUSY',
    why: 'the code before the message',
  },
  { args: { code: 'EOOPS', message: 'READ_ONLY: Cannot write' }, code: 'READ_ONLY', why: 'else the message' },
  {
    args: { message: 'NODE_NOT_FOUND: Cannot get spec.READ_ONLY: no such key' },
    code: 'NODE_NOT_FOUND',
    why: 'the first code of a reply, not one that a key is named after',
  },
  {
    args: { message: '{"code":"LIMIT_EXCEEDED"}' },
    code: 'LIMIT_EXCEEDED',
    why: 'as JSON',
  },
])('$args: $why', async ({ args, code }) => {
  expect(Known.parse((await server.ok('explain_error', args)).data).code).toBe(code);
});

test.each([
  { args: { code: 'NODE_NOT_FOND' }, codes: ['NODE_NOT_FOUND'] },
  { args: { code: 'zzz' }, codes: Object.keys(REFUSALS) },
  {
    args: { message: 'words in small letters are no codes: node_not_found' },
    codes: Object.keys(REFUSALS),
  },
  { args: { code: '' }, codes: Object.keys(REFUSALS) },
])('of $args it says that it does not know', async ({ args, codes }) => {
  const { text, data } = await server.ok('explain_error', args);
  const unknown = Unknown.parse(data);
  expect(unknown.codes).toEqual(expect.arrayContaining(codes));
  expect(text).toContain(unknown.codes.join(', '));
});

it('shows what it was asked in a form that deceives nobody', async () => {
  const { text } = await server.ok('explain_error', { code: '\u202Ex\n' });
  expect(text).toContain('"<U+202E>x<U+000A>" is no code of this server');
});
