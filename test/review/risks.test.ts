// What is dangerous is marked for reviewers, whichever operation brings it.

import { expect, it } from 'vitest';
import { humanFlags, person, stage } from '../harness/previews.ts';
import { serviceOf } from './fixture.ts';

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
  const at = stage({
    'pod.yaml': 'spec:\n  privileged: false\n  x: 1\nother:\n  hostPath: /\n  priv: true\n',
    'role.yaml': role,
  });
  const flags = humanFlags(at, [person('ann')]);
  const { text } = await (await at.start(flags)).ok('config_edit', { edits: [edit] });
  const approval = { approval: 'human', reviewers: flags.at(-1) } as const;
  const { previews } = await (
    await serviceOf({ roots: [at.root], stateDir: at.state, ...approval })
  ).pending();
  expect(
    previews.map(({ risks }) => risks.join()),
    text,
  ).toEqual([expect.stringContaining(risk)]);
});
