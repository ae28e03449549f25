// explain_error through a client: an answer for every code, for a pasted reply, and for what it does not know.
import { expect, it, test } from 'vitest';
import { z } from 'zod';
import { ERROR_CATEGORIES } from '../../src/security/index.ts';
import { toolServer } from '../harness/tool-server.ts';

const Known = z.strictObject({
  ok: z.literal(true),
  known: z.literal(true),
  code: z.string(),
  category: z.string(),
  explanation: z.string().min(20),
  suggestions: z.array(z.string().min(10)).min(1),
});
const Unknown = z.strictObject({
  ok: z.literal(true),
  known: z.literal(false),
  suggestions: z.array(z.string()),
});

const server = toolServer();

test.each(Object.entries(ERROR_CATEGORIES))('%s is explained', async (code, category) => {
  const { text, data } = await server.ok('explain_error', { code });
  const known = Known.parse(data);
  expect(known).toMatchObject({ code, category });
  expect(text).toBe(
    [`${code} (${category}): ${known.explanation}`, ...known.suggestions.map((line) => `- ${line}`)].join(
      '\n',
    ),
  );
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
    args: { message: '{"code":"LIMIT_EXCEEDED","category":"parse"}' },
    code: 'LIMIT_EXCEEDED',
    why: 'as JSON',
  },
])('$args: $why', async ({ args, code }) => {
  expect(Known.parse((await server.ok('explain_error', args)).data).code).toBe(code);
});

test.each([
  { code: 'SYNTAX_INVALID', message: 'yaml: line 4: mapping values are not allowed in this context' },
  { code: 'SYNTAX_INVALID', message: 'YAMLParseError: Missing closing "quote at line 3, column 4' },
  {
    code: 'SYNTAX_INVALID',
    message: "SyntaxError: Expected ',' or '}' after property value in JSON at position 20",
  },
  {
    code: 'DUPLICATE_KEY',
    message: 'yaml: unmarshal errors:\n  line 3: mapping key "a" already defined at line 1',
  },
  { code: 'ANCHOR_IN_USE', message: "yaml.composer.ComposerError: found undefined alias 'base'" },
  { code: 'SCHEMA_VIOLATION', message: 'error: strict decoding error: unknown field "spec.replica"' },
  {
    code: 'TYPE_MISMATCH',
    message: 'json: cannot unmarshal string into Go struct field .replicas of type int32',
  },
  { code: 'FILE_NOT_FOUND', message: 'Error: open a.yaml: no such file or directory' },
])('what another program says is recognised: $message', async ({ message, code }) => {
  expect(Known.parse((await server.ok('explain_error', { message })).data).code).toBe(code);
});

test.each([
  { args: { code: 'NODE_NOT_FOND' }, suggestions: ['NODE_NOT_FOUND'] },
  { args: { code: 'zzz' }, suggestions: Object.keys(ERROR_CATEGORIES) },
  {
    args: { message: 'words in small letters are no codes: node_not_found' },
    suggestions: Object.keys(ERROR_CATEGORIES),
  },
  { args: { code: '' }, suggestions: Object.keys(ERROR_CATEGORIES) },
])('of $args it says that it does not know', async ({ args, suggestions }) => {
  const { text, data } = await server.ok('explain_error', args);
  const unknown = Unknown.parse(data);
  expect(unknown.suggestions).toEqual(expect.arrayContaining(suggestions));
  expect(text).toContain(unknown.suggestions.join(', '));
});

it('shows what it was asked in a form that deceives nobody', async () => {
  const { text } = await server.ok('explain_error', { code: '\u202Ex\n' });
  expect(text).toContain('"<U+202E>x<U+000A>" is no code of this server');
});
