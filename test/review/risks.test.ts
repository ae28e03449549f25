// What is dangerous is marked for reviewers, whichever operation brings it.

import { chmodSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { ReviewService } from '../../src/review/index.ts';
import { closeState, createLog } from '../../src/security/index.ts';
import { openAirlock } from '../../src/server.ts';
import { startServer } from '../harness/start-server.ts';
import { tempRoot } from '../harness/temp-root.ts';

const pod = 'kind: Pod\nspec:\n  containers:\n    - securityContext:\n        privileged: true\n';
const role = 'kind: Role\nrules:\n  - apiGroups: [""]\n    resources: [pods]\n    verbs: [get]\n';

it.each([
  { why: 'a new file', edit: { op: 'create_file', file: 'new.yaml', content: pod }, risk: 'privileged' },
  { why: 'a new document', edit: { op: 'add_document', file: 'pod.yaml', value: pod }, risk: 'privileged' },
  {
    why: 'a value',
    edit: { op: 'set', file: 'pod.yaml', path: 'spec.privileged', json: true },
    risk: 'privileged',
  },
  {
    why: 'a word for true',
    edit: { op: 'set', file: 'pod.yaml', path: 'spec.privileged', value: 'yes' },
    risk: 'privileged',
  },
  {
    why: 'a node above it',
    edit: { op: 'set', file: 'pod.yaml', path: 'spec', json: { a: 'x'.repeat(5000), privileged: true } },
    risk: 'privileged',
  },
  {
    why: 'a text',
    edit: {
      op: 'replace_text',
      file: 'pod.yaml',
      old_text: '  privileged: false\n',
      new_text: '  privileged: true\n',
    },
    risk: 'privileged',
  },
  {
    why: 'a renamed key',
    edit: { op: 'rename', file: 'pod.yaml', path: 'other.priv', new_key: 'privileged' },
    risk: 'privileged',
  },
  {
    why: 'a moved node',
    edit: { op: 'move', file: 'pod.yaml', path: 'other.hostPath', to: 'spec', key: 'hostPath' },
    risk: 'path of the host',
  },
  {
    why: 'a further item',
    edit: { op: 'append', file: 'role.yaml', path: 'rules[0].verbs', value: '"*"' },
    risk: 'Everything',
  },
  {
    why: 'an item without quotes',
    edit: { op: 'set', file: 'role.yaml', path: 'rules[0].verbs', json: ['*'] },
    risk: 'Everything',
  },
  {
    why: 'an address',
    edit: { op: 'set', file: 'role.yaml', path: 'cidr', value: '0.0.0.0/0' },
    risk: 'Open to every',
  },
  {
    why: 'a longer spelling of all addresses',
    edit: { op: 'set', file: 'role.yaml', path: 'cidr', value: '"0:0:0:0:0:0:0:0/0"' },
    risk: 'Open to every',
  },
])('high risk by $why', async ({ edit, risk }) => {
  const temp = tempRoot({
    'root/pod.yaml': 'spec:\n  privileged: false\n  x: 1\nother:\n  hostPath: /\n  priv: true\n',
    'root/role.yaml': role,
    reviewers: `ann ed25519:${Buffer.alloc(32, 1).toString('base64')}\n`,
  });
  onTestFinished(() => temp.remove());
  const [root, state, reviewers] = ['root', 'state', 'reviewers'].map((name) => `${temp.dir}/${name}`);
  chmodSync(`${temp.dir}/reviewers`, 0o600);
  const flags = ['--approval', 'human', '--reviewers', `${temp.dir}/reviewers`];
  const server = await startServer({ root: `${root}`, state: `${state}`, flags });
  onTestFinished(() => server.close());
  const { text } = await server.callTool('config_edit', { edits: [edit] });
  const log = createLog({ level: 'error', format: 'json', file: `${temp.dir}/log` });
  const airlock = await openAirlock({
    roots: [`${root}`],
    stateDir: `${state}`,
    approval: 'human',
    reviewers,
    log,
  });
  if (airlock.state === undefined) throw new Error('it can write');
  onTestFinished(() => airlock.state && closeState(airlock.state));
  const { previews } = await new ReviewService({ ...airlock, state: airlock.state }).pending();
  expect(
    previews.map(({ risks }) => risks.join()),
    text,
  ).toEqual([expect.stringContaining(risk)]);
});
