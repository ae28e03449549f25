import { afterAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { tempRoot } from '../harness/temp-root.ts';
import { ownToolServer, startToolProcess, toolServer } from '../harness/tool-server.ts';

const SERVICE = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['name', 'replicas'],
  additionalProperties: false,
  definitions: { port: { type: 'integer', minimum: 1, maximum: 65_535 } },
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$' },
    replicas: { type: 'integer', minimum: 1 },
    ports: { type: 'array', items: { $ref: '#/definitions/port' } },
    env: {
      type: 'object',
      patternProperties: { '^[A-Z_]+$': { type: 'string' } },
      additionalProperties: false,
    },
    kind: { enum: ['A', 'B'] },
    store: {
      oneOf: [
        { type: 'object', required: ['file'] },
        { type: 'object', required: ['url'] },
      ],
    },
    any: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    mode: { const: 'x' },
  },
};
const MODERN = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: { count: { type: 'integer' } },
  properties: { pair: { prefixItems: [{ type: 'string' }, { $ref: '#/$defs/count' }], items: false } },
  dependentRequired: { user: ['password', 'realm'] },
  unevaluatedProperties: false,
  allOf: [{ properties: { user: {}, realm: {} } }],
};
const OWN = '# yaml-language-server: $schema=';

const FILES = {
  'service.json': JSON.stringify(SERVICE),
  'modern.json': JSON.stringify(MODERN),
  'schemas/service.json': JSON.stringify(SERVICE),
  'yaml-schema.yaml': 'required: [zone]\n',
  'all-wrong.yaml': `# a comment
name: Bad1
replicas: 0
ports: [80, 99999, "x"]
extra: 1
env:
  GOOD: a
  lower: b
  NUM: 5
kind: C
store: {path: x}
any: [1]
mode: z
`,
  'good.yaml': 'name: ok\nreplicas: 2\n',
  'good.json': '{"name": "ok", "replicas": 2}\n',
  'modern.yaml': 'pair: [1, x, 3]\nuser: u\nrealm: r\nodd: 1\n',
  'several.yaml': 'name: a\nreplicas: 1\n---\nname: b\n---\nname: c\nreplicas: x\n',
  'aliased.yaml': 'name: a\nreplicas: &n 0\nports: [*n, 80]\n',
  'merged.yaml': 'name: a\n<<: {replicas: 0, bogus: 1}\nreplicas: 3\n',
  'twice.yaml': 'name: a\nname: b\nreplicas: 0\n',
  'wide.yaml': '\uFEFF"𝄞é": {"𝄞": 1}\r\nname: N\r\nreplicas: 1\r\n',
  'own.yaml': `${OWN}service.json\nname: X\n`,
  'deep/er/own.yaml': `# first\n${OWN}../../schemas/service.json\nname: X\n`,
  'dotted.yaml': `${OWN}./schemas/../service.json\nname: X\n`,
  'own.json': '{"$schema": "./service.json", "name": "X"}\n',
  'url.yaml': `${OWN}https://json.schemastore.org/x.json\nname: X\n`,
  'url.json': '{"$schema": "http://json-schema.org/draft-07/schema#"}\n',
  'outside.yaml': `${OWN}../secret.json\nname: X\n`,
  'absolute.yaml': `${OWN}/etc/secret.json\nname: X\n`,
  'fileurl.yaml': `${OWN}file:///etc/secret.json\nname: X\n`,
  'lost.yaml': `${OWN}none.json\nname: X\n`,
  'hidden.yaml': `${OWN}.git/x.json\nname: X\n`,
  'unusable.yaml': `${OWN}typo.json\nname: X\n`,
  'typo.json': '{"type": "strin"}',
  'no-target.json': '{"properties": {"name": {"$ref": "#/nowhere"}}}',
  'elsewhere.json': '{"properties": {"name": {"$ref": "http://127.0.0.1:1/x.json"}}}',
  'bad-pattern.json': '{"properties": {"name": {"pattern": "["}}}',
  'dynamic.json': '{"$dynamicRef": "#x"}',
  'circle.json': '{"$ref": "#"}',
  'list.json': '[]',
  'no-json.json': '{a',
  'endless.json': '{"properties": {"name": {"pattern": "^(a+)+$"}}}',
  'endless.yaml': `name: ${'a'.repeat(60)}!\nreplicas: 1\n`,
};

const Problem = z.strictObject({
  code: z.string(),
  message: z.string(),
  path: z.string().optional(),
  doc: z.number().optional(),
  expected: z.string().optional(),
  line: z.number().min(1),
  column: z.number().min(1),
});
const Report = z.looseObject({
  valid: z.boolean(),
  problems: z.array(Problem),
  schemas: z.array(z.string()),
  notes: z.array(z.string()),
});

const server = toolServer({ files: FILES });

async function report(args: Readonly<Record<string, unknown>>, on = server) {
  const { data, text } = await on.ok('config_validate', args);
  return { ...Report.parse(data), text };
}

/** `line:column path | expected`, with `#doc` where it is not the first. */
async function found(args: Readonly<Record<string, unknown>>, on = server): Promise<string[]> {
  const { problems, valid } = await report(args, on);
  expect(valid).toBe(problems.length === 0);
  return problems.map(
    ({ line, column, path, expected, doc = 0 }) =>
      `${line}:${column} ${path}${doc === 0 ? '' : `#${doc}`} | ${expected}`,
  );
}

const BY_DRAFT_07 = [
  '2:7 name | ^[a-z]+$',
  '3:11 replicas | 1',
  '4:13 ports[1] | 65535',
  '4:20 ports[2] | integer',
  '5:1 extra | no such key',
  '8:3 env.lower | no such key',
  '9:8 env.NUM | string',
  '10:7 kind | ["A","B"]',
  '11:8 store | [{"type":"object","required":["file"]},{"type":"object","required":["url"]}]',
  '12:6 any | [{"type":"string"},{"type":"number"}]',
  '13:7 mode | x',
];

describe('config_validate by a schema of the request', () => {
  test.each([
    { file: 'all-wrong.yaml', schema: 'service.json', finds: BY_DRAFT_07, why: 'every violation, in order' },
    { file: 'good.yaml', schema: 'service.json', finds: [], why: 'none' },
    {
      file: 'modern.yaml',
      schema: 'modern.json',
      finds: [
        '1:1  | password',
        '1:8 pair[0] | string',
        '1:11 pair[1] | integer',
        '1:14 pair[2] | no such key',
        '4:1 odd | no such key',
      ],
      why: 'draft 2020-12, without blaming a part twice',
    },
    {
      file: 'several.yaml',
      schema: 'service.json',
      finds: ['4:1 #1 | replicas', '7:11 replicas#2 | integer'],
      why: 'every document',
    },
    {
      file: 'several.yaml',
      schema: 'service.json',
      doc: -1,
      finds: ['7:11 replicas#2 | integer'],
      why: 'one document',
    },
    {
      file: 'aliased.yaml',
      schema: 'service.json',
      finds: ['2:11 replicas | 1', '3:9 ports[0] | 1'],
      why: 'an alias counts as what it stands for, and is blamed where it stands',
    },
    {
      file: 'merged.yaml',
      schema: 'service.json',
      finds: ['2:1 bogus | no such key'],
      why: 'merged keys count unless they are overridden',
    },
    {
      file: 'wide.yaml',
      schema: 'service.json',
      finds: ['1:1 𝄞é | no such key', '2:7 name | ^[a-z]+$'],
      why: 'columns count characters',
    },
    { file: 'good.yaml', schema: 'yaml-schema.yaml', finds: ['1:1  | zone'], why: 'a schema in YAML' },
  ])('$file by $schema: $why', async ({ finds, why: _, ...args }) => {
    expect(await found(args)).toEqual(finds);
  });

  it('applies to a text as well', async () => {
    const finds = ['1:1  | replicas', '1:7 name | string'];
    expect(await found({ text: 'name: 1\n', schema: 'service.json' })).toEqual(finds);
  });

  it('says that a file with a key twice has no value to check', async () => {
    const { problems } = await report({ file: 'twice.yaml', schema: 'service.json' });
    expect(problems.map(({ code }) => code)).toEqual(['DUPLICATE_KEY', 'DUPLICATE_KEY']);
    expect(problems[1]?.message).toMatch(/^not checked against the schema: /);
  });

  test.each([
    { schema: 'no-target.json', says: 'refers to something that it does not contain' },
    { schema: 'elsewhere.json', says: 'refers to something that it does not contain' },
    { schema: 'bad-pattern.json', says: 'a pattern that is no regular expression' },
    { schema: 'dynamic.json', says: '$dynamicRef' },
    { schema: 'circle.json', says: 'leads back into itself' },
  ])('refuses $schema: $says', async ({ schema, says }) => {
    const error = await server.refused('config_validate', { file: 'good.yaml', schema });
    expect(error).toMatchObject({ code: 'ARGUMENT_INVALID', file: schema });
    expect(error.message).toContain(says);
  });

  test.each([
    { schema: 'none.json', code: 'FILE_NOT_FOUND' },
    { schema: '../service.json', code: 'PATH_INVALID' },
    { schema: '/etc/passwd.json', code: 'PATH_OUTSIDE_ROOT' },
    { schema: '.git/x.json', code: 'PATH_DENIED' },
    { schema: 'no-json.json', code: 'SYNTAX_INVALID' },
  ])('reaches $schema like any other file: $code', async ({ schema, code }) => {
    const error = await server.refused('config_validate', { file: 'good.yaml', schema });
    expect(error).toMatchObject({ code, file: schema });
    // A step about the file that is checked would lead away from what is wrong.
    expect(error.again?.arguments).not.toMatchObject({ file: 'all-wrong.yaml' });
  });

  it('gives up on a schema that would never end [SRV-16]', async () => {
    const { problems } = await report({ file: 'endless.yaml', schema: 'endless.json' });
    expect(problems).toMatchObject([{ code: 'LIMIT_EXCEEDED', message: expect.stringContaining('800 ms') }]);
    expect(await found({ file: 'good.yaml', schema: 'service.json' })).toEqual([]);
  });
});

describe('config_validate by the schema that a file names for itself', () => {
  test.concurrent.each([
    { file: 'own.yaml', schema: 'service.json', finds: ['2:1  | replicas', '2:7 name | ^[a-z]+$'] },
    {
      file: 'deep/er/own.yaml',
      schema: 'schemas/service.json',
      finds: ['3:1  | replicas', '3:7 name | ^[a-z]+$'],
    },
    {
      file: 'own.json',
      schema: 'service.json',
      finds: ['1:1  | replicas', '1:2 ["$schema"] | no such key', '1:39 name | ^[a-z]+$'],
    },
  ])('$file uses $schema', async ({ file, schema, finds }) => {
    expect(await found({ file })).toEqual(finds);
    const { schemas, notes } = await report({ file });
    expect({ schemas, notes }).toEqual({ schemas: [schema], notes: [] });
  });

  test.each([
    { file: 'url.yaml', says: 'a URL or outside of the root, and was not used', why: 'nothing is fetched' },
    { file: 'outside.yaml', says: 'a URL or outside of the root', why: 'it climbs out' },
    { file: 'lost.yaml', says: '(none.json) cannot be used: FILE_NOT_FOUND', why: 'it is not there' },
    { file: 'hidden.yaml', says: '(.git/x.json) cannot be used: PATH_DENIED', why: 'the policy hides it' },
    { file: 'unusable.yaml', says: '(typo.json) cannot be used: ARGUMENT_INVALID', why: 'it is no schema' },
  ])('$file is checked without, and told: $why', async ({ file, says }) => {
    const { valid, schemas, notes, text } = await report({ file });
    expect({ valid, schemas }).toEqual({ valid: true, schemas: [] });
    expect(notes).toEqual([expect.stringContaining(says)]);
    expect(text).toContain(notes[0]);
  });
});

const BOUND = {
  type: 'object',
  required: ['name', 'n'],
  properties: { name: { type: 'string' }, n: { type: 'integer' }, l: { items: { type: 'integer' } } },
};

describe('a schema bound by the operator', () => {
  const outside = tempRoot({ 'bound.json': JSON.stringify(BOUND) });
  const file = `${outside.dir}/bound.json`;
  const bound = toolServer({
    files: {
      'app.yaml': 'name: x # keep\nn: 1\nl: [1]\n',
      'old.yaml': 'l: [1, x, 3]\n',
      'free.json': '{"n": "any"}\n',
      'twice.yaml': 'name: a\nname: b\nn: 1\n',
    },
    flags: ['--schema', `**/*.yaml=${file}`],
  });
  afterAll(() => outside.remove());
  const edit = (op: object, file: string, dry_run = true) => ({ edits: [{ file, ...op }], dry_run });

  test.each([
    { op: { op: 'delete', path: 'name' }, at: { path: '', line: 1 }, expected: 'name' },
    { op: { op: 'set', path: 'n', value: 'x' }, at: { path: 'n', line: 2 }, expected: 'integer' },
    { op: { op: 'rename', path: 'n', new_key: 'm' }, at: { path: '', line: 1 }, expected: 'n' },
    { op: { op: 'append', path: 'l', json: 'x' }, at: { path: 'l[1]', line: 3 }, expected: 'integer' },
  ])('refuses $op, in a preview as well', async ({ op, at: { path, line }, expected }) => {
    const before = { bytes: bound.disk('app.yaml'), at: bound.changedAt('app.yaml') };
    for (const dry_run of [true, false]) {
      const error = await bound.refused('config_edit', edit(op, 'app.yaml', dry_run));
      expect(error).toMatchObject({ code: 'SCHEMA_VIOLATION', file: 'app.yaml', path });
      expect(error.details).toContain(`line ${line}`);
      expect(error.message).toBe('Cannot make this edit: the result would break bound.json in 1 place');
      expect(error.text).toContain(`expected ${expected}`);
    }
    expect({ bytes: bound.disk('app.yaml'), at: bound.changedAt('app.yaml') }).toEqual(before);
  });

  test.each([
    { op: { op: 'set', path: 'n', value: '2' }, file: 'app.yaml', why: 'what keeps to it' },
    { op: { op: 'set', path: 'n', value: 'x' }, file: 'free.json', why: 'another file' },
    { op: { op: 'comment', path: 'n', comment: 'why' }, file: 'app.yaml', why: 'a comment' },
  ])('lets pass $why', async ({ op, file }) => {
    const { data } = await bound.ok(
      'config_edit',
      edit({ ...op, ...(file === 'free.json' ? { value: '"y"' } : {}) }, file),
    );
    expect(data['preview_id']).toEqual(expect.any(String));
    expect(data['warnings']).toBeUndefined();
  });

  test.each([
    { op: { op: 'insert', path: 'l', index: 0, value: '0' }, left: 3, why: 'what only moves it' },
    { op: { op: 'delete', path: 'l[0]' }, left: 3, why: 'or moves it up' },
    { op: { op: 'set', path: 'name', value: 'x' }, left: 2, why: 'what mends one of two keys' },
    { op: { op: 'set', path: 'l[1]', value: '2' }, left: 2, why: 'what mends a value' },
  ])('does not hold old violations against an edit: $why', async ({ op, left, why }) => {
    const { data, text } = await bound.ok('config_edit', edit(op, 'old.yaml'));
    const note = `The file breaks bound.json as it did before, in ${left} places.`;
    // And that a text becomes a number, where it does.
    const kinds = why === 'what mends a value' ? ['l[1]: was text (x) and becomes a number (2).'] : [];
    expect(data['warnings']).toEqual([...kinds, note]);
    expect(text).toContain(`Warning: ${note}`);
  });

  test.each([
    { op: { op: 'set', path: 'name', value: '2' }, says: 'in 1 place; 2 more were there before' },
    { op: { op: 'set', path: 'l[0]', value: 'y' }, says: 'in 1 place; 3 more were there before' },
    { op: { op: 'set', path: 'l[1]', value: 'y' }, says: 'in 1 place; 2 more were there before' },
  ])('tells new violations from old ones: $op', async ({ op, says }) => {
    const error = await bound.refused('config_edit', edit(op, 'old.yaml'));
    expect(error).toMatchObject({ code: 'SCHEMA_VIOLATION', message: expect.stringContaining(says) });
  });
});

describe('the start', () => {
  const files = tempRoot({
    ...Object.fromEntries(
      Object.entries(FILES).filter(([name]) => name.endsWith('.json') && !name.includes('/')),
    ),
    'app.yaml': 'name: x\n',
  });
  afterAll(() => files.remove());

  test.each([
    { spec: '*.yaml=none.json', says: 'cannot read' },
    { spec: '*.yaml=no-json.json', says: 'cannot use' },
    { spec: '*.yaml=typo.json', says: 'malformed' },
    { spec: '*.yaml=', says: 'expected GLOB=FILE' },
    { spec: 'service.json', says: 'expected GLOB=FILE' },
    { spec: '[=service.json', says: 'do not pair' },
  ])('is refused for $spec', async ({ spec, says }) => {
    const flags = ['--schema', spec.replace(/=(?=.)/, `=${files.dir}/`)];
    await expect(ownToolServer({ root: files.dir, flags })).rejects.toThrow(says);
  });

  it('goes well with a good one from the environment, where no code may be made from strings', async () => {
    const strict = await startToolProcess({
      root: files.dir,
      env: { AIRLOCK_SCHEMA: `*.yaml=${files.dir}/service.json` },
      launcher: ['env', 'NODE_OPTIONS=--disallow-code-generation-from-strings'],
    });
    try {
      expect(await found({ file: 'app.yaml' }, strict)).toEqual(['1:1  | replicas']);
      const edit = { file: 'app.yaml', op: 'set', path: 'name', json: 1 };
      expect((await strict.refused('config_edit', { edits: [edit] })).code).toBe('SCHEMA_VIOLATION');
    } finally {
      await strict.close();
    }
  });
});
