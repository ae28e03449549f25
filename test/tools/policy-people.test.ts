// Rules about people and time, through the built command: several reviewers, small steps that add up, and a no that stands.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readPolicy } from '../../src/adapters/index.ts';
import { ReviewService } from '../../src/review/index.ts';
import { createLog, makeReviewerKey } from '../../src/security/index.ts';
import { openAirlock } from '../../src/server.ts';
import { type Person, startServer } from '../harness/start-server.ts';
import { tempRoot } from '../harness/temp-root.ts';

const POLICY = `default: direct
rules:
  - id: prod-image
    paths: image
    then: human
    approvers: [ann, bob]
    count: 2
    say: Ask the platform team.
  - id: slowly
    paths: replicas
    change: { max_step: 20%, window: 24h }
    then: direct
    else: human
  - { id: asked, paths: port, then: client }
  - { id: seen, paths: title, then: preview }
  - { id: fixed, paths: kind, then: deny }
`;
const FILE = 'image: web:1\nreplicas: 100\nport: 80\ntitle: one\nkind: shop\nitems: [{ port: 1 }]\n';
const KEYS = new Map(['ann', 'bob', 'cat'].map((name) => [name, makeReviewerKey(name)]));

async function stage({ policy = POLICY, isReviewed = true, files = { 'a.yaml': FILE } } = {}) {
  const temp = tempRoot(
    Object.fromEntries(Object.entries(files).map(([file, text]) => [`root/${file}`, text])),
  );
  onTestFinished(() => temp.remove());
  const at = (name: string) => join(temp.dir, name);
  const [root, stateDir, rules, reviewers] = [at('root'), at('state'), at('policy.yaml'), at('reviewers')];
  mkdirSync(stateDir, { mode: 0o700 });
  const list = (...names: readonly string[]) =>
    writeFileSync(reviewers, names.map((name) => `${KEYS.get(name)?.line}\n`).join(''), { mode: 0o600 });
  writeFileSync(rules, policy, { mode: 0o600 });
  list('ann', 'bob', 'cat');
  const flags = ['--policy', rules, ...(isReviewed ? ['--reviewers', reviewers] : [])];
  const changes = await readPolicy(policy);
  const log = createLog({ level: 'error', format: 'json', file: join(temp.dir, 'log') });
  const people = () => {
    const operatorFiles = [rules, reviewers];
    const {
      state,
      sandbox,
      policy: all,
    } = openAirlock({ roots: [root], stateDir, reviewers, changes, operatorFiles, log });
    if (state === undefined) throw new Error('it can write');
    onTestFinished(() => state.dir.close());
    return new ReviewService({ policy: all, sandbox, state });
  };
  const key = (name: string) => {
    const made = KEYS.get(name);
    if (made === undefined) throw new Error('one of three');
    return made.key;
  };
  return {
    ...{ root, stateDir, list, people, key },
    disk: (file = 'a.yaml') => readFileSync(join(root, file), 'utf8'),
    agent: async (person?: Person) => {
      const server = await startServer({
        root,
        state: stateDir,
        flags,
        ...(person === undefined ? {} : { person }),
      });
      onTestFinished(() => server.close());
      const set = (path: string, json: unknown, more = {}) =>
        server.callTool('config_set', { file: 'a.yaml', path, json, ...more });
      return {
        ...server,
        set,
        write: (path: string, json: unknown) => set(path, json, { dry_run: false }),
        preview: async (path: string, json: unknown) => (await set(path, json)).data,
        apply: (id: unknown) => server.callTool('config_apply', { preview_id: id }),
      };
    },
  };
}

const codeOf = ({ data }: { readonly data: Readonly<Record<string, unknown>> }): unknown =>
  Object.entries(data['error'] ?? {}).find(([name]) => name === 'code')?.[1];

it('two named reviewers have to sign, whoever else does, and each only once [POL-6]', async () => {
  const here = await stage();
  const [agent, people] = [await here.agent(), here.people()];
  const { preview_id: id, needs } = await agent.preview('image', 'web:2');
  expect(needs).toBe('human');
  const early = await agent.apply(id);
  expect(codeOf(early)).toBe('APPROVAL_REQUIRED');
  expect(early.text).toContain('0 of 2 approvals; needs 2 of: ann, bob');
  expect(() => people.approve(String(id), here.key('cat'))).toThrow(/would not count/);
  people.approve(String(id), here.key('ann'));
  people.approve(String(id), here.key('ann'));
  expect(people.open(String(id)).progress).toBe('1 of 2 approvals (ann); needs one more of: bob');
  const half = await agent.apply(id);
  expect(half.text).toContain('1 of 2 approvals (ann); needs one more of: bob');
  expect((await agent.callTool('config_history', {})).text).toContain('waits with 1 of 2 approvals (ann)');
  people.approve(String(id), here.key('bob'));
  here.list('ann', 'cat', 'bob');
  const { data } = await agent.apply(id);
  expect(data).toMatchObject({ applied: true, confirmed_by: 'human', reviewer: 'ann, bob' });
  expect(here.disk()).toContain('image: web:2\n');
});

it('a reviewer who was taken off the list counts no more when it is applied', async () => {
  const here = await stage();
  const [agent, people] = [await here.agent(), here.people()];
  const { preview_id: id } = await agent.preview('image', 'web:2');
  for (const name of ['ann', 'bob']) people.approve(String(id), here.key(name));
  here.list('ann', 'cat');
  expect((await agent.apply(id)).text).toContain(
    '1 of 2 approvals (ann); there are not enough other reviewers',
  );
  expect(here.disk()).toBe(FILE);
});

it('what one approves in parts and another whole is approved by nobody twice', async () => {
  const here = await stage();
  const [agent, people] = [await here.agent(), here.people()];
  const edits = ['image', 'title'].map((path) => ({ op: 'set', file: 'a.yaml', path, value: 'x' }));
  const { data } = await agent.callTool('config_edit', { edits });
  const id = String(data['preview_id']);
  people.approve(id, here.key('ann'));
  const part = people.approvePart(id, [0], here.key('bob'));
  expect((await agent.apply(id)).text).toContain('approved in part');
  expect((await agent.apply(part)).text).toContain('1 of 2 approvals (bob); needs one more of: ann');
  people.approve(part, here.key('ann'));
  expect((await agent.apply(part)).data).toMatchObject({ applied: true, reviewer: 'ann, bob' });
  expect(here.disk()).toContain('image: x\nreplicas: 100\nport: 80\ntitle: one\n');
});

it('approvals of a preview do not count for the one that takes its place', async () => {
  const here = await stage();
  const [agent, people] = [await here.agent(), here.people()];
  const { preview_id: id } = await agent.preview('image', 'web:2');
  for (const name of ['ann', 'bob']) people.approve(String(id), here.key(name));
  writeFileSync(join(here.root, 'a.yaml'), `# above\n${FILE}`);
  const { data } = await agent.apply(id);
  expect(codeOf({ data })).toBe('FILE_CHANGED');
  const anew = /pv_\w+/.exec(JSON.stringify(data).replaceAll(String(id), ''))?.[0];
  expect((await agent.apply(anew)).text).toContain('0 of 2 approvals');
});

it('a policy whose approvers are not reviewers, or too few, does not start', async () => {
  for (const rule of ['approvers: [eve]', 'approvers: [Ann]', 'count: 4']) {
    const here = await stage({ policy: `rules:\n  - { id: r, then: human, ${rule} }\n` });
    expect(() => here.people()).toThrow(/the rule "r" (names the approver|asks for 4 reviewers)/);
    await expect(here.agent()).rejects.toThrow();
  }
});

it('small steps add up: over a new start, two servers, an undoing and a rename [POL-7]', async () => {
  const here = await stage();
  const agent = await here.agent();
  expect((await agent.write('replicas', 110)).data).toMatchObject({ applied: true });
  expect((await agent.write('replicas', 120)).data).toMatchObject({ applied: true });
  const third = await agent.write('replicas', 121);
  expect(codeOf(third)).toBe('PREVIEW_REQUIRED');
  const other = await here.agent();
  expect(codeOf(await other.write('replicas', 125))).toBe('PREVIEW_REQUIRED');
  const { data: undone } = await other.write('replicas', 110);
  expect(undone).toMatchObject({ applied: true });
  const back = await other.callTool('config_revert', { change_id: undone['change_id'], dry_run: false });
  expect(back.data).toMatchObject({ applied: true });
  expect(codeOf(await other.write('replicas', 130))).toBe('PREVIEW_REQUIRED');
  const again = await here.agent();
  const edits = [
    { op: 'rename', file: 'a.yaml', path: 'replicas', new_key: 'spare' },
    { op: 'set', file: 'a.yaml', path: 'spare', json: 500 },
    { op: 'rename', file: 'a.yaml', path: 'spare', new_key: 'replicas' },
  ];
  expect(codeOf(await again.callTool('config_edit', { edits, dry_run: false }))).toBe('PREVIEW_REQUIRED');
  expect(here.disk()).toContain('replicas: 120\n');
});

it('of two previews that were within the window when they were made only one is applied', async () => {
  const here = await stage({
    policy: POLICY.replace('then: direct\n    else: human', 'then: preview\n    else: human'),
  });
  const [one, two] = [await here.agent(), await here.agent()];
  const up = await one.preview('replicas', 120);
  const down = await two.preview('replicas', 80);
  expect([up['needs'], down['needs']]).toEqual([undefined, undefined]);
  const { data } = await one.apply(up['preview_id']);
  expect(data).toMatchObject({ applied: true });
  const back = await one.callTool('config_revert', { change_id: data['change_id'] });
  expect((await one.apply(back.data['preview_id'])).data).toMatchObject({ applied: true });
  // The file is what the second was made for; what stood in between counts.
  const late = await two.apply(down['preview_id']);
  expect(codeOf(late)).toBe('PREVIEW_EXPIRED');
  expect(here.disk()).toContain('replicas: 100\n');
  expect((await two.preview('replicas', 80))['needs']).toBe('human');
});

it('after a no, what the rules let pass needs a person, for the same nodes, and over a restart [POL-8]', async () => {
  const here = await stage();
  const people = here.people();
  const agent = await here.agent();
  const edits = ['image', 'title'].map((path) => ({ op: 'set', file: 'a.yaml', path, value: 'x' }));
  const { data } = await agent.callTool('config_edit', { edits });
  expect((await agent.preview('title', 'two'))['needs']).toBe(undefined);
  people.reject(String(data['preview_id']), 'not today', here.key('cat'));
  const started = await here.agent();
  for (const server of [agent, started]) {
    const { data: asked, text } = await server.set('title', 'two');
    expect(asked).toMatchObject({ needs: 'human' });
    expect(text).toContain(`cat has said no to ${String(data['preview_id'])}`);
  }
  expect(codeOf(await agent.write('kind', 'x'))).toBe('POLICY_DENIED');
  expect((await agent.write('items[0].port', 2)).data).toMatchObject({ applied: true });
  const whole = await agent.callTool('config_edit', { edits: [{ op: 'delete_file', file: 'a.yaml' }] });
  expect([whole.data['needs'], codeOf(whole)]).not.toEqual([undefined, undefined]);
});

it('a preview that was made before the no needs a person when it is applied', async () => {
  const here = await stage();
  const [agent, people] = [await here.agent(), here.people()];
  const { preview_id: early } = await agent.preview('title', 'two');
  const edits = ['image', 'title'].map((path) => ({ op: 'set', file: 'a.yaml', path, value: 'x' }));
  const { data } = await agent.callTool('config_edit', { edits });
  people.reject(String(data['preview_id']), '', here.key('ann'));
  expect(codeOf(await agent.apply(early))).toBe('PREVIEW_EXPIRED');
  expect(here.disk()).toBe(FILE);
});

const NO: Person = async () => ({ action: 'decline' });

it('a no at the client counts as well: for reviewers where there are some', async () => {
  const here = await stage();
  const agent = await here.agent(NO);
  const { preview_id: id } = await agent.preview('port', 81);
  const declined = await agent.apply(id);
  expect(codeOf(declined)).toBe('APPROVAL_DECLINED');
  expect(declined.text).toContain('needs a reviewer');
  expect(await agent.preview('port', 82)).toMatchObject({ needs: 'human' });
  expect(codeOf(await agent.apply(id))).toBe('PREVIEW_EXPIRED');
});

it('and for the person at the client where there are none', async () => {
  const policy = POLICY.replaceAll('then: human', 'then: client')
    .replaceAll('else: human', 'else: client')
    .replace(/ +approvers.*\n +count.*\n/, '');
  const here = await stage({ policy, isReviewed: false });
  const agent = await here.agent(NO);
  const edits = ['port', 'title'].map((path) => ({ op: 'set', file: 'a.yaml', path, value: '9' }));
  const { data } = await agent.callTool('config_edit', { edits });
  expect(codeOf(await agent.apply(data['preview_id']))).toBe('APPROVAL_DECLINED');
  const { data: asked, text } = await agent.set('title', 'two');
  expect(asked).toMatchObject({ needs: 'client' });
  expect(text).toContain('the person at the client has said no');
  expect(codeOf(await agent.apply(asked['preview_id']))).toBe('APPROVAL_DECLINED');
  expect(here.disk()).toBe(FILE);
});

it('the person at the client reads which rule asks', async () => {
  const here = await stage();
  const questions: string[] = [];
  const agent = await here.agent(async (question) => {
    questions.push(question);
    return { action: 'accept', content: { apply: true } };
  });
  const { preview_id: id } = await agent.preview('port', 81);
  await agent.apply(id);
  expect(questions.join('')).toContain('Asked because of:\n    │ asked (client): a.yaml port');
  expect((await agent.callTool('config_history', {})).text).toContain('  applied (rule asked)  a.yaml');
  await agent.write('items[0].port', 2);
  expect((await agent.callTool('config_history', {})).text).toContain('  applied (rule default)  a.yaml');
});

it('a part that needs nobody by itself still needs the person that the whole was shown to', async () => {
  const here = await stage();
  const [agent, people] = [await here.agent(), here.people()];
  const edits = ['image', 'title'].map((path) => ({ op: 'set', file: 'a.yaml', path, value: 'x' }));
  const { data, text } = await agent.callTool('config_edit', { edits });
  expect(text).toContain('Edits that need nobody where they come alone: edits[1]\n');
  const part = people.approvePart(String(data['preview_id']), [1], here.key('ann'));
  // The rule that asks for two is about what was left out.
  expect((await agent.apply(part)).data).toMatchObject({
    applied: true,
    confirmed_by: 'human',
    reviewer: 'ann',
  });
  expect(here.disk()).toBe(FILE.replace('title: one', 'title: x'));
});
