// A reviewer approves a part of what an agent proposed in a template, in JSON with comments and in TOML; applied is that part, to
// the byte.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeReviewerKey } from '../../src/security/approval/reviewer-key.ts';
import { preview, stage } from '../harness/previews.ts';
import { serviceOf } from './fixture.ts';

const TEMPLATE = `kind: Deployment
metadata:
  labels:
    {{- include "web.labels" . | nindent 4 }}
spec:
  {{- if .Values.fixed }}
  replicas: 2
  {{- end }}
  paused: false
`;
const TSCONFIG = `{
  // Ours.
  "compilerOptions": {
    "strict": false, // later
    "target": "ES2020",
  },
}
`;
const PYPROJECT = `[project] # ours
name = "shop"
dependencies = ["a"] # few

[tool.ruff]
line-length = 100
`;

it.each([
  {
    file: 'web.yaml',
    before: TEMPLATE,
    edits: [
      { op: 'set', path: 'spec.replicas', json: 3 },
      { op: 'set', path: 'spec.paused', json: true },
      { op: 'set', path: 'metadata.labels.team', value: '{{ .Values.team | quote }}' },
    ],
    kept: [0, 1],
    after: TEMPLATE.replace('4 }}\n', '4 }}\n    team: {{ .Values.team | quote }}\n').replace(
      'replicas: 2',
      'replicas: 3',
    ),
  },
  {
    file: 'tsconfig.json',
    before: TSCONFIG,
    edits: [
      { op: 'set', path: 'compilerOptions.strict', json: true },
      { op: 'set', path: 'compilerOptions.target', json: 'ES2022' },
    ],
    kept: [1],
    after: TSCONFIG.replace('ES2020', 'ES2022'),
  },
  {
    file: 'pyproject.toml',
    before: PYPROJECT,
    edits: [
      { op: 'append', path: 'project.dependencies', json: 'b' },
      { op: 'set', path: 'tool.ruff.line-length', json: 120 },
    ],
    kept: [0],
    after: PYPROJECT.replace('["a"]', '["a", "b"]'),
  },
])('a part of a change of $file', async ({ file, before, edits, kept, after }) => {
  const at = stage({ [file]: before });
  const { key, line } = makeReviewerKey('ann');
  const reviewers = join(at.place, 'reviewers');
  writeFileSync(reviewers, `${line}\n`, { mode: 0o600 });
  const server = await at.start(['--approval', 'human', '--reviewers', reviewers]);
  const id = await preview(server, { edits: edits.map((edit) => ({ file, ...edit })) }, 'config_edit');
  const service = await serviceOf({ roots: [at.root], stateDir: at.state, approval: 'human', reviewers });
  await server.ok('config_apply', { preview_id: await service.approvePart(id, kept, key) });
  expect(at.disk(file)).toBe(after);
});
