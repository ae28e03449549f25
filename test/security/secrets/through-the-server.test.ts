// Masking through a real client: what is shown of each kind of secret, and that what is written is what stood there.
import { describe, expect, it } from 'vitest';
import { sharedStage } from '../../harness/previews.ts';

const APP = `db:
  host: db.local
  password: canary-key
  url: postgres://app:canary-url@db.local/app
env:
  - name: DB_PASSWORD
    value: canary-env
notes: kept
`;
const SECRET =
  'kind: Secret\nmetadata:\n  name: web\ndata:\n  foo: Y2FuYXJ5\nstringData:\n  bar: canary-data\n';

const open = sharedStage([], { 'app.yaml': APP, 'secret.yaml': SECRET });

describe('masked values', () => {
  it('are not shown by any view, and written as they were [DIS-9]', async () => {
    const { at, server } = await open();
    for (const view of ['source', 'outline', 'value', 'raw'])
      for (const file of ['app.yaml', 'secret.yaml']) {
        const { text, data } = await server.ok('config_get', { file, view });
        expect(`${text}${JSON.stringify(data)}`).not.toMatch(/canary|Y2FuYXJ5/u);
      }
    const args = { file: 'app.yaml', path: 'db.host', value: 'other.local' };
    const { data } = await server.ok('config_set', args);
    expect(JSON.stringify(data)).not.toMatch(/canary/u);
    await server.ok('config_apply', { preview_id: data['preview_id'] });
    expect(at.disk('app.yaml')).toBe(APP.replace('db.local\n', 'other.local\n'));
  });

  it('come back with the change that is undone [DIS-9]', async () => {
    const { at, server } = await open();
    const edits = [{ op: 'delete', file: 'app.yaml', path: 'db' }];
    const { data } = await server.ok('config_edit', { edits, dry_run: false });
    expect(at.disk('app.yaml')).not.toContain('canary-key');
    const undone = await server.ok('config_revert', { change_id: data['change_id'], dry_run: false });
    expect(undone.text).not.toMatch(/canary/u);
    expect(at.disk('app.yaml')).toBe(APP);
  });

  it.each([
    { why: 'another key', edit: { op: 'rename', file: 'app.yaml', path: 'db.password', new_key: 'note' } },
    { why: 'another kind', edit: { op: 'set', file: 'secret.yaml', path: 'kind', value: 'ConfigMap' } },
    { why: 'a copy', edit: { op: 'copy', file: 'app.yaml', path: 'db.password', to: '', key: 'note' } },
    { why: 'a guess', edit: { op: 'set', file: 'app.yaml', path: 'db.password', value: 'canary-key' } },
  ])('stay masked: $why is refused [DIS-10]', async ({ edit }) => {
    const { server } = await open();
    expect(await server.refused('config_edit', { edits: [edit] })).toMatchObject({ code: 'POLICY_DENIED' });
  });
});
