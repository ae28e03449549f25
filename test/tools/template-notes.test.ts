// What an agent and a reviewer are told of an edit of a template that its diff does not say: as a question where only
// someone who knows the chart can say whether it is meant.

import { describe, expect, it } from 'vitest';
import { preview, sharedStage } from '../harness/previews.ts';
import { bodyIn } from '../harness/state.ts';

const HELPERS = '{{- define "x.labels" }}\napp: x\n{{- end }}\n{{- define "x.more" }}\nmore: x\n{{- end }}\n';
const DEPLOYMENT = `kind: Deployment
metadata:
  labels:
    {{- include "x.labels" . | nindent 4 }}
  annotations:
    {{- toYaml .Values.annotations | nindent 4 }}
spec:
  {{- with .Values.tolerations }}
  tolerations:
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- if .Values.tls }}
  tls:
    secretName: x
  {{- end }}
  selector: {{- include "x.labels" . | nindent 4 }}
    part: web
  template:
    metadata:
      labels:
        app: x
`;
const WITH_LIMITS = 'a: {{ .a }}\nb:\n  replicas: 1\n  c: 1\nd: 1\ne: 1\n';
const FILES = { '_helpers.tpl': HELPERS, 'web.yaml': DEPLOYMENT, 'limits.yaml': WITH_LIMITS };
const direct = sharedStage(['--allow', '**/*.{tpl,yaml}'], FILES);

const web = (edit: object): object => ({ edits: [{ file: 'web.yaml', ...edit }] });
const helpers = (edit: object): object => ({ edits: [{ file: '_helpers.tpl', ...edit }] });
const MEANT = 'Did you mean ';

describe('an edit of a template', () => {
  it.each([
    {
      why: 'a key in one of the definitions of a file',
      call: helpers({ op: 'insert', path: '', key: 'new', json: 1, after: 'app' }),
      says: ['define "x.labels" (line 1)'],
    },
    {
      why: 'an item below what may be no list',
      call: web({ op: 'append', path: 'spec.tolerations', json: { key: 'a' } }),
      says: ['(line 10)', 'a list', MEANT],
    },
    {
      why: 'a key below a parent that a condition decides about',
      call: web({ op: 'set', path: 'spec.tls.host', json: 'a' }),
      says: ['spec.tls.host stands in a branch: if .Values.tls (line 12)'],
    },
    {
      why: 'a block of actions that a value replaces',
      call: web({ op: 'set', path: 'metadata.labels', json: { app: 'x' } }),
      says: ['{{- include "x.labels" . | nindent 4 }} (line 4) goes with the old value'],
    },
    {
      why: 'an action that wrote more of a value than its text shows',
      call: web({ op: 'set', path: 'spec.selector', json: { part: 'api' } }),
      says: ['(line 16) goes with the old value, of which it wrote more', MEANT],
    },
    {
      why: 'a block of actions that goes',
      call: web({ op: 'delete', path: 'metadata.annotations' }),
      says: [],
    },
    {
      why: 'one whose number fits',
      call: web({
        op: 'set',
        path: 'spec.template.metadata.labels',
        value: 'app: x\n{{- include "x.more" . | nindent 8 }}',
      }),
      says: [],
    },
  ])('says of $why what there is to say: $says', async ({ call, says }) => {
    const { at, server } = await direct();
    const id = await preview(server, { ...call, dry_run: true }, 'config_edit');
    const { warnings }: { warnings: readonly string[] } = JSON.parse(bodyIn(at.state, id) ?? '');
    for (const words of says) expect(warnings.join('\n')).toContain(words);
    if (says.length === 0) expect(warnings).toEqual([]);
    const isQuestion = says.includes(MEANT);
    if (isQuestion)
      expect(await server.refused('config_edit', { ...call, dry_run: false })).toMatchObject({
        code: 'PREVIEW_REQUIRED',
      });
    else await server.ok('config_edit', { ...call, dry_run: false });
  });
});
