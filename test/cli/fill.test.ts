// A value that only a person knows goes into a waiting preview: typed at a terminal, or piped. The agent, the log, the trail
// and the screen never have it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLI, startServer } from '../harness/start-server.ts';
import { CTRL_C, ENTER, HAS_TERMINAL } from '../harness/terminal.ts';
import { PASSPHRASE, type Shop, shop } from './shop.ts';

const CANARY = 'q: "Xk7#v" \'n\' 9';

async function agentOf({ root, flags, env, stateDir }: Shop) {
  const server = await startServer({ root, flags: flags.slice(2), env, state: stateDir });
  onTestFinished(() => server.close());
  let heard = '';
  const call = async (tool: string, args: Readonly<Record<string, unknown>>) => {
    const outcome = await server.callTool(tool, args);
    heard += outcome.text + JSON.stringify(outcome.data);
    return outcome;
  };
  return {
    call,
    heard: () => heard,
    /** Answers the id of a preview of these edits of a.yaml. */
    propose: async (...edits: readonly Readonly<Record<string, unknown>>[]) => {
      const asked = edits.map((edit) => ({ file: 'a.yaml', ...edit }));
      const { data, text } = await call('config_edit', { edits: asked, dry_run: true });
      if (typeof data['preview_id'] !== 'string') throw new Error(text);
      return data['preview_id'];
    },
  };
}

const standIn = (path: string, json: unknown = 'CHANGEME') => ({ op: 'set', path, json, create: true });
const NOTE = standIn('note');

function fill(here: Shop, id: string, path: string, input: string | Uint8Array, ...more: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [CLI, 'fill', id, path, ...more, ...here.flags],
    {
      env: { ...here.env, PATH: process.env['PATH'] ?? '' },
      input,
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr, id: /Preview (pv_\w+) takes the place/u.exec(stdout)?.[1] ?? '' };
}

const textOf = ({ root }: Shop, file = 'a.yaml'): string => readFileSync(join(root, file), 'utf8');

/** All that is kept in the state directory, but for what is there to be written or to be undone. */
function keptIn({ stateDir }: Shop): string {
  return ['audit', 'previews', 'texts']
    .flatMap((folder) => readdirSync(join(stateDir, folder)).map((name) => join(stateDir, folder, name)))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

describe.skipIf(!HAS_TERMINAL)('at a terminal', () => {
  it('it is typed twice and unseen, approved under the new id, and written [TTY-7]', async () => {
    const here = shop();
    const agent = await agentOf(here);
    const old = await agent.propose(NOTE, { op: 'set', path: 'replicas', json: 3 });

    const filling = here.at(['fill', old, 'note']);
    await filling.sees('The value of note in a.yaml. Nothing that you type is shown.');
    for (const typed of [CANARY, 'another', CANARY, CANARY]) {
      await filling.sees(/Value:|again:/u);
      filling.types(typed + ENTER);
    }
    await filling.sees('takes the place of the one before');
    expect(await filling.ends()).toEqual({ status: 0, isSane: true });
    expect(filling.text()).toContain('The two differ.');
    expect(filling.text()).toMatch(/add note: "?<secret:/u);
    expect(filling.raw()).not.toContain('Xk7');
    const filled = /Preview (pv_\w+) takes/u.exec(filling.text())?.[1] ?? '';

    const told = await agent.call('config_apply', { preview_id: old });
    expect(told.text).toContain(
      `PREVIEW_EXPIRED: Cannot use this preview: a person has filled in a value since, and ${filled}`,
    );
    expect(told.text).toContain(`config_apply {"preview_id":"${filled}"}`);
    const { text } = await agent.call('config_history', { preview_id: old });
    expect(text).toContain(`${filled}  `);
    expect(text).toContain('with a value that a person has filled in');
    expect((await agent.call('config_apply', { preview_id: filled })).text).toContain('APPROVAL_REQUIRED');

    const approving = here.at(['approve', filled]);
    await approving.sees('A person has filled in values of it');
    await approving.sees('Type yes');
    approving.types(`yes${ENTER}`);
    await approving.sees('Passphrase');
    approving.types(PASSPHRASE + ENTER);
    expect((await approving.ends()).status).toBe(0);
    expect((await agent.call('config_apply', { preview_id: filled })).data).toMatchObject({ applied: true });
    expect(textOf(here)).toContain(`note: ${JSON.stringify(CANARY)}\n`);
    expect(agent.heard() + keptIn(here)).not.toContain('Xk7');
    const record = /^.*"action":"fill".*$/mu.exec(keptIn(here))?.[0] ?? '{}';
    expect(JSON.parse(record)).toMatchObject({
      caller: { name: 'config-airlock fill', principal: expect.any(String) },
      file: 'a.yaml',
      paths: ['note'],
    });
    const audit = here.at(['audit', 'verify']);
    await audit.sees('The audit trail is intact');
    expect((await audit.ends()).status).toBe(0);
  });

  it('Ctrl-C leaves the preview as it was', async () => {
    const here = shop('preview');
    const agent = await agentOf(here);
    const id = await agent.propose(NOTE);
    const filling = here.at(['fill', id, 'note']);
    await filling.sees('Value:');
    filling.types(`x${CTRL_C}`);
    expect(await filling.ends()).toEqual({ status: 130, isSane: true });
    expect((await agent.call('config_apply', { preview_id: id })).data).toMatchObject({ applied: true });
  });
});

describe('from a pipe', () => {
  it('it stays masked after it was applied, whatever its key: in views, searches, diffs and what undoes it', async () => {
    const here = shop('direct');
    const agent = await agentOf(here);
    const { id } = fill(here, await agent.propose(NOTE), 'note', `${CANARY}\n`);
    const { data } = await agent.call('config_apply', { preview_id: id });
    expect(textOf(here)).toContain(JSON.stringify(CANARY));
    const change_id = data['change_id'];
    const refused = [
      ['config_edit', { edits: [{ op: 'rename', file: 'a.yaml', path: 'note', new_key: 'name2' }] }],
      ['config_edit', { edits: [{ op: 'copy', file: 'a.yaml', path: 'note', to: '', key: 'other' }] }],
      [
        'config_edit',
        { edits: [{ op: 'insert', file: 'a.yaml', path: '', key: 'note', json: 'x', before: 'name' }] },
      ],
      ['config_set', { file: 'a.yaml', path: 'note', json: CANARY }],
      ['config_set', { file: 'a.yaml', path: 'note', json: 'a guess' }],
    ] as const;
    for (const [tool, args] of refused)
      expect((await agent.call(tool, { ...args, dry_run: true })).isError).toBe(true);
    for (const [tool, args] of [
      ...['source', 'outline', 'value', 'raw'].map(
        (view) => ['config_get', { file: 'a.yaml', view }] as const,
      ),
      ['config_search', { text: 'Xk7' }],
      ['config_search', { key: 'note' }],
      ['config_search', { value: 'q*' }],
      ['config_diff', { a: { file: 'a.yaml', before_change: change_id }, b: { file: 'a.yaml' } }],
      ['config_history', { change_id }],
      ['config_set', { file: 'a.yaml', path: 'replicas', json: 5, dry_run: true }],
      ['config_revert', { change_id, dry_run: true }],
      ['config_revert', { change_id, dry_run: false }],
    ] as const)
      expect(await agent.call(tool, args)).toMatchObject({ isError: false });
    expect(textOf(here)).not.toContain('note');
    expect(agent.heard().replaceAll(JSON.stringify('Xk7'), '')).not.toMatch(/#v|Xk7#/u);
  });

  const NEST = 'db:\n  host: a # primary\n  note: "old" # why\n  list: [a, b]\n';
  const WRITTEN = [
    {
      why: 'as it is where that is a text',
      file: 'x.yaml',
      path: 'db.host',
      value: 'hunter2',
      as: 'host: hunter2 # primary',
    },
    {
      why: 'in the quotes that stood there',
      file: 'x.yaml',
      path: 'db.note',
      value: 'hunter2',
      as: 'note: "hunter2" # why',
    },
    {
      why: 'in quotes where it would be a number',
      file: 'x.yaml',
      path: 'db.host',
      value: '0123',
      as: 'host: "0123" # primary',
    },
    {
      why: 'in quotes where it would be a null',
      file: 'x.yaml',
      path: 'db.host',
      value: 'null',
      as: 'host: "null" # primary',
    },
    {
      why: 'in quotes where it would be a comment',
      file: 'x.yaml',
      path: 'db.host',
      value: 'a #b',
      as: 'host: "a #b" # primary',
    },
    {
      why: 'letters of any alphabet',
      file: 'x.yaml',
      path: 'db.host',
      value: 'pässwörd-日本',
      as: 'pässwörd-日本',
    },
    {
      why: 'an item of a list',
      file: 'x.yaml',
      path: 'db.list[1]',
      value: 'hunter2',
      as: 'list: [a, hunter2]',
    },
    {
      why: 'several lines',
      file: 'x.yaml',
      path: 'db.host',
      value: 'a: 1\n  b\n',
      as: '| # primary\n    a: 1\n      b\n',
    },
    { why: 'in JSON', file: 'x.json', path: 'db.note', value: 'a "b"\\c', as: '"note": "a \\"b\\"\\\\c"' },
  ];
  it('it is written in the style of what stood there, in quotes where it needs some', async () => {
    const here = shop('preview');
    const agent = await agentOf(here);
    for (const { why, file, path, value, as } of WRITTEN) {
      writeFileSync(join(here.root, 'x.yaml'), NEST);
      writeFileSync(join(here.root, 'x.json'), '{"db": {"note": "old"}}\n');
      const done = fill(here, await agent.propose({ ...standIn(path), file }), path, value);
      expect(done, why).toMatchObject({ status: 0, stderr: '' });
      const { text } = await agent.call('config_apply', { preview_id: done.id });
      expect(text, why).toMatch(/^Applied/u);
      expect(textOf(here, file), why).toContain(as);
      expect(agent.heard() + done.stdout, why).not.toContain(value.split('\n')[0]);
    }
  });

  it('it goes into a new file, and several values into one preview', async () => {
    const here = shop('preview');
    const agent = await agentOf(here);
    const content = 'kind: Secret\nstringData:\n  user: CHANGEME\n  pass: CHANGEME\n';
    const first = await agent.propose({ op: 'create_file', file: 'new.yaml', content });
    const second = fill(here, first, 'stringData.user', 'ann-the-admin').id;
    expect(fill(here, first, 'stringData.pass', 'x').stderr).toContain(`PREVIEW_EXPIRED`);
    const third = fill(here, second, 'stringData.pass', 'hunter2').id;
    expect((await agent.call('config_apply', { preview_id: first })).text).toContain(third);
    await agent.call('config_apply', { preview_id: third });
    expect(textOf(here, 'new.yaml')).toBe(
      'kind: Secret\nstringData:\n  user: ann-the-admin\n  pass: hunter2\n',
    );
    expect(agent.heard()).not.toMatch(/ann-the-admin|hunter2/u);
  });

  it('it is named by its file where several set the same path', async () => {
    const here = shop('preview');
    mkdirSync(join(here.root, 'b'));
    writeFileSync(join(here.root, 'b/c.yaml'), 'n: 1\n---\nn: 2\n');
    const agent = await agentOf(here);
    const id = await agent.propose(NOTE, { ...NOTE, file: 'b/c.yaml', doc: 1 });
    expect(fill(here, id, 'note', 'x').stderr).toContain('name one with --file');
    const done = fill(here, id, 'note', 'hunter2', '--file', 'b/c.yaml', '--doc', '1');
    await agent.call('config_apply', { preview_id: done.id });
    expect(textOf(here, 'b/c.yaml')).toBe('n: 1\n---\nn: 2\nnote: hunter2\n');
    expect(textOf(here)).toContain('note: CHANGEME\n');
  });

  const REFUSED = [
    {
      why: 'a preview that is none',
      id: 'pv_0000000000',
      path: 'note',
      value: 'x',
      says: 'PREVIEW_NOT_FOUND',
    },
    {
      why: 'a path that the preview does not set',
      path: 'replicas',
      value: 'x',
      says: 'does not set what stands there',
    },
    { why: 'a path that leads nowhere', path: 'none.such', value: 'x', says: 'NODE_NOT_FOUND' },
    { why: 'a path that is none', path: 'a..b', value: 'x', says: 'NODE_PATH_INVALID' },
    { why: 'a mapping', path: 'map', value: 'x', says: 'TYPE_MISMATCH' },
    { why: 'nothing', path: 'note', value: '\n', says: 'the value is empty' },
    { why: 'what stands there already', path: 'note', value: 'CHANGEME', says: 'it stands there already' },
    { why: 'a control character', path: 'note', value: 'a\u001bb', says: 'a control character' },
    { why: 'what is no UTF-8', path: 'note', value: Uint8Array.of(0x61, 0xff), says: 'no valid UTF-8' },
    { why: 'what is too long', path: 'note', value: 'x'.repeat(70_000), says: 'longer than 64000 bytes' },
    { why: 'a fingerprint', path: 'note', value: '<secret:01234567>', says: 'only stands for one' },
  ];
  it('it refuses what cannot be a value, or a place for one, and the preview stays as it was', async () => {
    const here = shop('preview');
    const agent = await agentOf(here);
    const asked = await agent.propose(NOTE, { op: 'set', path: 'map', json: { a: 1 }, create: true });
    for (const { why, id, path, value, says } of REFUSED) {
      const { status, stdout, stderr } = fill(here, id ?? asked, path, value);
      expect({ status, stdout }, why).toEqual({ status: 2, stdout: '' });
      expect(stderr, why).toContain(says);
    }
    expect(readdirSync(join(here.stateDir, 'filled'))).toEqual([]);
    expect((await agent.call('config_apply', { preview_id: asked })).data).toMatchObject({ applied: true });
  });

  it('below data of a Secret it has to be base64', async () => {
    const here = shop('preview');
    const agent = await agentOf(here);
    const content = 'kind: Secret\ndata:\n  pass: CHANGEME\n';
    const id = await agent.propose({ op: 'create_file', file: 'secret.yaml', content });
    expect(fill(here, id, 'data.pass', 'hunter2').stderr).toContain('VALUE_INVALID');
    const done = fill(here, id, 'data.pass', 'aHVudGVyMg==');
    await agent.call('config_apply', { preview_id: done.id });
    expect(textOf(here, 'secret.yaml')).toBe('kind: Secret\ndata:\n  pass: aHVudGVyMg==\n');
  });

  it('it refuses a preview that was applied, rejected, or made for another state of the file', async () => {
    const here = shop('preview');
    const agent = await agentOf(here);
    const [applied, stale] = [await agent.propose(NOTE), await agent.propose(standIn('other'))];
    await agent.call('config_apply', { preview_id: applied });
    expect(fill(here, applied, 'note', 'x').stderr).toContain('PREVIEW_USED');
    expect(fill(here, stale, 'other', 'x').stderr).toContain('FILE_CHANGED');
    expect(readdirSync(join(here.stateDir, 'filled'))).toEqual([]);
  });

  it('it is judged anew: what a rule lets pass with a stand-in may need a person with a value', async () => {
    const plain = shop('preview');
    const policy = join(plain.root, '../policy.yaml');
    writeFileSync(
      policy,
      'default: preview\nrules:\n  - id: note\n    paths: [note]\n    value: { const: CHANGEME }\n    then: preview\n    else: human\n',
      { mode: 0o600 },
    );
    const here = { ...plain, flags: [...plain.flags, '--policy', policy] };
    const agent = await agentOf(here);
    const asked = await agent.propose(NOTE);
    const done = fill(here, asked, 'note', 'hunter2');
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect((await agent.call('config_apply', { preview_id: done.id })).text).toContain('APPROVAL_REQUIRED');
  });
});

describe('whoever guesses what was filled in', () => {
  const RIGHT = '$esame-open-99';
  /** What is said of a guess, to each thing that an agent can do with it. */
  async function answersTo(guess: string) {
    const here = shop('preview');
    const agent = await agentOf(here);
    const said: string[] = [];
    const tell = (name: string, { text }: { readonly text: string }) =>
      said.push(`${name}: ${text.split('\n')[0]}`);
    const edits = (...all: readonly Readonly<Record<string, unknown>>[]) =>
      agent.call('config_edit', { edits: all, dry_run: true });
    const applied = async (...all: readonly Readonly<Record<string, unknown>>[]) => {
      const { data } = await edits(...all);
      return agent.call('config_apply', { preview_id: data['preview_id'] });
    };
    const file = (name: string, text = 'm: {k: v}\n') => {
      writeFileSync(join(here.root, name), text);
      return name;
    };
    const propose = (name: string) =>
      agent.propose({ ...standIn('m.note'), file: name }).then((id) => fill(here, id, 'm.note', RIGHT).id);
    const note = (name: string) => ({ op: 'set', file: name, path: 'm.note', json: guess, create: true });

    const early = file('early.yaml');
    const before = await agent.propose(note(early));
    const filled = await propose(early);
    tell('a preview from before', await agent.call('config_apply', { preview_id: before }));
    tell('what was filled in', await agent.call('config_apply', { preview_id: filled }));
    tell('it is masked', {
      text: `${/<secret:/u.test((await agent.call('config_get', { file: early })).text)}`,
    });
    tell('that preview once more', await agent.call('config_apply', { preview_id: before }));

    const undone = file('undone.yaml', `m: {k: v, note: ${guess}}\n`);
    const { data } = await applied({ op: 'delete', file: undone, path: 'm.note' });
    await agent.call('config_apply', { preview_id: await propose(undone) });
    await applied({ op: 'delete', file: undone, path: 'm.note' });
    tell('an undoing', await agent.call('config_revert', { change_id: data['change_id'], dry_run: true }));

    const other = file('other.yaml', `g: &g ${guess}\nm: {k: v}\n`);
    await agent.call('config_apply', { preview_id: await propose(other) });
    const whole = (value: string) => ({ op: 'set', file: other, path: 'm', value });
    tell('the value', await edits(note(other)));
    tell('an alias', await edits({ op: 'set', file: other, path: 'm.note', value: '*g' }));
    tell('a merge', await edits(whole(`{k: v, <<: {note: "${guess}"}}`)));
    tell('a tag', await edits(whole(`{k: v, note: !!str "${guess}"}`)));
    tell('a comment', await edits({ op: 'comment', file: other, path: 'm', comment: guess }));
    writeFileSync(join(here.root, other), `${textOf(here, other)}x: [\n`);
    const [old_text, new_text] = ['k: v', `k: v # ${guess}`];
    tell('a text that cannot be read', await edits({ op: 'replace_text', file: other, old_text, new_text }));
    return said;
  }

  it('is told nothing, in whatever way [DIS-10] [TTY-7]', async () => {
    const [right, wrong] = [await answersTo(RIGHT), await answersTo('$wrong-guess-7')];
    expect(right.map((line) => line.replaceAll(/pv_\w+/gu, 'id'))).toEqual(
      wrong.map((line) => line.replaceAll(/pv_\w+/gu, 'id')),
    );
    const DENIED = 'POLICY_DENIED: Cannot make this edit: a person has filled in a value here';
    const refusals = right.filter((line) => line.includes(DENIED)).map((line) => line.split(':')[0]);
    expect(refusals).toEqual([
      'a preview from before',
      'an undoing',
      'the value',
      'an alias',
      'a merge',
      'a tag',
    ]);
    expect(right).toContain('what was filled in: Applied: 1 path in 1 file.');
    expect(right).toContain('it is masked: true');
  });
});

it('what was filled in is masked under the names that other roots give to the file [DIS-9] [TTY-7]', async () => {
  const here = shop('preview');
  mkdirSync(join(here.root, 'deep'));
  writeFileSync(join(here.root, 'deep/b.yaml'), 'a: 1\n');
  const agent = await agentOf(here);
  const { data } = await agent.call('config_set', { ...NOTE, op: undefined, file: 'deep/b.yaml' });
  const { id } = fill(here, String(data['preview_id']), 'note', 'CanaryOfNote7');
  await agent.call('config_apply', { preview_id: id });
  expect(textOf(here, 'deep/b.yaml')).toContain('CanaryOfNote7');
  const below = join(here.root, 'deep');
  const ways: readonly (readonly [string, string, readonly string[]])[] = [
    [below, 'b.yaml', []],
    [`named=${here.root}`, '@named/deep/b.yaml', []],
  ];
  for (const [root, file, flags] of ways) {
    const server = await startServer({ root, flags, env: here.env, state: here.stateDir });
    onTestFinished(() => server.close());
    const { text } = await server.callTool('config_get', { file });
    expect(text).toContain('note: <secret:');
    expect(text).not.toContain('CanaryOfNote7');
  }
});
