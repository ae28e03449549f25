// One call that changes many places, in one file or in many.
import { call, edit, refused, type Task } from '../task.ts';

const CHECKOUT: readonly [string, string] = ['actions/checkout@v3\n', 'actions/checkout@v4\n'];

export const ACROSS_FILES: readonly Task[] = [
  {
    name: 'pins an action in all workflows',
    calls: [
      edit({
        op: 'set',
        file: '.github/workflows/*.yaml',
        path: '**.uses',
        from: 'actions/checkout@v3',
        json: 'actions/checkout@v4',
        expect: 4,
      }),
      'apply',
    ],
    leaves: {
      '.github/workflows/ci.yaml': [
        [
          '      - uses: actions/checkout@v3\n      - name: Set up',
          '      - uses: actions/checkout@v4\n      - name: Set up',
        ],
        [
          '      - uses: actions/checkout@v3\n      - run: make image',
          '      - uses: actions/checkout@v4\n      - run: make image',
        ],
      ],
      '.github/workflows/nightly.yaml': [CHECKOUT],
      '.github/workflows/release.yaml': [CHECKOUT],
    },
  },
  {
    name: 'changes the runner of every job',
    calls: [
      edit({ op: 'set', file: '.github/workflows/ci.yaml', path: 'jobs.*.runs-on', json: 'ubuntu-24.04' }),
      'apply',
    ],
    leaves: {
      '.github/workflows/ci.yaml': [
        ['  test:\n    runs-on: ubuntu-22.04', '  test:\n    runs-on: ubuntu-24.04'],
        ['  build:\n    runs-on: ubuntu-22.04', '  build:\n    runs-on: ubuntu-24.04'],
      ],
    },
  },
  {
    name: 'labels every Deployment',
    calls: [
      edit({
        op: 'set',
        file: 'k8s/*.yaml',
        doc: { kind: 'Deployment' },
        path: 'metadata.labels.team',
        json: 'shop',
        create: true,
        expect: 3,
      }),
      'apply',
    ],
    leaves: {
      'k8s/web.yaml': [['    tier: frontend\n', '    tier: frontend\n    team: shop\n']],
      'k8s/api.yaml': [['  labels:\n    app: api\nspec', '  labels:\n    app: api\n    team: shop\nspec']],
      'k8s/worker.yaml': [
        ['  labels:\n    app: worker\nspec', '  labels:\n    app: worker\n    team: shop\nspec'],
      ],
    },
  },
  {
    name: 'changes the image of all containers of a name in every file',
    calls: [
      edit({
        op: 'set',
        file: 'k8s/*.yaml',
        path: '**.image',
        from: 'registry.example.com/shop/worker:2.0.0',
        json: 'registry.example.com/shop/worker:2.1.0',
        expect: 1,
      }),
      'apply',
    ],
    leaves: { 'k8s/worker.yaml': [['worker:2.0.0', 'worker:2.1.0']] },
  },
  {
    name: 'turns on a feature in every environment',
    calls: [
      edit({ op: 'set', file: 'envs/*.yaml', path: 'features.search', json: true, expect: 2 }),
      'apply',
    ],
    leaves: {
      'envs/dev.yaml': [['search: false', 'search: true']],
      'envs/prod.yaml': [['search: false', 'search: true']],
    },
  },
  {
    name: 'deletes the resources of every container',
    calls: [
      edit({
        op: 'delete',
        file: 'k8s/api.yaml',
        doc: 0,
        path: 'spec.template.spec.containers[*].resources',
      }),
      'apply',
    ],
    leaves: {
      'k8s/api.yaml': [['          resources:\n            limits:\n              memory: 512Mi\n', '']],
    },
  },
  {
    name: 'is stopped where more is met than it expects, and nothing changes',
    calls: [
      refused('NODE_AMBIGUOUS', [
        'config_edit',
        {
          edits: [
            {
              op: 'set',
              file: '.github/workflows/*.yaml',
              path: '**.uses',
              from: 'actions/checkout@v3',
              json: 'actions/checkout@v4',
              expect: 3,
            },
          ],
        },
      ]),
    ],
    leaves: {},
  },
  {
    name: 'copies a key from one environment into another',
    calls: [
      edit({
        op: 'copy',
        file: 'envs/prod.yaml',
        path: 'database.ssl',
        to_file: 'envs/dev.yaml',
        to: 'database',
      }),
      'apply',
    ],
    leaves: { 'envs/dev.yaml': [['  pool: 5\n', '  pool: 5\n  ssl: true\n']] },
  },
  {
    name: 'changes two files of different formats at once',
    calls: [
      edit(
        { op: 'set', file: 'package.json', path: 'version', json: '3.5.0' },
        { op: 'set', file: 'charts/web/Chart.yaml', path: 'appVersion', json: '3.5.0' },
      ),
      'apply',
    ],
    leaves: {
      'package.json': [['"version": "3.4.1"', '"version": "3.5.0"']],
      'charts/web/Chart.yaml': [['appVersion: "3.4.1"', 'appVersion: "3.5.0"']],
    },
  },
  {
    name: 'undoes a change of which it has lost the id',
    calls: [
      edit({ op: 'set', file: 'envs/*.yaml', path: 'log', json: 'trace' }),
      'apply',
      { revert: 0 },
      'apply',
    ],
    leaves: {},
  },
  {
    name: 'undoes one change past a later one',
    calls: [
      call('config_set', { file: 'envs/dev.yaml', path: 'log', json: 'trace' }),
      'apply',
      call('config_set', { file: 'envs/dev.yaml', path: 'database.pool', json: 7 }),
      'apply',
      { revert: 1 },
      'apply',
    ],
    leaves: { 'envs/dev.yaml': [['pool: 5\n', 'pool: 7\n']] },
  },
];
