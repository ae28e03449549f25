// preview_id of an edit: a task of many calls is one preview, one diff and one decision. All that joined is proven as a whole on
// the files as they are now, and an id that was replaced answers with the new one.
import { describe, expect, it } from 'vitest';
import { humanFlags, person, sharedStage, stage } from '../harness/previews.ts';
import { trailOf } from '../harness/state.ts';
import type { ToolServer } from '../harness/tool-server.ts';

const A = 'one: 1 # first\ntwo: 2\nlist:\n  - a\n';
const B = '{"x": 1}\n';
const ann = person('ann');
const direct = sharedStage();
const reviewed = sharedStage((at) => humanFlags(at, [ann]));

function furnish({ write }: Pick<ToolServer, 'write'>): void {
  write('joined.yaml', A);
  write('joined.json', B);
}

async function proposed(server: ToolServer, tool: string, args: object): Promise<string> {
  return String((await server.ok(tool, { ...args })).data['preview_id']);
}

const ONE = { file: 'joined.yaml', path: 'one', json: 10 };
const OTHER = { file: 'joined.json', path: 'x', json: 20 };

describe('an edit with preview_id', () => {
  it('is one preview with those before it, which config_apply writes as one change', async () => {
    const { at, server } = await direct();
    furnish(server);
    const first = await proposed(server, 'config_set', ONE);
    const second = await proposed(server, 'config_set', { ...OTHER, preview_id: first });
    const append = { op: 'append', file: 'joined.yaml', path: 'list', value: 'b' };
    const { data } = await server.ok('config_edit', { edits: [append], preview_id: second });
    expect(at.disk('joined.yaml')).toBe(A);
    const { data: applied } = await server.ok('config_apply', { preview_id: data['preview_id'] });
    expect(at.disk('joined.yaml')).toBe('one: 10 # first\ntwo: 2\nlist:\n  - a\n  - b\n');
    expect(at.disk('joined.json')).toBe('{"x": 20}\n');
    await server.ok('config_revert', { change_id: applied['change_id'], dry_run: false });
    expect([at.disk('joined.yaml'), at.disk('joined.json')]).toEqual([A, B]);
  });

  it('sees what the preview makes of its file, and may take it back', async () => {
    const { at, server } = await direct();
    furnish(server);
    const first = await proposed(server, 'config_set', { ...ONE, path: 'new.key' });
    const rename = { op: 'rename', file: 'joined.yaml', path: 'new.key', new_key: 'name' };
    const second = await proposed(server, 'config_edit', { edits: [rename], preview_id: first });
    await server.ok('config_apply', { preview_id: second });
    expect(at.disk('joined.yaml')).toContain('new:\n  name: 10\n');
  });

  it('answers for the id before with the new one, whatever is asked of it [APR-15]', async () => {
    const { server } = await direct();
    furnish(server);
    const first = await proposed(server, 'config_set', ONE);
    const second = await proposed(server, 'config_set', { ...OTHER, preview_id: first });
    for (const [tool, args] of [
      ['config_apply', { preview_id: first }],
      ['config_set', { ...OTHER, preview_id: first }],
    ] as const) {
      const refused = await server.refused(tool, args);
      expect(refused.code).toBe('PREVIEW_REPLACED');
      expect(refused.again).toMatchObject({ tool: 'config_apply', arguments: { preview_id: second } });
    }
    await server.ok('config_apply', { preview_id: second });
    expect((await server.refused('config_set', { ...OTHER, preview_id: second })).code).toBe('PREVIEW_USED');
  });

  it('is proven on the files as they are now: what has drifted elsewhere stays', async () => {
    const { at, server } = await direct();
    furnish(server);
    const first = await proposed(server, 'config_set', ONE);
    server.write('joined.yaml', A.replace('two: 2', 'two: 3 # theirs'));
    const second = await proposed(server, 'config_set', { ...OTHER, preview_id: first });
    await server.ok('config_apply', { preview_id: second });
    expect(at.disk('joined.yaml')).toBe('one: 10 # first\ntwo: 3 # theirs\nlist:\n  - a\n');
  });

  it('is refused where an edit of the preview no longer fits, and leaves the preview as it was', async () => {
    const { server } = await direct();
    furnish(server);
    const set = { op: 'set', file: 'joined.yaml', path: 'two', json: 5, create: false };
    const first = await proposed(server, 'config_edit', { edits: [set] });
    server.write('joined.yaml', 'one: 1\n');
    const refused = await server.refused('config_set', { ...OTHER, preview_id: first });
    expect(refused).toMatchObject({ code: 'NODE_NOT_FOUND', file: 'joined.yaml', path: 'two' });
    expect(refused.details).toContain('an edit that the preview holds');
    server.write('joined.yaml', A);
    await server.ok('config_apply', { preview_id: first });
  });

  it.each([
    ['an unknown one', { preview_id: 'pv_0000000000' }, 'PREVIEW_NOT_FOUND'],
    ['a write at once', { dry_run: false }, 'ARGUMENT_INVALID'],
  ])('is refused for %s', async (_, args, code) => {
    const { server } = await direct();
    furnish(server);
    const preview_id = await proposed(server, 'config_set', ONE);
    expect((await server.refused('config_set', { ...OTHER, preview_id, ...args })).code).toBe(code);
  });

  it('is refused for the preview of an undo', async () => {
    const { server } = await direct();
    furnish(server);
    const { data } = await server.ok('config_set', { ...ONE, dry_run: false });
    const preview_id = await proposed(server, 'config_revert', { change_id: data['change_id'] });
    expect((await server.refused('config_set', { ...OTHER, preview_id })).code).toBe('ARGUMENT_INVALID');
  });

  it('holds no more than 200 edits', async () => {
    const { server } = await direct();
    furnish(server);
    const edits = Array.from({ length: 200 }, (_, n) => ({
      op: 'set',
      file: 'joined.yaml',
      path: `k${n}`,
      json: n,
    }));
    const preview_id = await proposed(server, 'config_edit', { edits });
    expect((await server.refused('config_set', { ...OTHER, preview_id })).code).toBe('LIMIT_EXCEEDED');
  });
});

describe('a decision', () => {
  it('about the preview before holds no more, and one about the new one is for all of it [APR-15]', async () => {
    const { at, server } = await reviewed();
    furnish(server);
    const first = await proposed(server, 'config_set', ONE);
    await ann.decide(at, first, 'approve');
    const second = await proposed(server, 'config_set', { ...OTHER, preview_id: first });
    expect((await server.refused('config_apply', { preview_id: first })).code).toBe('PREVIEW_REPLACED');
    expect((await server.refused('config_apply', { preview_id: second })).code).toBe('APPROVAL_REQUIRED');
    await ann.decide(at, second, 'approve');
    await server.ok('config_apply', { preview_id: second });
    expect(at.disk('joined.json')).toBe('{"x": 20}\n');
  });

  it('that rejects keeps everybody from adding to it', async () => {
    const { at, server } = await reviewed();
    furnish(server);
    const first = await proposed(server, 'config_set', ONE);
    await ann.decide(at, first, 'reject');
    expect((await server.refused('config_set', { ...OTHER, preview_id: first })).code).toBe(
      'APPROVAL_DECLINED',
    );
  });
});

it('stands in the trail, which is whole, and one entry waits', async () => {
  const at = await stage();
  const server = await at.start();
  furnish(server);
  const first = await proposed(server, 'config_set', ONE);
  await proposed(server, 'config_set', { ...OTHER, preview_id: first });
  const actions = trailOf(at.state).map(({ type, by }) => [type, by !== undefined]);
  expect(actions.slice(-3)).toEqual([
    ['previewed', false],
    ['joined', true],
    ['previewed', false],
  ]);
});

describe('a tool that reads with preview_id', () => {
  async function previewed(server: ToolServer): Promise<string> {
    furnish(server);
    server.write('gone.yaml', 'x: old\n');
    const edits = [
      { op: 'set', file: 'joined.yaml', path: 'one', json: 10 },
      { op: 'create_file', file: 'made.yaml', content: 'x: made\n' },
      { op: 'delete_file', file: 'gone.yaml' },
    ];
    return proposed(server, 'config_edit', { edits });
  }

  it('sees the files as the preview would make them, and the others as they are', async () => {
    const { at, server } = await direct();
    const preview_id = await previewed(server);
    const got = async (args: object) => (await server.ok('config_get', { preview_id, ...args })).text;
    expect(await got({ file: 'joined.yaml', path: 'one' })).toContain('10');
    expect(await got({ file: 'joined.yaml', view: 'raw' })).toContain('one: 10 # first');
    expect(await got({ file: 'made.yaml' })).toContain('x: made');
    expect(await got({ file: 'joined.json' })).toContain('{"x": 1}');
    const refused = await server.refused('config_get', { file: 'gone.yaml', preview_id });
    expect(refused.code).toBe('FILE_NOT_FOUND');
    const found = await server.ok('config_search', { key: 'x', pattern: '{made,gone}.yaml', preview_id });
    expect(found.data['matches']).toEqual([expect.stringContaining('made.yaml')]);
    const checked = await server.ok('config_validate', { pattern: '{joined,made,gone}.yaml', preview_id });
    expect(checked.data).toMatchObject({ valid: true, files: 2 });
    const sides = { a: { file: 'joined.yaml' }, b: { file: 'joined.yaml', preview_id } };
    expect((await server.ok('config_diff', sides)).text).toContain('~ one: 1 → 10');
    expect(at.disk('joined.yaml')).toBe(A);
  });

  it.each(['config_get', 'config_validate'])('%s is refused for an id that is none', async (tool) => {
    const { server } = await direct();
    furnish(server);
    const args = { file: 'joined.yaml', preview_id: 'pv_0000000000' };
    expect((await server.refused(tool, args)).code).toBe('PREVIEW_NOT_FOUND');
  });
});
