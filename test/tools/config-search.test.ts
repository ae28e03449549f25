// config_search through a client: places of keys and values over all files, page by page, never a value.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';

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
  '.env.yaml': 'image: denied\n',
  '.git/config.yaml': 'image: denied\n',
  'node_modules/m/x.yaml': 'image: denied\n',
  'notes.txt': 'image: not configuration\n',
};
const UNREADABLE = [
  { file: 'z-broken.yaml', code: 'SYNTAX_INVALID' },
  { file: 'z-latin1.yaml', code: 'NOT_UTF8' },
];

const Found = z.strictObject({
  ok: z.literal(true),
  matches: z.array(z.strictObject({ file: z.string(), doc: z.number(), path: z.string(), line: z.number() })),
  next_cursor: z.string().optional(),
  unreadable: z.array(z.strictObject({ file: z.string(), code: z.string() })),
  truncated: z.boolean(),
});

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer({ files: FILES });
});
afterAll(() => server.close());

async function search(args: Readonly<Record<string, unknown>>, on = server) {
  const { data, text } = await on.ok('config_search', args);
  return { ...Found.parse(data), text };
}

/** `file:line path`, with `#doc` where it is not the first. */
async function places(args: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { matches } = await search(args);
  return matches.map(({ file, doc, path, line }) => `${file}:${line} ${path}${doc === 0 ? '' : `#${doc}`}`);
}

const IMAGES = ['a.yaml:1 image', 'a.yaml:3 spec.web.image', 'a.yaml:5 spec.list[0].image'];
const OTHERS = ['b/multi.yaml:4 spec.api.image#1', 'c.json:1 image', 'crlf.yaml:2 image'];

describe('finds', () => {
  test.each([
    { args: { key: 'image' }, found: [...IMAGES, ...OTHERS], why: 'a key at any depth, in any document' },
    { args: { key: 'im?g*' }, found: [...IMAGES, ...OTHERS], why: 'by wildcards' },
    { args: { key: 'spec.web.image' }, found: [IMAGES[1]], why: 'a whole path' },
    { args: { key: 'spec.*.image' }, found: [IMAGES[1], IMAGES[2], OTHERS[0]], why: 'a path by wildcards' },
    { args: { key: 'spec.list[*].image' }, found: [IMAGES[2]], why: 'items' },
    { args: { key: 'spec.list[1]' }, found: ['a.yaml:6 spec.list[1]'], why: 'an item itself' },
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
      found: ['a.yaml:6 spec.list[1].name'],
      why: 'not what only an alias repeats',
    },
    { args: { key: 'image', pattern: 'b/**' }, found: [OTHERS[0]], why: 'in some files only' },
    { args: { key: 'IMAGE' }, found: [], why: 'case counts' },
    { args: { key: 'mage' }, found: [], why: 'a part does not do' },
    { args: { value: 'nginx' }, found: [], why: 'nor a part of a value' },
  ])('$why: $args', async ({ args, found }) => {
    expect(await places(args)).toEqual(found);
  });

  it('nothing, and says how to widen the search', async () => {
    const { text, matches, next_cursor } = await search({ key: 'nowhere', pattern: 'a.yaml' });
    expect({ matches, next_cursor }).toEqual({ matches: [], next_cursor: undefined });
    expect(text).toBe('Nothing found. A pattern matches a whole key, path or value: *part* finds a part.');
  });

  it('a line for a person and a path that config_get takes as it is', async () => {
    const { matches, text } = await search({ key: 'image' });
    expect(text).toContain('a.yaml:3  spec.web.image');
    expect(text).toContain('b/multi.yaml:4  spec.api.image  (doc 1)');
    for (const { file, path, doc, line } of matches) {
      const { data } = await server.ok('config_get', { file, path, doc });
      expect(data).toMatchObject({ file, path, doc, line });
    }
  });
});

describe('what cannot be searched', () => {
  it('is named, with the code of its refusal', async () => {
    const { unreadable, text } = await search({ key: 'image' });
    expect(unreadable).toEqual(UNREADABLE);
    for (const { file, code } of UNREADABLE) expect(text).toContain(`not searched: ${file} (${code})`);
  });

  it('is not named where the policy hides it', async () => {
    const { text, data } = await server.ok('config_search', { key: '*' });
    for (const hidden of ['.env', '.git', 'node_modules', 'notes.txt'])
      expect(`${text}${JSON.stringify(data)}`).not.toContain(hidden);
    const { matches } = await search({ value: '*denied*' });
    expect(matches).toEqual([]);
  });
});

it('never answers with a value, nor logs one', async () => {
  const { text, data } = await server.ok('config_search', { value: 'hunter2*' });
  const all = await server.ok('config_search', { key: '*' });
  for (const secret of ['hunter2', 'nginx:1.25', 'redis']) {
    expect(`${text}${JSON.stringify(data)}${all.text}${JSON.stringify(all.data)}`).not.toContain(secret);
    expect(server.log()).not.toContain(secret);
  }
});

it('joined, its pages are the one long page, whatever their size', async () => {
  const whole = await search({ key: '*' });
  expect(whole.next_cursor).toBeUndefined();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      async (sizes) => {
        const pages = { matches: [] as unknown[], unreadable: [] as unknown[] };
        let cursor: string | undefined;
        for (let i = 0; i === 0 || cursor !== undefined; i++) {
          const limit = sizes[i % sizes.length] ?? 1;
          const page = await search({ key: '*', limit, ...(cursor === undefined ? {} : { cursor }) });
          expect(page.matches.length).toBeLessThanOrEqual(limit);
          if (page.next_cursor !== undefined) {
            expect(page.matches.length).toBe(limit);
            expect(page.text).toContain(`More: repeat with cursor ${JSON.stringify(page.next_cursor)}`);
          }
          pages.matches.push(...page.matches);
          pages.unreadable.push(...page.unreadable);
          cursor = page.next_cursor;
        }
        expect(pages).toEqual({ matches: whole.matches, unreadable: whole.unreadable });
      },
    ),
    { numRuns: 12 },
  );
});

it('goes on after a page that reached its bytes and found nothing', async () => {
  const many = await startToolServer();
  try {
    const filler = `# ${'x'.repeat(1_500_000)}\n`;
    for (const name of ['a', 'b', 'c', 'd', 'e']) many.write(`${name}.yaml`, `${filler}last: ${name}\n`);
    const first = await search({ value: 'e' }, many);
    expect(first).toMatchObject({ matches: [], text: expect.stringContaining('Nothing found so far.') });
    const second = await search({ value: 'e', cursor: first.next_cursor }, many);
    expect(second.matches).toEqual([{ file: 'e.yaml', doc: 0, path: 'last', line: 2 }]);
    expect(second.next_cursor).toBeUndefined();
  } finally {
    await many.close();
  }
});

describe('a hostile pattern is answered', () => {
  const STARS = `${'*a'.repeat(120)}!`;
  test.each([
    { args: { key: STARS }, why: 'many stars' },
    { args: { value: `${'*'.repeat(250)}b` }, why: 'stars in a row' },
    { args: { key: `${'?*'.repeat(120)}!` }, why: 'stars and question marks' },
    { args: { key: '(a+)+$' }, why: 'a regular expression is text' },
    { args: { key: '\\', value: '[' }, why: 'no character but two is special' },
  ])('$why', async ({ args }) => {
    mkdirSync(join(server.root, 'long'), { recursive: true });
    server.write('long/names.yaml', `${'a'.repeat(1_000)}: ${'a'.repeat(200_000)} b\n`);
    // In the time that the server gives a call: otherwise this is refused as TIMEOUT.
    await search({ ...args, pattern: 'long/**' });
  });
});

it('a cursor opens nothing that the policy hides', async () => {
  const cursor = JSON.stringify({ after: '.git/', skip: 0 });
  expect((await server.refused('config_search', { key: 'image', cursor })).code).toBe('PATH_DENIED');
});
