// Selectors, equal keys and the spellings of other tools through a client: from the call to the bytes on the disk.
import { describe, expect, it, test } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

const MANIFESTS = `# DO NOT EDIT
kind: Service
metadata: {name: web}
---
kind: Deployment
metadata:
  name: web
spec:
  containers:
  - name: web
    image: a:1   # pinned
  - name: sidecar
    image: b:1
# the end
`;

const server = toolServer();

type Edit = Readonly<Record<string, unknown>>;

/** The bytes after the edits were previewed and applied. */
async function written(contents: string, ...edits: readonly Edit[]): Promise<string> {
  const file = server.fresh(contents);
  const { data } = await server.ok('config_edit', { edits: edits.map((edit) => ({ file, ...edit })) });
  expect(server.disk(file)).toBe(contents);
  await server.ok('config_apply', { preview_id: data['preview_id'] });
  return server.disk(file);
}

describe('an edit reaches the one item that a selector names', () => {
  const doc = 'Deployment/web';
  test.each<{ edit: Edit; from: string; to: string }>([
    {
      edit: { op: 'set', doc, path: 'spec.containers[name=sidecar].image', json: 'b:2' },
      from: 'b:1',
      to: 'b:2',
    },
    { edit: { op: 'set', doc, path: 'spec/containers/0/image', json: 'a:2' }, from: 'a:1', to: 'a:2' },
    {
      edit: { op: 'delete', doc, path: '.spec.containers[name=sidecar]' },
      from: '  - name: sidecar\n    image: b:1\n',
      to: '',
    },
    {
      edit: { op: 'rename', doc, path: 'spec.containers.0.image', new_key: 'img' },
      from: 'image: a',
      to: 'img: a',
    },
    {
      edit: { op: 'comment', doc, path: 'spec.containers[name=web].image', comment: 'x', place: 'line_end' },
      from: '# pinned',
      to: '# x',
    },
    {
      edit: { op: 'append', doc: '1', path: '/spec/containers/-', value: 'name: c' },
      from: 'b:1\n',
      to: 'b:1\n  - name: c\n',
    },
    {
      edit: {
        op: 'set',
        doc: '{"kind":"Deployment","name":"web"}',
        path: '/spec/containers/-',
        value: 'name: c',
      },
      from: 'b:1\n',
      to: 'b:1\n  - name: c\n',
    },
  ])('$edit', async ({ edit, from, to }) => {
    expect(await written(MANIFESTS, edit)).toBe(MANIFESTS.replace(from, to));
  });
});

describe('an item that two fields tell apart', () => {
  const MATRIX =
    'm:\n  - os: linux\n    arch: x86\n  - os: linux\n    arch: arm\n  - os: mac\n    arch: arm\n';
  const changed = MATRIX.replace('arm\n', 'arm\n    new: 1\n');

  it('is named by both', async () => {
    expect(await written(MATRIX, { op: 'set', path: 'm[os=linux][arch=arm].new', json: 1 })).toBe(changed);
    const beside = { op: 'insert', path: 'm', before: '[os=mac][arch=arm]', value: 'os: bsd' };
    expect(await written(MATRIX, beside)).toBe(MATRIX.replace('  - os: mac', '  - os: bsd\n  - os: mac'));
    const each = { op: 'delete', path: 'm[os=linux][arch=x86].os', expect: 1 };
    expect(await written(MATRIX, each)).toBe(MATRIX.replace('os: linux\n    ', ''));
  });

  test.each(['m[os=linux,arch=arm].new', 'm[os=linu?,arch=a*].new'])('leads on from %s', async (path) => {
    const file = server.fresh(MATRIX);
    const { code, again } = await server.refused('config_set', { file, path, json: 1 });
    expect([code, again?.arguments]).toMatchObject(['NODE_NOT_FOUND', { path: 'm[1].new' }]);
    await server.ok(again?.tool ?? '', again?.arguments);
  });

  test.each(['Two', '["Two"]', 'b.md'])('or by the only key that it has: %s', async (after) => {
    const text = 'nav:\n  - One: a.md\n  - Two: b.md\n  - Three:\n      - x.md\n  - {Two: 1, b: 2}\n';
    const edit = { op: 'insert', path: 'nav', after, value: 'New: c.md' };
    expect(await written(text, edit)).toBe(text.replace('b.md\n', 'b.md\n  - New: c.md\n'));
    const last = { ...edit, after: undefined, before: 'Three' };
    expect(await written(text, last)).toBe(text.replace('b.md\n', 'b.md\n  - New: c.md\n'));
  });

  it('or by its index alone, where no item is a number', async () => {
    const beside = { op: 'insert', path: 'm', after: '1', value: 'os: bsd' };
    expect(await written(MATRIX, beside)).toBe(MATRIX.replace('  - os: mac', '  - os: bsd\n  - os: mac'));
    const file = server.fresh('l: [8, 9, 10]\n');
    const edits = [{ op: 'insert', file, path: 'l', after: '1', json: 7 }];
    expect((await server.refused('config_edit', { edits })).code).toBe('NODE_NOT_FOUND');
  });
});

it('takes keys in quotes behind a dot, as TOML, jq and yq write them', async () => {
  const text = 'a:\n  b.c:\n    d e: 1\n  "x\'y": 1\n';
  const edits = [
    { op: 'set', path: 'a."b.c".\'d e\'', json: 2 },
    { op: 'set', path: '.a."x\'y"', json: 3 },
  ];
  expect(await written(text, ...edits)).toBe('a:\n  b.c:\n    d e: 2\n  "x\'y": 3\n');
  expect(await written('1: a\n', { op: 'set', path: '"1"', json: 'b' })).toBe('1: b\n');
});

it('says how a list names what others write as keys', async () => {
  const file = server.fresh('env:\n  - A=1\n  - B=2\n');
  for (const [key, says] of [
    ['B', 'set the item [1] to "B=…"'],
    ['C', 'append the text "C=…"'],
  ] as const) {
    const { details } = await server.refused('config_set', { file, path: `env.${key}`, json: 'x' });
    expect(details).toContain(says);
  }
});

test.each([
  { text: 'env:\n  - A=1\n', value: 'B: x', warns: true },
  { text: 'env:\n  - A=1\n  - C: 2\n', value: 'B: x', warns: false },
  { text: 'env:\n  - {name: A, value: x}\n', value: 'B=x', warns: true },
  { text: 'plugins:\n  - search\n', value: 'mike: x', warns: true },
  { text: 'plugins:\n  - search\n', value: 'mike:\n  a: x', warns: false },
])('a variable written as $value beside others of $text: $warns', async ({ text, value, warns }) => {
  const file = server.fresh(text);
  const edits = [{ op: 'append', file, path: text.slice(0, text.indexOf(':')), value }];
  expect((await server.ok('config_edit', { edits })).text.includes('Did you mean')).toBe(warns);
});

describe('one of two equal keys', () => {
  const TWICE = 'a:\n  type: x\n  type: y # second\nb: 1\n';
  test.each<{ edit: Edit; to: string }>([
    { edit: { op: 'set', path: 'a.type[#2]', json: 'z' }, to: TWICE.replace('type: y', 'type: z') },
    { edit: { op: 'set', path: 'a.type[#1]', json: 'z' }, to: TWICE.replace('x', 'z') },
    { edit: { op: 'delete', path: 'a.type[#1]' }, to: TWICE.replace('  type: x\n', '') },
    { edit: { op: 'delete', path: 'a.type[#2]' }, to: TWICE.replace('  type: y # second\n', '') },
    { edit: { op: 'rename', path: 'a.type[#2]', new_key: 'kind' }, to: TWICE.replace('type: y', 'kind: y') },
    {
      edit: { op: 'comment', path: 'a.type[#2]', comment: 'c', place: 'line_end' },
      to: TWICE.replace('second', 'c'),
    },
  ])('$edit', async ({ edit, to }) => {
    expect(await written(TWICE, edit)).toBe(to);
  });

  it('is named by the refusal', async () => {
    const file = server.fresh(TWICE);
    const { code, again } = await server.refused('config_set', {
      file,
      path: 'a.type',
      json: 'z',
    });
    expect(code).toBe('DUPLICATE_KEY');
    await server.ok(again?.tool ?? '', again?.arguments);
  });

  it.each([
    { edit: { op: 'set', path: 's.k.a', json: 5 }, way: { path: 's.k[#1].a' } },
    { edit: { op: 'set', path: '/s/k/a', json: 5 }, way: { path: 's.k[#1].a' } },
    { edit: { op: 'delete', path: '/s/k' }, way: { path: 's.k[#1]' } },
    { edit: { op: 'move', path: 'z', to: 's.k' }, way: { path: 'z', to: 's.k[#1]' } },
    { edit: { op: 'merge', path: 's', json: { k: { a: 3 }, y: 1 } }, way: undefined },
  ])('the way on edits no more than was asked: $edit', async ({ edit, way }) => {
    const file = server.fresh('s:\n  k: {a: 1}\n  k: {a: 2}\nz: 1\n');
    const { code, again } = await server.refused('config_edit', {
      edits: [{ ...edit, file }],
    });
    expect(code).toBe('DUPLICATE_KEY');
    if (way === undefined) expect(again?.tool).toBe('config_validate');
    else expect(again?.arguments).toMatchObject({ edits: [way] });
    await server.ok(again?.tool ?? '', again?.arguments);
  });
});

it('names each item that a selector can mean, and offers the same edit for the first', async () => {
  const file = server.fresh('list:\n- {name: a, v: 1}\n- {name: a, v: 2}\n');
  const edits = [{ op: 'set', file, path: 'list[name=a].v', json: 3 }];
  const { code, details, again } = await server.refused('config_edit', { edits });
  expect(code).toBe('NODE_AMBIGUOUS');
  expect(details).toContain('Paths that may be meant: list[0].v, list[1].v');
  expect(again?.arguments).toMatchObject({ edits: [{ path: 'list[0].v' }] });
  await server.ok(again?.tool ?? '', again?.arguments);
});
