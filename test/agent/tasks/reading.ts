// Questions that need no change.
import { call, get, type Task } from '../task.ts';

export const READING: readonly Task[] = [
  {
    name: 'sees the header of a file and all of its documents',
    calls: [get('k8s/web.yaml', {}, ['# DO NOT EDIT by hand', 'kind: HorizontalPodAutoscaler'])],
    leaves: {},
  },
  {
    name: 'finds the Deployments with less than two replicas',
    calls: [
      call('config_search', { key: 'spec.replicas', where: '<2' }, ['k8s/api.yaml:8', 'k8s/worker.yaml:8']),
    ],
    leaves: {},
  },
  {
    name: 'finds all images with their values',
    calls: [
      call('config_search', { key: 'containers[*].image' }, [
        'registry.example.com/ops/shipper:0.9.1',
        'k8s/api.yaml',
      ]),
    ],
    leaves: {},
  },
  {
    name: 'finds where something is missing',
    calls: [
      call('config_search', { pattern: 'envs/*.yaml', key: 'database.ssl', where: 'missing' }, [
        'envs/dev.yaml',
      ]),
    ],
    leaves: {},
  },
  {
    name: 'finds a word in comments and in files that do not parse',
    calls: [call('config_search', { text: 'team-payments' }, ['legacy/billing.yaml:2'])],
    leaves: {},
  },
  {
    name: 'compares two environments',
    calls: [
      call('config_diff', { a: { file: 'envs/dev.yaml' }, b: { file: 'envs/prod.yaml' } }, [
        'database.ssl',
        'database.pool',
        'db.prod.internal',
      ]),
    ],
    leaves: {},
  },
  {
    name: 'reads an outline that tells the items apart',
    calls: [
      get('k8s/web.yaml', { view: 'outline', doc: 'Deployment/web', path: 'spec.template.spec' }, [
        'name=web',
        'name=log-shipper',
      ]),
    ],
    leaves: {},
  },
  {
    name: 'reads a value through an anchor',
    calls: [get('compose.yaml', { path: 'services.worker.environment.TZ' }, ['UTC'])],
    leaves: {},
  },
  {
    name: 'lists what is below a folder',
    calls: [call('config_list', { pattern: 'charts' }, ['charts/web/values.yaml'])],
    leaves: {},
  },
  {
    name: 'says where every problem is',
    calls: [call('config_validate', { file: 'legacy/billing.yaml' }, ['SYNTAX_INVALID'])],
    leaves: {},
  },
  {
    name: 'knows what has changed',
    calls: [
      call('config_set', { file: 'envs/dev.yaml', path: 'log', json: 'info', reason: 'too much output' }),
      'apply',
      call('config_history', { file: 'envs/dev.yaml' }, ['too much output']),
    ],
    leaves: { 'envs/dev.yaml': [['log: debug', 'log: info']] },
  },
];
