// Rules about people, through the built command: several reviewers, steps, and what a no is about.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readPolicy } from '../../src/adapters/policy/read-policy.ts';
import { makeReviewerKey } from '../../src/security/approval/reviewer-key.ts';
import type { Person } from '../harness/clients.ts';
import { startServer } from '../harness/start-server.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { serviceOf } from '../review/fixture.ts';

const POLICY = `default: direct
rules:
  - id: prod-image
    paths: image
    then: human
    approvers: [ann, bob]
    count: 2
    say: Ask the platform team.
  - id: steps
    paths: replicas
    change: { max_step: 20% }
    then: direct
    else: human
  - { id: asked, paths: port, then: client }
  - { id: seen, paths: title, then: preview }
  - { id: fixed, paths: kind, then: deny }
`;
const FILE = 'image: web:1\nreplicas: 100\nport: 80\ntitle: one\nkind: shop\nitems: [{ port: 1 }]\n';
const KEYS = new Map(['ann', 'bob', 'cat'].map((name) => [name, makeReviewerKey(name)]));

const FILES: Readonly<Record<string, string>> = { 'a.yaml': FILE };

async function stage({ policy = POLICY, isReviewed = true, files = FILES } = {}) {
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
  const people = async () => {
    const changes = await readPolicy(readFileSync(rules, 'utf8'));
    const operatorFiles = [rules, reviewers];
    return serviceOf({ roots: [root], stateDir, reviewers, changes, operatorFiles });
  };
  const key = (name: string) => {
    const made = KEYS.get(name);
    if (made === undefined) throw new Error('one of three');
    return made.key;
  };
  return {
    ...{ root, stateDir, list, people, key },
    rules: (text: string) => writeFileSync(rules, text),
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
  const [agent, people] = [await here.agent(), await here.people()];
  const { preview_id: id, needs } = await agent.preview('image', 'web:2');
  expect(needs).toBe('human');
  const early = await agent.apply(id);
  expect(codeOf(early)).toBe('APPROVAL_REQUIRED');
  expect(early.text).toContain('0 of 2 approvals; needs 2 of: ann, bob');
  await expect(people.approve(String(id), here.key('cat'))).rejects.toThrow(/would not count/);
  await people.approve(String(id), here.key('ann'));
  await people.approve(String(id), here.key('ann'));
  expect((await people.open(String(id))).progress).toBe('1 of 2 approvals (ann); needs one more of: bob');
  const half = await agent.apply(id);
  expect(half.text).toContain('1 of 2 approvals (ann); needs one more of: bob');
  expect((await agent.callTool('config_history', {})).text).toContain('waits with 1 of 2 approvals (ann)');
  await people.approve(String(id), here.key('bob'));
  here.list('ann', 'cat', 'bob');
  const { data } = await agent.apply(id);
  expect(data).toMatchObject({ applied: true, confirmed_by: 'human', reviewer: 'ann, bob' });
  expect(here.disk()).toContain('image: web:2\n');
});

it('a reviewer who was taken off the list counts no more when it is applied', async () => {
  const here = await stage();
  const [agent, people] = [await here.agent(), await here.people()];
  const { preview_id: id } = await agent.preview('image', 'web:2');
  for (const name of ['ann', 'bob']) await people.approve(String(id), here.key(name));
  here.list('ann', 'cat');
  expect((await agent.apply(id)).text).toContain(
    '1 of 2 approvals (ann); there are not enough other reviewers',
  );
  expect(here.disk()).toBe(FILE);
});

it('what one approves in parts and another whole is approved by nobody twice [EDT-9]', async () => {
  const here = await stage();
  const [agent, people] = [await here.agent(), await here.people()];
  const edits = ['image', 'title'].map((path) => ({ op: 'set', file: 'a.yaml', path, value: 'x' }));
  const { data } = await agent.callTool('config_edit', { edits });
  const id = String(data['preview_id']);
  await people.approve(id, here.key('ann'));
  const part = await people.approvePart(id, [0], here.key('bob'));
  expect((await agent.apply(id)).text).toContain('approved in part');
  expect((await agent.apply(part)).text).toContain('1 of 2 approvals (bob); needs one more of: ann');
  await people.approve(part, here.key('ann'));
  expect((await agent.apply(part)).data).toMatchObject({ applied: true, reviewer: 'ann, bob' });
  expect(here.disk()).toContain('image: x\nreplicas: 100\nport: 80\ntitle: one\n');
});

it('approvals of a preview do not count for the one that takes its place', async () => {
  const here = await stage();
  const [agent, people] = [await here.agent(), await here.people()];
  const { preview_id: id } = await agent.preview('image', 'web:2');
  for (const name of ['ann', 'bob']) await people.approve(String(id), here.key(name));
  writeFileSync(join(here.root, 'a.yaml'), `# above\n${FILE}`);
  const { data } = await agent.apply(id);
  expect(codeOf({ data })).toBe('FILE_CHANGED');
  const anew = /pv_\w+/.exec(JSON.stringify(data).replaceAll(String(id), ''))?.[0];
  expect((await agent.apply(anew)).text).toContain('0 of 2 approvals');
});

it('a policy whose approvers are not reviewers, or too few, does not start', async () => {
  for (const rule of ['approvers: [eve]', 'approvers: [Ann]', 'count: 4']) {
    const here = await stage({ policy: `rules:\n  - { id: r, then: human, ${rule} }\n` });
    await expect(here.people()).rejects.toThrow(/the rule "r" (names the approver|asks for 4 reviewers)/);
    await expect(here.agent()).rejects.toThrow();
  }
});

const NO: Person = async () => ({ action: 'decline' });

it('a no is of one preview: what the rules let pass needs nobody after it', async () => {
  const here = await stage();
  const people = await here.people();
  const agent = await here.agent(NO);
  const edits = ['image', 'title'].map((path) => ({ op: 'set', file: 'a.yaml', path, value: 'x' }));
  const { data } = await agent.callTool('config_edit', { edits });
  await people.reject(String(data['preview_id']), 'not today', here.key('cat'));
  expect(codeOf(await agent.apply(data['preview_id']))).toBe('APPROVAL_DECLINED');
  const { preview_id: port } = await agent.preview('port', 81);
  expect(codeOf(await agent.apply(port))).toBe('APPROVAL_DECLINED');
  expect(here.disk()).toBe(FILE);
  const { preview_id: title, needs } = await agent.preview('title', 'two');
  expect(needs).toBe(undefined);
  expect((await agent.apply(title)).data).toMatchObject({ applied: true });
});

it('each change is judged by itself: steps within the bound may follow each other [POL-1]', async () => {
  const here = await stage();
  const agent = await here.agent();
  for (const replicas of [110, 120, 140])
    expect((await agent.write('replicas', replicas)).data).toMatchObject({ applied: true });
  expect(codeOf(await agent.write('replicas', 10))).toBe('PREVIEW_REQUIRED');
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
  const [agent, people] = [await here.agent(), await here.people()];
  const edits = ['image', 'title'].map((path) => ({ op: 'set', file: 'a.yaml', path, value: 'x' }));
  const { data } = await agent.callTool('config_edit', { edits });
  const part = await people.approvePart(String(data['preview_id']), [1], here.key('ann'));
  // The rule that asks for two is about what was left out.
  expect((await agent.apply(part)).data).toMatchObject({
    applied: true,
    confirmed_by: 'human',
    reviewer: 'ann',
  });
  expect(here.disk()).toBe(FILE.replace('title: one', 'title: x'));
});

describe('a policy that is edited while a change waits', () => {
  const rule = (more: string) => `rules: [{ id: prod, paths: image, then: human, ${more} }]\n`;
  it.each([
    { why: 'fewer approvals', before: 'count: 2', after: 'count: 1', signers: ['ann'] },
    { why: 'any reviewer in place of one', before: 'approvers: [ann]', after: 'say: any', signers: ['ann'] },
  ])('keeps its approvals: $why', async ({ before, after, signers }) => {
    const here = await stage({ policy: rule(before) });
    const { preview_id: id } = await (await here.agent()).preview('image', 'web:2');
    const people = await here.people();
    for (const name of signers) await people.approve(String(id), here.key(name));
    here.rules(rule(after));
    expect((await (await here.agent()).apply(id)).data).toMatchObject({ applied: true, reviewer: 'ann' });
  });

  it.each([
    { why: 'one more approval', after: 'count: 2', says: '0 of 2 approvals; needs 2 of: ann, bob, cat' },
    {
      why: 'another approver',
      after: 'approvers: [bob], count: 1',
      says: '0 of 1 approval; needs one of: bob',
    },
  ])('names what is missing by the rules of today: $why', async ({ after, says }) => {
    const here = await stage({ policy: rule('say: x') });
    const { preview_id: id } = await (await here.agent()).preview('image', 'web:2');
    await (await here.people()).approve(String(id), here.key('ann'));
    here.rules(rule(after));
    const [agent, people] = [await here.agent(), await here.people()];
    const refused = await agent.apply(id);
    expect(codeOf(refused)).toBe('APPROVAL_REQUIRED');
    expect(refused.text).toContain(says);
    for (const name of ['bob', 'ann'])
      await people.approve(String(id), here.key(name)).catch(() => undefined);
    expect((await agent.apply(id)).data).toMatchObject({ applied: true });
  });

  it('is denied by a rule of today, whoever has signed', async () => {
    const here = await stage({ policy: rule('say: x') });
    const { preview_id: id } = await (await here.agent()).preview('image', 'web:2');
    await (await here.people()).approve(String(id), here.key('ann'));
    here.rules(rule('say: x').replace('human', 'deny'));
    expect(codeOf(await (await here.agent()).apply(id))).toBe('POLICY_DENIED');
    await expect((await here.people()).approve(String(id), here.key('bob'))).rejects.toThrow(/deni|allow/u);
    expect(here.disk()).toBe(FILE);
  });
});

it('an agent is told in the words of the operator how to go on', async () => {
  const policy =
    "approval_message: 'Post {id} in #deploys.'\nrules: [{ id: prod, paths: image, then: human }]\n";
  const agent = await (await stage({ policy })).agent();
  const { preview_id: id } = await agent.preview('image', 'web:2');
  const refused = await agent.apply(id);
  expect(refused.text).toContain(`it is pending. Post ${String(id)} in #deploys.`);
  expect(refused.text).not.toContain('config-airlock approve');
});

it('what is dangerous is listed before what is routine, and says so', async () => {
  const policy =
    "rules: [{ id: net, paths: '**.cidr', then: human }, { id: prod, paths: image, then: human, risk: high, say: Live. }]\n";
  const here = await stage({ policy, files: { 'a.yaml': `${FILE}net: { cidr: 10.0.0.0/8 }\n` } });
  const agent = await here.agent();
  for (const [path, value] of [
    ['title', 'x'],
    ['net.cidr', '0.0.0.0/0'],
    ['image', 'web:2'],
  ] as const)
    await agent.preview(path, value);
  const { previews } = await (await here.people()).pending();
  expect(previews.map(({ title, risks }) => [title, risks])).toEqual([
    ['Set net.cidr in a.yaml', ['Open to every address: a.yaml']],
    ['Set image in a.yaml', ['Rule prod: Live.']],
    ['Set title in a.yaml', []],
  ]);
});

it('asks the rules about an undo, as about every other change', async () => {
  const policy = `default: direct
rules:
  - { id: up, paths: replicas, value: { minimum: 101 }, then: direct, else: human }
`;
  const here = await stage({ policy });
  const agent = await here.agent();
  const change = (await agent.write('replicas', 120)).data['change_id'];
  const undo = (await agent.callTool('config_revert', { change_id: change })).data;
  expect(undo).toMatchObject({ needs: 'human' });
  expect(codeOf(await agent.apply(undo['preview_id']))).toBe('APPROVAL_REQUIRED');
  expect(here.disk()).toContain('replicas: 120\n');
});
