// Selectors, equal keys and the spellings of other tools through a client: from the call to the bytes on the disk.
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';

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

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer();
});
afterAll(() => server.close());

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

  it('is named by each step of the refusal', async () => {
    const file = server.fresh(TWICE);
    const { code, recovery_steps: steps } = await server.refused('config_set', {
      file,
      path: 'a.type',
      json: 'z',
    });
    expect(code).toBe('DUPLICATE_KEY');
    for (const step of steps) await server.ok(step.tool ?? '', step.arguments ?? {});
  });

  it.each([
    { edit: { op: 'set', path: 's.k.a', json: 5 }, steps: [{ path: 's.k[#1].a' }, { path: 's.k[#2].a' }] },
    { edit: { op: 'set', path: '/s/k/a', json: 5 }, steps: [{ path: 's.k[#1].a' }, { path: 's.k[#2].a' }] },
    { edit: { op: 'delete', path: '/s/k' }, steps: [{ path: 's.k[#1]' }, { path: 's.k[#2]' }] },
    {
      edit: { op: 'move', path: 'z', to: 's.k' },
      steps: [
        { path: 'z', to: 's.k[#1]' },
        { path: 'z', to: 's.k[#2]' },
      ],
    },
    { edit: { op: 'merge', path: 's', json: { k: { a: 3 }, y: 1 } }, steps: [] },
  ])('no step of the refusal edits more than was asked: $edit', async ({ edit, steps: wanted }) => {
    const file = server.fresh('s:\n  k: {a: 1}\n  k: {a: 2}\nz: 1\n');
    const { code, recovery_steps: steps } = await server.refused('config_edit', {
      edits: [{ ...edit, file }],
    });
    expect(code).toBe('DUPLICATE_KEY');
    const edits = steps.filter(({ tool }) => tool === 'config_edit');
    expect(edits.map((step) => step.arguments)).toMatchObject(wanted.map((one) => ({ edits: [one] })));
    for (const step of steps) await server.ok(step.tool ?? '', step.arguments ?? {});
  });
});

it('offers the same edit for each item that a selector names, and for the nearest name', async () => {
  const file = server.fresh('list:\n- {name: a, v: 1}\n- {name: a, v: 2}\n');
  const edits = [{ op: 'set', file, path: 'list[name=a].v', json: 3 }];
  const { code, recovery_steps: steps } = await server.refused('config_edit', { edits });
  expect(code).toBe('NODE_AMBIGUOUS');
  expect(steps.map((step) => step.arguments)).toMatchObject([
    { edits: [{ path: 'list[0].v' }] },
    { edits: [{ path: 'list[1].v' }] },
  ]);
  for (const step of steps) await server.ok(step.tool ?? '', step.arguments ?? {});
});

it('makes no key of a path with slashes', async () => {
  const file = server.fresh('spec:\n  a: 1\n');
  const { code, recovery_steps: steps } = await server.refused('config_set', {
    file,
    path: 'spec/replicas',
    json: 3,
  });
  expect(code).toBe('NODE_AMBIGUOUS');
  const [first] = steps;
  const { data } = await server.ok(first?.tool ?? '', first?.arguments ?? {});
  expect(JSON.stringify(data)).toContain('+  replicas: 3');
});

it('offers an override and the anchor where an alias is crossed', async () => {
  const file = server.fresh('base: &base {port: 80}\ncopy: *base\n');
  const { code, recovery_steps: steps } = await server.refused('config_set', {
    file,
    path: 'copy.port',
    json: 90,
  });
  expect(code).toBe('ALIAS_CROSSED');
  expect(steps.map((step) => step.arguments?.['path'])).toEqual(['copy', 'base.port']);
  for (const step of steps) await server.ok(step.tool ?? '', step.arguments ?? {});
});
