// Files as a whole: new ones, deleted ones, broken ones, and those that have no structure.
import { edit, get, set, type Task } from '../task.ts';

const PROD = '# Production.\nreplicaCount: 6\n\nimage:\n  tag: "1.10"\n';

export const WHOLE_FILES: readonly Task[] = [
  {
    name: 'creates a values file',
    calls: [edit({ op: 'create_file', file: 'charts/web/values-prod.yaml', content: PROD }), 'apply'],
    leaves: { 'charts/web/values-prod.yaml': PROD },
  },
  {
    name: 'creates a file in a folder that is not there yet',
    calls: [
      edit({
        op: 'create_file',
        file: 'charts/api/Chart.yaml',
        content: 'apiVersion: v2\nname: api\nversion: 0.1.0\n',
      }),
      'apply',
    ],
    leaves: { 'charts/api/Chart.yaml': 'apiVersion: v2\nname: api\nversion: 0.1.0\n' },
  },
  {
    name: 'deletes a file',
    calls: [edit({ op: 'delete_file', file: 'config/queues.yaml' }), 'apply'],
    leaves: { 'config/queues.yaml': 'deleted' },
  },
  {
    name: 'brings a deleted file back',
    calls: [edit({ op: 'delete_file', file: 'config/queues.yaml' }), 'apply', { revert: 0 }, 'apply'],
    leaves: {},
  },
  {
    name: 'takes a created file away again',
    calls: [
      edit({ op: 'create_file', file: 'envs/test.yaml', content: 'log: debug\n' }),
      'apply',
      { revert: 0 },
      'apply',
    ],
    leaves: {},
  },
  {
    name: 'mends a file that does not parse',
    calls: [
      get('legacy/billing.yaml', { view: 'raw' }, ['owner: "team-payments']),
      edit({
        op: 'replace_text',
        file: 'legacy/billing.yaml',
        old_text: '"team-payments',
        new_text: '"team-payments"',
      }),
      'apply',
    ],
    leaves: { 'legacy/billing.yaml': [['"team-payments', '"team-payments"']] },
  },
  {
    name: 'edits JSON with comments by its keys',
    calls: [set('tsconfig.json', 'compilerOptions.target', 'ES2022'), 'apply'],
    leaves: { 'tsconfig.json': [['ES2020', 'ES2022']] },
  },
  {
    name: 'edits a file without a structure',
    calls: [
      edit({
        op: 'replace_text',
        file: 'nginx/site.conf',
        old_text: 'client_max_body_size 1m;',
        new_text: 'client_max_body_size 8m;',
      }),
      'apply',
    ],
    leaves: { 'nginx/site.conf': [['1m;', '8m;']] },
  },
  {
    name: 'changes a version in text of a YAML file',
    calls: [
      edit({
        op: 'replace_text',
        file: 'compose.yaml',
        old_text: 'postgres:15.4',
        new_text: 'postgres:16.1',
      }),
      'apply',
    ],
    leaves: { 'compose.yaml': [['postgres:15.4', 'postgres:16.1']] },
  },
  {
    name: 'creates a file and changes another that names it',
    calls: [
      edit(
        { op: 'create_file', file: 'envs/staging.yaml', content: '# Staging\nlog: info\n' },
        { op: 'set', file: 'envs/dev.yaml', path: 'log', json: 'info' },
      ),
      'apply',
    ],
    leaves: { 'envs/staging.yaml': '# Staging\nlog: info\n', 'envs/dev.yaml': [['log: debug', 'log: info']] },
  },
];
