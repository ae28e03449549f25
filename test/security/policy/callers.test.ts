// Rules about who makes a change, and in which root: a verified principal by its token over HTTP, and a client over stdio that
// only gives itself a name.
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { readPolicy } from '../../../src/adapters/policy/read-policy.ts';
import { makeReviewerKey } from '../../../src/security/approval/reviewer-key.ts';
import type { ChangePolicy } from '../../../src/security/policy/change-policy.ts';
import { randomHex } from '../../../src/state/canonical.ts';
import { startServer } from '../../harness/start-server.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { lineOf, rewriteTokens, startInProcess, toolCall } from '../../transports/http/in-process.ts';

const POLICY = `default: human
rules:
  - { id: bots, callers: ["bot-*"], paths: [replicas], then: preview }
  - { id: guests, callers: [guest], paths: [replicas, title], then: deny }
  - { id: titles, paths: [title], then: preview }
  - { id: two, callers: [guest], paths: [owner], then: human, count: 2 }
  - { id: self-named, callers: [test-client], paths: [owner], then: preview }
  - { id: dev, roots: "dev*", paths: [port], then: preview }
  - { id: prod, roots: prod, paths: [image], then: deny }
`;
const FILE = 'replicas: 1\ntitle: a\nowner: a\nport: 80\nimage: web\n';
const FILES = {
  ...{ 'prod/a.yaml': FILE, 'dev-1/a.yaml': FILE, policy: POLICY },
  reviewers: ['ann', 'bob'].map((name) => `${makeReviewerKey(name).line}\n`).join(''),
};

let changes: ChangePolicy;
beforeAll(async () => {
  changes = await readPolicy(POLICY);
});

/** What is needed, or the code of the refusal. */
type Ask = (file: string, path: string) => Promise<unknown>;

async function asPrincipal(principal: string): Promise<Ask> {
  const call = await callsOf(principal);
  return async (file, path) => neededIn(await call('config_set', { file, path, json: 2 }));
}

/** Returns what calls a tool with a token of this principal, and answers the structured content. */
async function callsOf(principal: string) {
  const temp = tempRoot(FILES);
  onTestFinished(() => temp.remove());
  const roots = ['prod', 'dev-1'].map((name) => ({ name, dir: join(temp.dir, name) }));
  const server = await startInProcess({
    airlock: { roots, changes, reviewers: join(temp.dir, 'reviewers') },
  });
  const token = `airlock_${randomHex(32)}`;
  rewriteTokens(server, lineOf(principal, 'config:write', '2999-12-31', token));
  server.authenticator.reload();
  return async (tool: string, args: object) =>
    Object(Object((await server.call(token, toolCall(tool, args))).json)['result']).structuredContent;
}

/** It calls itself test-client. */
async function asClient(): Promise<Ask> {
  const temp = tempRoot(FILES);
  onTestFinished(() => temp.remove());
  const at = (folder: string) => join(temp.dir, folder);
  const flags = ['prod', 'dev-1'].flatMap((root) => ['--root', `${root}=${at(root)}`]);
  const server = await startServer({
    flags: [...flags, '--policy', at('policy'), '--reviewers', at('reviewers')],
  });
  onTestFinished(() => server.close());
  return async (file, path) => neededIn((await server.callTool('config_set', { file, path, json: 2 })).data);
}

function neededIn(data: unknown): unknown {
  const { needs = 'preview', error } = Object(data);
  return error === undefined ? needs : error.code;
}

it.each([
  { who: 'whom a lenient rule names', name: 'bot-7', replicas: 'preview', owner: 'human' },
  { who: 'whom no rule names', name: 'ann', replicas: 'human', owner: 'human' },
  { who: 'named in another spelling', name: 'BOT-7', replicas: 'human', owner: 'human' },
  { who: 'whom a strict rule names', name: 'guest', replicas: 'POLICY_DENIED', owner: 'human' },
  { who: 'so named in another spelling', name: 'Guest', replicas: 'POLICY_DENIED', owner: 'human' },
  { who: 'called like a client', name: 'test-client', replicas: 'human', owner: 'preview' },
])('a verified principal $who gets the level of its rules', async ({ name, replicas, owner }) => {
  const needed = await asPrincipal(name);
  expect(await needed('@prod/a.yaml', 'replicas')).toBe(replicas);
  expect(await needed('@prod/a.yaml', 'owner')).toBe(owner);
});

it('a client that only gives itself a name meets each rule about callers that makes the answer stricter, and no other', async () => {
  const needed = await asClient();
  expect(await needed('@prod/a.yaml', 'replicas')).toBe('POLICY_DENIED');
  expect(await needed('@prod/a.yaml', 'title')).toBe('POLICY_DENIED');
  expect(await needed('@prod/a.yaml', 'owner')).toBe('human');
});

it.each([
  { name: 'guest', says: 'with 0 of 2 approvals' },
  { name: 'ann', says: 'it is pending. A person has to' },
])('what $name has proposed waits for the reviewers that its rules ask for', async ({ name, says }) => {
  const call = await callsOf(name);
  const preview = await call('config_set', { file: '@prod/a.yaml', path: 'owner', json: 'b' });
  const refused = await call('config_apply', { preview_id: preview.preview_id });
  expect(JSON.stringify(refused)).toContain(says);
});

it('a rule about roots holds in these only, whatever was judged before', async () => {
  const needed = await asPrincipal('ann');
  for (const [file, path, level] of [
    ['@prod/a.yaml', 'port', 'human'],
    ['@dev-1/a.yaml', 'port', 'preview'],
    ['@prod/a.yaml', 'port', 'human'],
    ['@prod/a.yaml', 'image', 'POLICY_DENIED'],
    ['@dev-1/a.yaml', 'image', 'human'],
    ['@dev-1/a.yaml', 'title', 'preview'],
  ] as const)
    expect([file, path, await needed(file, path)]).toEqual([file, path, level]);
});
