// config_search through a client: places of keys and values over all files, page by page, with the value.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { ownToolServer, toolServer } from '../harness/tool-server.ts';

const WEB = `image: nginx:1.25
spec:
  web: {image: redis, "port": "80"}
  list:
  - image: x
  - {name: &n hunter2-token}
  - *n
"on": 80
`;
const FILES = {
  'a.yaml': WEB,
  'b/multi.yaml': 'kind: A\n---\nkind: B\nspec: {api: {image: nginx:2}}\n',
  'c.json': '{"image": "nginx:1", "a.b": {"c": 1}, "é": "ü"}',
  'crlf.yaml': '\uFEFFx: 1\r\nimage: |\r\n  nginx:3\r\n',
  'z-broken.yaml': 'a: [\n',
  'z-latin1.yaml': Buffer.from([0x61, 0x3a, 0x20, 0xe9]),
  'twice.yaml': 'twice: 1\ntwice: 2\n',
  '.env.yaml': 'image: denied\n',
  '.git/config.yaml': 'image: denied\n',
  'node_modules/m/x.yaml': 'image: denied\n',
  'notes.txt': 'image: not configuration\n',
};

const Found = z.strictObject({
  ok: z.literal(true),
  matches: z.array(z.string()),
  notes: z.array(z.string()),
  next_cursor: z.string().optional(),
});

const server = toolServer({ files: FILES });

async function search(args: Readonly<Record<string, unknown>>, on = server) {
  const { data, text } = await on.ok('config_search', args);
  return { ...Found.parse(data), text };
}

/** `file:line path`, without the values. */
async function places(args: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { matches } = await search(args);
  return matches.map((line) => line.replace(/ (?:=|lacks) .*$/, '').replaceAll('  ', ' '));
}

const IMAGES = ['a.yaml:1 image', 'a.yaml:3 spec.web.image', 'a.yaml:5 spec.list[0].image'];
const OTHERS = ['b/multi.yaml:4 doc 1 spec.api.image', 'c.json:1 image', 'crlf.yaml:2 image'];

describe('finds', () => {
  test.each([
    { args: { key: 'image' }, found: [...IMAGES, ...OTHERS], why: 'a key at any depth, in any document' },
    { args: { key: 'im?g*' }, found: [...IMAGES, ...OTHERS], why: 'by wildcards' },
    { args: { key: 'spec.web.image' }, found: [IMAGES[1]], why: 'a whole path' },
    { args: { key: 'list[*].image' }, found: [IMAGES[2]], why: 'the end of one, with any item' },
    { args: { key: '.spec.web.image' }, found: [IMAGES[1]], why: 'a path as yq writes it' },
    {
      args: { key: 'spec.*.image' },
      found: [IMAGES[1], OTHERS[0]],
      why: 'one step by a star, as an edit does',
    },
    {
      args: { key: 'spec.**.image' },
      found: [IMAGES[1], IMAGES[2], OTHERS[0]],
      why: 'any number of steps by two',
    },
    {
      args: { key: 'spec.list[*]' },
      found: ['a.yaml:5 spec.list[0]', 'a.yaml:6 spec.list[name=hunter2-token]', 'a.yaml:7 spec.list[2]'],
      why: 'items, and nothing below them',
    },
    {
      args: { key: 'list[name=*-token].name' },
      found: ['a.yaml:6 spec.list[name=hunter2-token].name'],
      why: 'items by a part of a field',
    },
    { args: { key: '/image' }, found: [IMAGES[0], OTHERS[1], OTHERS[2]], why: 'a whole path, from the root' },
    { args: { key: 'spec.list[*].image' }, found: [IMAGES[2]], why: 'items' },
    {
      args: { key: 'spec.list[1]' },
      found: ['a.yaml:6 spec.list[name=hunter2-token]'],
      why: 'an item itself',
    },
    { args: { key: 'port' }, found: ['a.yaml:3 spec.web.port'], why: 'a quoted key by what it says' },
    { args: { key: 'on' }, found: ['a.yaml:8 on'], why: 'a key that is a trap' },
    { args: { key: 'a.b' }, found: ['c.json:1 ["a.b"]'], why: 'a key that holds dots' },
    { args: { key: '["a.b"].c' }, found: ['c.json:1 ["a.b"].c'], why: 'a path through it' },
    {
      args: { key: '?', pattern: 'c.json' },
      found: ['c.json:1 ["a.b"].c', 'c.json:1 é'],
      why: 'one character',
    },
    {
      args: { value: '80' },
      found: ['a.yaml:3 spec.web.port', 'a.yaml:8 on'],
      why: 'a value, quoted or not',
    },
    { args: { value: 'nginx:*', key: 'image' }, found: [IMAGES[0], ...OTHERS], why: 'both together' },
    {
      args: { value: '*token' },
      found: ['a.yaml:6 spec.list[name=hunter2-token].name'],
      why: 'not what only an alias repeats',
    },
    { args: { key: 'image', pattern: 'b/**' }, found: [OTHERS[0]], why: 'in some files only' },
    { args: { key: 'spec.list[-3].*' }, found: [IMAGES[2]], why: 'an item from the end, as in an edit' },
    { args: { key: 'twice[#2]' }, found: ['twice.yaml:2 twice'], why: 'the second of two equal keys' },
    { args: { key: 'IMAGE' }, found: [], why: 'case counts' },
    { args: { key: 'mage' }, found: [], why: 'a part does not do' },
    { args: { value: 'nginx' }, found: [], why: 'nor a part of a value' },
  ])('$why: $args', async ({ args, found }) => {
    expect(await places(args)).toEqual(found);
  });

  it('nothing, and says how to widen the search', async () => {
    const { text, matches, next_cursor } = await search({ key: 'nowhere', pattern: 'a.yaml' });
    expect({ matches, next_cursor }).toEqual({ matches: [], next_cursor: undefined });
    expect(text.split('\n')).toEqual([
      'Nothing found in 1 file. A pattern matches a whole key, path or value: *part* finds a part.',
      'Only files that are open here were searched: list_capabilities names them, and the operator can open others with --allow.',
    ]);
    expect((await search({ key: 'on', value: '<100', pattern: 'a.yaml' })).text).toContain(
      'For a comparison give it as "where": "<100".',
    );
    expect((await search({ text: 'image', pattern: 'nowhere/*' })).text).toContain(
      'No files match "nowhere/*".',
    );
  });

  it('a line with the value for a person, and a path that config_get takes as it is', async () => {
    const { matches, text } = await search({ key: 'image' });
    expect(matches).toEqual([
      'a.yaml:1  image = nginx:1.25',
      'a.yaml:3  spec.web.image = redis',
      'a.yaml:5  spec.list[0].image = x',
      'b/multi.yaml:4  doc 1  spec.api.image = nginx:2',
      'c.json:1  image = "nginx:1"',
      'crlf.yaml:2  image = | nginx:3 … (2 lines)',
    ]);
    expect(text.split('\n').slice(0, 6)).toEqual(matches);
  });
});

it('shows a short list or mapping as it is written, and of a longer one the size', async () => {
  expect((await search({ key: 'api' })).matches).toEqual([
    'b/multi.yaml:4  doc 1  spec.api = {image: nginx:2}',
  ]);
  expect((await search({ key: 'list', pattern: 'a.yaml' })).matches).toEqual(['a.yaml:4  spec.list = [3]']);
});

const FLEET = {
  'app.yaml': [
    'kind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n  containers: [{name: a, limits: 1}, {name: b}]\n',
    'kind: Deployment\nmetadata: {name: api}\nspec:\n  replicas: "3"\n  containers: []\n',
    'kind: Service\nmetadata: {name: api}\nspec: {ports: []}\n',
  ].join('---\n'),
  'values.yaml': 'replicas: 5 # TODO lower *soon*\nimage: ""\n',
  'chart/t.yaml': 'a: {{ .Values.x }}\n{{ if .y }}\n# TODO later\nb: [\n{{ end }}\n',
  'broken.yaml': '# todo\na: "x\nTODO: now\n',
};

describe('compares', () => {
  const fleet = toolServer({ files: FLEET });

  test.each([
    {
      args: { key: 'replicas', where: '<2' },
      found: ['app.yaml:4  Deployment/web  spec.replicas = 1'],
      why: 'numbers',
    },
    {
      args: { key: 'replicas', where: '>= 3' },
      found: ['app.yaml:10  Deployment/api  spec.replicas = "3"', 'values.yaml:1  replicas = 5'],
      why: 'numbers in quotes as well',
    },
    {
      args: { key: 'kind', where: '!=Deployment' },
      found: ['app.yaml:13  Service/api  kind = Service'],
      why: 'texts',
    },
    {
      args: { where: '=api', key: 'metadata.name' },
      found: [
        'app.yaml:8  Deployment/api  metadata.name = api',
        'app.yaml:14  Service/api  metadata.name = api',
      ],
      why: 'equality',
    },
    {
      args: { key: 'spec.replicas', where: 'missing', pattern: 'app.yaml' },
      found: ['app.yaml:15  Service/api  spec lacks spec.replicas'],
      why: 'what a document lacks',
    },
    {
      args: { key: 'containers[*].limits', where: 'missing' },
      found: ['app.yaml:5  Deployment/web  spec.containers[name=b] lacks containers[*].limits'],
      why: 'what an item lacks',
    },
    {
      args: { key: 'spec.**.limits', where: 'missing' },
      found: [10, 15].map((line) => expect.stringMatching(`^app.yaml:${line} .* spec lacks spec`)),
      why: 'what stands nowhere below a key',
    },
    { args: { key: '**.kind', where: 'missing' }, found: [expect.stringMatching(/root/)], why: 'a file' },
    {
      args: { key: 'kind', where: 'missing' },
      found: ['values.yaml:1  (root) lacks kind'],
      why: 'what a file lacks',
    },
    {
      args: { text: 'TODO' },
      found: [
        'broken.yaml:3  TODO: now',
        'chart/t.yaml:3  # TODO later',
        'values.yaml:1  replicas: 5 # TODO lower *soon*',
      ],
      why: 'text, in comments, templates and what cannot be parsed',
    },
    {
      args: { text: 'replicas: ?', pattern: 'values.yaml' },
      found: ['values.yaml:1  replicas: 5 # TODO lower *soon*'],
      why: 'text by wildcards',
    },
  ])('$why: $args', async ({ args, found }) => {
    expect((await search(args, fleet)).matches).toEqual(found);
  });

  it('and names in one line what it could not search, which config_validate lists', async () => {
    const line =
      '2 files not searched (1 not valid, 1 template): broken.yaml (not valid), chart/t.yaml (template). "text" searches any of them';
    // The second time it is remembered.
    for (const _ of [1, 2]) {
      const { text, notes } = await search({ key: '?' }, fleet);
      expect(notes).toContain(line);
      expect(text).toContain(line);
    }
    // What does not hold the word has nothing that could be found, whether or not it can be read.
    expect((await search({ key: 'replicas' }, fleet)).notes).toEqual(['3 matches in all']);
    const { text: report } = await fleet.ok('config_validate', { pattern: '**' });
    expect(report).toContain('4 files checked, 2 with problems.');
    expect(report).toMatch(/^broken\.yaml: line \d+, column \d+: SYNTAX_INVALID: /mu);
  });

  it('names items by their names, and finds them so', async () => {
    const args = { key: 'containers[name=a].limits', pattern: 'app.yaml' };
    const line = 'app.yaml:5  Deployment/web  spec.containers[name=a].limits = 1';
    expect((await search(args, fleet)).matches).toEqual([line]);
    const path = 'spec.containers[name=a].limits';
    expect((await fleet.ok('config_get', { file: 'app.yaml', doc: 'Deployment/web', path })).text).toBe('1');
  });

  it.each([
    { name: 'n'.repeat(100), why: 'that is too long to be shown' },
    { name: '1', why: 'that two have' },
  ])('calls a document with a name $why so that it can be chosen', async ({ name }) => {
    const text = `kind: A\nmetadata: {name: ${name}}\nv: 1\n---\nkind: A\nmetadata: {name: ${name === '1' ? name : 'm'}}\nv: 2\n`;
    const file = server.fresh(text);
    const [line = ''] = (await search({ key: 'v', pattern: file })).matches;
    const [, doc] = line.split('  ');
    expect((await server.ok('config_get', { file, doc, path: 'v' })).text).toBe('1');
  });

  test.each([
    { args: { where: 'about 3', key: 'a' }, why: 'a condition that is none' },
    { args: { where: '<x', key: 'a' }, why: 'a comparison with no number' },
    { args: { where: 'missing' }, why: 'missing without a key' },
    { args: { text: 'a', key: 'a' }, why: 'text with a key' },
    { args: {}, why: 'nothing' },
  ])('not $why', async ({ args }) => {
    expect((await fleet.refused('config_search', args)).code).toBe('ARGUMENT_INVALID');
  });
});

it.each([
  { why: 'of a value', args: { key: 'a' }, shown: 'a = <U+0456>x<U+2215>y' },
  { why: 'of a line', args: { text: 'x*y' }, shown: 'a: <U+0456>x<U+2215>y' },
  { why: 'of an alias', args: { key: 'b' }, shown: 'b = *<U+0456>x' },
  { why: 'that the file spells out itself', args: { key: 'c' }, shown: 'c = "<U+003C>U+0456>"' },
])('makes a sign $why visible once [DIS-8]', async ({ args, shown }) => {
  const files = { 'a.yaml': 'd: &\u0456x 1\na: \u0456x\u2215y\nb: *\u0456x\nc: "<U+0456>"\n' };
  const alike = await ownToolServer({ files });
  expect((await search(args, alike)).matches).toEqual([expect.stringContaining(`  ${shown}`)]);
});

it('names nothing that the policy hides', async () => {
  for (const args of [{ key: '*' }, { text: 'image' }]) {
    const { text, data } = await server.ok('config_search', args);
    for (const hidden of ['.env', '.git', 'node_modules', 'denied'])
      expect(`${text}${JSON.stringify(data)}`).not.toContain(hidden);
  }
  expect((await search({ text: 'hunter2' })).matches).toHaveLength(1);
  expect(server.log()).not.toContain('hunter2');
});

it('joined, its pages are the one long page, whatever their size', async () => {
  const whole = await search({ key: '*' });
  expect(whole.next_cursor).toBeUndefined();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      async (sizes) => {
        const pages: string[] = [];
        let cursor: string | undefined;
        for (let i = 0; i === 0 || cursor !== undefined; i++) {
          const limit = sizes[i % sizes.length] ?? 1;
          const page = await search({ key: '*', limit, ...(cursor === undefined ? {} : { cursor }) });
          expect(page.matches.length).toBeLessThanOrEqual(limit);
          if (page.next_cursor !== undefined) {
            expect(page.matches.length).toBe(limit);
            expect(page.text).toContain(`More: repeat with cursor ${JSON.stringify(page.next_cursor)}`);
          }
          pages.push(...page.matches);
          cursor = page.next_cursor;
        }
        expect(pages).toEqual(whole.matches);
      },
    ),
    { numRuns: 12 },
  );
});

it('a page without a match goes on until one is found or all is searched', async () => {
  const many = await ownToolServer();
  const filler = `# ${'x'.repeat(1_500_000)}\n`;
  for (const name of ['a', 'b', 'c', 'd', 'e']) many.write(`${name}.yaml`, `${filler}last: ${name}\n`);
  const { matches, notes, next_cursor } = await search({ value: 'e' }, many);
  expect({ matches, notes, next_cursor }).toEqual({
    matches: ['e.yaml:2  last = e'],
    notes: ['1 match in all'],
    next_cursor: undefined,
  });
});

describe('pages', () => {
  it('say how far they have come, and the last one how many there were in all', async () => {
    const args = { key: 'image', limit: 4, pattern: '{a.yaml,b/*,c.json,crlf.yaml}' };
    const first = await search(args);
    expect(first.notes).toEqual(['4 so far; 2 of 4 files searched']);
    const second = await search({ ...args, cursor: first.next_cursor });
    expect(second.matches).toHaveLength(2);
    expect(second.notes).toEqual(['Last page: 6 matches in all']);
    expect(second.text).not.toContain('Nothing');
  });

  it.each([
    { why: 'a file that is not valid', skipped: 'a: [1\n', args: { key: 'a' } },
    { why: 'a value that is no number', skipped: 'a: text\n', args: { key: 'a', where: '>0' } },
  ])('do not speak of all where an earlier one left out $why', async ({ skipped, args }) => {
    const some = await ownToolServer({
      files: { '1.yaml': skipped, '2.yaml': 'a: 2\n', '3.yaml': 'a: 3\n' },
    });
    const first = await search({ ...args, limit: 1 }, some);
    const last = await search({ ...args, limit: 1, cursor: first.next_cursor }, some);
    expect(last.matches).toEqual(['3.yaml:1  a = 3']);
    expect(last.notes).toContain('Last page: 2 matches in what was searched');
  });
});

describe('a hostile pattern is answered', () => {
  const STARS = `${'*a'.repeat(120)}!`;
  test.each([
    { args: { key: STARS }, why: 'many stars' },
    { args: { key: `${'?*'.repeat(120)}!` }, why: 'stars and question marks' },
    { args: { key: '\\', value: '[' }, why: 'no character but two is special' },
  ])('$why', async ({ args }) => {
    mkdirSync(join(server.root, 'long'), { recursive: true });
    server.write('long/names.yaml', `${'a'.repeat(1_000)}: ${'a'.repeat(200_000)} b\n`);
    // In the time that the server gives a call: otherwise this is refused as TIMEOUT.
    await search({ ...args, pattern: 'long/**' });
  });
});

it('a cursor that was made up is refused, and opens nothing that the policy hides', async () => {
  for (const cursor of ['.git/', JSON.stringify({ after: '.git/', skip: 0 }), '1.0.0', '-1.0.0.abcdef'])
    expect((await server.refused('config_search', { key: 'image', cursor })).code).toBe('ARGUMENT_INVALID');
  const { matches } = await search({ text: 'image', cursor: '0.0.0.abcdef' });
  expect(matches.join()).not.toContain('.git');
});

it('a key whose value is an alias has the value that readers find there', async () => {
  const here = await ownToolServer({
    files: { 'a.yaml': 'base: {port: &port 80, web: &web {x: 1}}\na: {port: *port}\nb: *web\n' },
  });
  const found = async (args: Readonly<Record<string, unknown>>) => (await search(args, here)).matches;
  const both = ['a.yaml:1  base.port = 80', 'a.yaml:2  a.port = *port (80)'];
  expect(await found({ key: 'port', value: '80' })).toEqual(both);
  expect(await found({ key: 'port', where: '<81' })).toEqual(both);
  expect(await found({ key: 'port' })).toEqual(both);
  expect(await found({ value: '80' })).toEqual(both.slice(0, 1));
  expect(await found({ key: 'b' })).toEqual(['a.yaml:3  b = *web']);
});
