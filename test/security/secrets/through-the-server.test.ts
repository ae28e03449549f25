import { describe, expect, it } from 'vitest';
import { type Stage, sharedStage, stage } from '../../harness/previews.ts';

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

const openAsked = sharedStage(['--mask-key', 'notes'], { 'app.yaml': APP });
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

  it('are named by the edit of a batch that touches one [DIS-10]', async () => {
    const { server } = await open();
    const edit = (op: string, more: object) => ({ op, file: 'app.yaml', ...more });
    const edits = [
      edit('set', { path: 'db.host', value: 'a' }),
      edit('set', { path: 'notes', value: 'b' }),
      edit('copy', { path: 'db.password', to: '', key: 'token' }),
      edit('set', { path: 'notes', value: 'c' }),
    ];
    expect(await server.refused('config_edit', { edits })).toMatchObject({
      code: 'SECRET_PLACEHOLDER',
      file: 'app.yaml',
      path: 'db.password',
    });
  });

  it('and a new file is refused with the lines that would be masked', async () => {
    const { server } = await open();
    const content = 'user: a\npassword: x8kQz-17\nnote: b\ntoken: y8kQz-17\n';
    const edits = [{ op: 'create_file', file: 'new.yaml', content }];
    expect((await server.refused('config_edit', { edits })).message).toBe(
      'Cannot create this file: lines 2, 4 of the new text hold a plain secret, and no call writes one',
    );
  });

  it.each([
    {
      why: 'by its key',
      edit: { op: 'rename', file: 'app.yaml', path: 'db.password', new_key: 'note' },
      says: 'Its key has the name of a secret: where it is none, a person can start the server with --show-path "app.yaml:db.password"',
    },
    {
      why: 'by the key that it would have',
      edit: { op: 'insert', file: 'app.yaml', path: 'db', key: 'token', value: 'abc1' },
      says: 'Its key has the name of a secret: where it is none, a person can start the server with --show-path GLOB:PATH',
    },
    {
      why: 'by what is around it',
      edit: { op: 'set', file: 'secret.yaml', path: 'stringData.bar', value: 'abc1' },
      says: 'What stands around it says that it is a secret: where it is none, a person can start the server with --show-path "secret.yaml:stringData.bar"',
    },
    {
      why: 'by its form',
      edit: { op: 'copy', file: 'app.yaml', path: 'db.url', to: '' },
      says: 'Its form alone says that it is a secret, as that of a token or of a password in a URL',
    },
    {
      why: 'as a text without a path',
      edit: { op: 'replace_text', file: 'app.yaml', old_text: 'password:', new_text: 'password: x' },
      says: 'Its key has the name of a secret: where it is none, a person can start the server with --show-path GLOB:PATH',
    },
  ])('are named by the rule that masks them: $why', async ({ edit, says }) => {
    const { server } = await open();
    const { details = '' } = await server.refused('config_edit', { edits: [edit] });
    expect(details.split('\n').at(-1)).toBe(says);
  });

  it('have a fingerprint that tells equal ones of one server, and nothing else [DIS-10]', async () => {
    const text = 'a_token: one-secret\nb_token: one-secret\nc_token: other-secret\n';
    const prints = async (at: Stage) => {
      const server = await at.start();
      const { text: shown } = await server.ok('config_get', { file: 'a.yaml', view: 'raw' });
      return shown.match(/<secret:[0-9a-hjkmnp-tv-z]{8}>/gu) ?? [];
    };
    const [one, other] = [stage({ 'a.yaml': text }), stage({ 'a.yaml': text })];
    const [first, second, third] = await prints(one);
    expect(first).toBe(second);
    expect(first).not.toBe(third);
    expect(await prints(one)).toEqual([first, second, third]);
    expect(await prints(other)).not.toContain(first);
  });

  it('are named by the rule of the operator', async () => {
    const { server } = await openAsked();
    const edit = { op: 'set', file: 'app.yaml', path: 'notes', value: 'other' };
    const { details = '' } = await server.refused('config_edit', { edits: [edit] });
    expect(details.split('\n').at(-1)).toBe('An option --mask-key or --mask-path of the operator masks it');
  });
});
