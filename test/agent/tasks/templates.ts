// Templates of a chart, edited by structure: what is literal, values that hold actions, branches and ranges.
import { call, edit, get, refused, type Task } from '../task.ts';

const file = 'charts/web/templates/worker.yaml';
const CONTAINER = 'spec.template.spec.containers[name=worker]';
const IMAGE = '"{{ .Values.image.repository }}:{{ .Values.worker.tag | default .Chart.AppVersion }}"';
const NEW_IMAGE = '"{{ .Values.image.repository }}:{{ .Values.worker.tag | default "2.0" }}"';

export const TEMPLATES: readonly Task[] = [
  {
    name: 'changes a literal value',
    calls: [
      get('charts/web/templates/deployment.yaml', { view: 'outline' }, ['livenessProbe']),
      edit({
        op: 'set',
        file: 'charts/web/templates/deployment.yaml',
        path: 'spec.template.spec.containers[0].livenessProbe.httpGet.path',
        json: '/livez',
      }),
      'apply',
    ],
    leaves: { 'charts/web/templates/deployment.yaml': [['/healthz', '/livez']] },
  },
  {
    name: 'changes the default of the image tag: the whole value, its actions included',
    calls: [
      get(file, { path: `${CONTAINER}.image` }, ['default .Chart.AppVersion']),
      edit({ op: 'set', file, path: `${CONTAINER}.image`, value: NEW_IMAGE }),
      'apply',
    ],
    leaves: { [file]: [[IMAGE, NEW_IMAGE]] },
  },
  {
    name: 'adds a label below those that an include writes',
    calls: [edit({ op: 'set', file, path: 'metadata.labels.team', json: 'shop' }), 'apply'],
    leaves: {
      [file]: [['" . | nindent 4 }}\n  {{- with', '" . | nindent 4 }}\n    team: shop\n  {{- with']],
    },
  },
  {
    name: 'adds a label beside others and an include, and keeps the comment',
    calls: [edit({ op: 'set', file, path: 'spec.template.metadata.labels.tier', json: 'jobs' }), 'apply'],
    leaves: {
      [file]: [['app: worker # selects the pods\n', 'app: worker # selects the pods\n        tier: jobs\n']],
    },
  },
  {
    name: 'adds a variable behind those of a range, and not within it',
    calls: [
      edit({
        op: 'append',
        file,
        path: `${CONTAINER}.env`,
        value: 'name: REGION\nvalue: {{ .Values.region | quote }}',
      }),
      'apply',
    ],
    leaves: {
      [file]: [
        [
          '            {{- end }}\n          ports:',
          '            {{- end }}\n            - name: REGION\n              value: {{ .Values.region | quote }}\n          ports:',
        ],
      ],
    },
  },
  {
    name: 'deletes a port with its comment, and no action around it',
    calls: [edit({ op: 'delete', file, path: `${CONTAINER}.ports[name=metrics]` }), 'apply'],
    leaves: {
      [file]: [
        [
          '            # Scraped by Prometheus.\n            - name: metrics\n              containerPort: 9102\n',
          '',
        ],
      ],
    },
  },
  {
    name: 'chooses the second branch of a key that stands in two',
    calls: [
      refused('NODE_AMBIGUOUS', ['config_get', { file, path: 'spec.strategy' }]),
      get(file, { path: 'spec.strategy[#2].type' }, ['RollingUpdate']),
      edit({ op: 'set', file, path: 'spec.strategy[#2].rollingUpdate.maxSurge', json: 1 }),
      'apply',
    ],
    leaves: {
      [file]: [['type: RollingUpdate\n', 'type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 1\n']],
    },
  },
  {
    name: 'changes an item in a range, and renames a key',
    calls: [
      edit(
        { op: 'set', file, path: `${CONTAINER}.args[1]`, value: '--queue={{ .name | lower }}' },
        { op: 'rename', file, path: `${CONTAINER}.resources`, new_key: 'limits' },
      ),
      'apply',
    ],
    leaves: {
      [file]: [
        ['--queue={{ .name }}', '--queue={{ .name | lower }}'],
        ['resources:\n', 'limits:\n'],
      ],
    },
  },
  {
    name: 'comments on an entry of a branch, within the branch',
    calls: [
      edit({ op: 'comment', file, path: `${CONTAINER}.ports[name=debug]`, comment: 'Only where asked for.' }),
      'apply',
    ],
    leaves: {
      [file]: [
        ['            - name: debug', '            # Only where asked for.\n            - name: debug'],
      ],
    },
  },
  {
    name: 'changes an action of a value',
    calls: [
      edit({
        op: 'replace_text',
        file,
        path: `${CONTAINER}.image`,
        old_text: '.worker.tag',
        new_text: '.tag',
      }),
      'apply',
    ],
    leaves: { [file]: [['.Values.worker.tag', '.Values.tag']] },
  },
  {
    name: 'is refused half of a block, and takes all of it away as text',
    calls: [
      {
        tool: 'config_edit',
        args: {
          edits: [
            { op: 'replace_text', file, old_text: '            {{- if .Values.debug }}\n', new_text: '' },
          ],
        },
        refused: 'VERIFICATION_FAILED',
      },
      edit({
        op: 'replace_text',
        file,
        old_text:
          '            {{- if .Values.debug }}\n            - name: debug\n              containerPort: 5005\n            {{- end }}\n',
        new_text: '',
      }),
      'apply',
    ],
    leaves: {
      [file]: [
        [
          '            {{- if .Values.debug }}\n            - name: debug\n              containerPort: 5005\n            {{- end }}\n',
          '',
        ],
      ],
    },
  },
  {
    name: 'finds where a value stands in templates, and takes a change back',
    calls: [
      call('config_search', { key: 'containerPort', where: '>9000' }, ['worker.yaml']),
      edit({ op: 'set', file, path: `${CONTAINER}.ports[name=metrics].containerPort`, json: 9103 }),
      'apply',
      { revert: 0 },
      'apply',
    ],
    leaves: {},
  },
];
