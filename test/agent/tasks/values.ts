// Single values, keys and items: Helm values, JSON, OpenAPI, playbooks.
import { call, edit, get, set, type Task } from '../task.ts';

export const VALUES: readonly Task[] = [
  {
    name: 'raises an image tag and keeps it a text',
    calls: [
      get('charts/web/values.yaml', { path: 'image' }, ['"1.10"']),
      set('charts/web/values.yaml', 'image.tag', '1.11'),
      'apply',
    ],
    leaves: { 'charts/web/values.yaml': [['tag: "1.10"        # keep', 'tag: "1.11"        # keep']] },
  },
  {
    name: 'raises an image tag in its own spelling',
    calls: [
      call('config_set', { file: 'charts/web/values.yaml', path: 'image.tag', value: '"1.11"' }),
      'apply',
    ],
    leaves: { 'charts/web/values.yaml': [['"1.10"', '"1.11"']] },
  },
  {
    name: 'gives an empty mapping its first content',
    calls: [set('charts/web/values.yaml', 'resources.limits.memory', '256Mi', { create: true }), 'apply'],
    leaves: { 'charts/web/values.yaml': [['resources: {}\n', 'resources:\n  limits:\n    memory: 256Mi\n']] },
  },
  {
    name: 'gives a key without a value a mapping',
    calls: [set('charts/web/values-staging.yaml', 'resources.limits.cpu', '500m', { create: true }), 'apply'],
    leaves: {
      'charts/web/values-staging.yaml': [['resources:\n', 'resources:\n  limits:\n    cpu: 500m\n']],
    },
  },
  {
    name: 'adds the first toleration',
    calls: [
      edit({
        op: 'append',
        file: 'charts/web/values.yaml',
        path: 'tolerations',
        json: { key: 'spot', operator: 'Exists', effect: 'NoSchedule' },
      }),
      'apply',
    ],
    leaves: {
      'charts/web/values.yaml': [
        ['tolerations: []\n', 'tolerations:\n  - key: spot\n    operator: Exists\n    effect: NoSchedule\n'],
      ],
    },
  },
  {
    name: 'adds an environment variable by name',
    calls: [
      edit({
        op: 'append',
        file: 'charts/web/values.yaml',
        path: 'env',
        json: { name: 'REGION', value: 'eu' },
      }),
      'apply',
    ],
    leaves: {
      'charts/web/values.yaml': [
        ['    value: "300"\n', '    value: "300"\n  - name: REGION\n    value: "eu"\n'],
      ],
    },
  },
  {
    name: 'changes the variable whose name has a space',
    calls: [set('charts/web/values.yaml', 'env[name="CACHE TTL"].value', '600'), 'apply'],
    leaves: { 'charts/web/values.yaml': [['value: "300"', 'value: "600"']] },
  },
  {
    name: 'merges several keys in one edit',
    calls: [
      edit({
        op: 'merge',
        file: 'charts/web/values.yaml',
        path: 'autoscaling',
        json: { minReplicas: 3, maxReplicas: 12 },
      }),
      'apply',
    ],
    leaves: {
      'charts/web/values.yaml': [
        ['minReplicas: 2', 'minReplicas: 3'],
        ['maxReplicas: 6', 'maxReplicas: 12'],
      ],
    },
  },
  {
    name: 'deletes a key and leaves no litter',
    calls: [edit({ op: 'delete', file: 'charts/web/values.yaml', path: 'nodeSelector' }), 'apply'],
    leaves: { 'charts/web/values.yaml': [['nodeSelector: {}\n\n', '']] },
  },
  {
    name: 'renames a key',
    calls: [
      edit({ op: 'rename', file: 'envs/prod.yaml', path: 'features.checkout_v2', new_key: 'checkout' }),
      'apply',
    ],
    leaves: { 'envs/prod.yaml': [['checkout_v2: false', 'checkout: false']] },
  },
  {
    name: 'moves a key under another parent',
    calls: [edit({ op: 'move', file: 'envs/prod.yaml', path: 'log', to: 'features' }), 'apply'],
    leaves: { 'envs/prod.yaml': [['  search: false\nlog: warn\n', '  search: false\n  log: warn\n']] },
  },
  {
    name: 'adds a comment without losing the one that is there',
    calls: [
      edit({
        op: 'comment',
        file: '.github/workflows/nightly.yaml',
        path: 'on.schedule[1]',
        comment: 'Takes two hours.',
        keep: true,
      }),
      'apply',
    ],
    leaves: {
      '.github/workflows/nightly.yaml': [
        ['    # The long one, on Sundays.\n', '    # The long one, on Sundays.\n    # Takes two hours.\n'],
      ],
    },
  },
  {
    name: 'puts a header above a file',
    calls: [
      edit({ op: 'comment', file: 'config/queues.yaml', path: '', comment: 'Owned by the platform team.' }),
      'apply',
    ],
    leaves: { 'config/queues.yaml': [['queues:\n', '# Owned by the platform team.\n\nqueues:\n']] },
  },
  {
    name: 'removes one of two keys of the same name',
    calls: [edit({ op: 'delete', file: 'legacy/limits.yaml', path: 'limits.type[#2]' }), 'apply'],
    leaves: { 'legacy/limits.yaml': [['  type: hard\n', '']] },
  },
  {
    name: 'adds a script to package.json',
    calls: [
      edit({
        op: 'insert',
        file: 'package.json',
        path: 'scripts',
        key: 'test',
        json: 'vitest run',
        after: 'build',
      }),
      'apply',
    ],
    leaves: {
      'package.json': [['"build": "tsc -p .",\n', '"build": "tsc -p .",\n    "test": "vitest run",\n']],
    },
  },
  {
    name: 'adds the first development dependency to package.json',
    calls: [set('package.json', 'devDependencies.vitest', '^3.0.0', { create: true }), 'apply'],
    leaves: {
      'package.json': [['"devDependencies": {}', '"devDependencies": {\n    "vitest": "^3.0.0"\n  }']],
    },
  },
  {
    name: 'adds an origin to a JSON list in its own indentation',
    calls: [
      edit({ op: 'append', file: 'config/app.json', path: 'cors', json: 'https://m.shop.example.com' }),
      'apply',
    ],
    leaves: {
      'config/app.json': [
        [
          '"https://shop.example.com"\n',
          '"https://shop.example.com",\n        "https://m.shop.example.com"\n',
        ],
      ],
    },
  },
  {
    name: 'changes a port in JSON by a JSON pointer',
    calls: [set('config/app.json', '/server/port', 9090), 'apply'],
    leaves: { 'config/app.json': [['"port": 8080', '"port": 9090']] },
  },
  {
    name: 'adds an operation to an OpenAPI path',
    calls: [
      edit({
        op: 'insert',
        file: 'openapi.yaml',
        path: 'paths./orders',
        key: 'post',
        json: { operationId: 'createOrder', responses: { '201': { description: 'Created.' } } },
      }),
      'apply',
    ],
    leaves: {
      'openapi.yaml': [
        [
          '          description: All orders.\n',
          '          description: All orders.\n    post:\n      operationId: createOrder\n      responses:\n        "201":\n          description: Created.\n',
        ],
      ],
    },
  },
  {
    name: 'makes a field of a schema required',
    calls: [
      edit({ op: 'append', file: 'openapi.yaml', path: 'components.schemas.Order.required', json: 'total' }),
      'apply',
    ],
    leaves: { 'openapi.yaml': [['required: [id]', 'required: [id, total]']] },
  },
  {
    name: 'changes a flow mapping in place',
    calls: [set('config/queues.yaml', 'queues[name=mail].retry.max', 8), 'apply'],
    leaves: { 'config/queues.yaml': [['{max: 5, delay: 60s}', '{max: 8, delay: 60s}']] },
  },
  {
    name: 'adds a task between two others of a playbook',
    calls: [
      edit({
        op: 'insert',
        file: 'ansible/site.yaml',
        path: '[0].tasks',
        index: 1,
        json: {
          name: 'Copy the site',
          'ansible.builtin.copy': { src: 'site.conf', dest: '/etc/nginx/conf.d/' },
        },
      }),
      'apply',
    ],
    leaves: {
      'ansible/site.yaml': [
        [
          '        state: present\n\n',
          '        state: present\n\n    - name: Copy the site\n      ansible.builtin.copy:\n        src: site.conf\n        dest: /etc/nginx/conf.d/\n\n',
        ],
      ],
    },
  },
];
