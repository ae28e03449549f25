// Files with several documents, workflows and compose files: named items, anchors, texts inside of values.
import { call, edit, get, set, type Task } from '../task.ts';

const WEB = { file: 'k8s/web.yaml', doc: 'Deployment/web' };
const CONTAINER = 'spec.template.spec.containers[name=web]';

export const KUBERNETES: readonly Task[] = [
  {
    name: 'changes the image of a named container in a file with several documents',
    calls: [
      set(WEB.file, `${CONTAINER}.image`, 'registry.example.com/shop/web:1.5.0', { doc: WEB.doc }),
      'apply',
    ],
    leaves: { 'k8s/web.yaml': [['shop/web:1.4.2', 'shop/web:1.5.0']] },
  },
  {
    name: 'raises the memory of the sidecar only',
    calls: [
      set(WEB.file, 'spec.template.spec.containers[name=log-shipper].resources.limits.memory', '96Mi', {
        doc: WEB.doc,
      }),
      'apply',
    ],
    leaves: { 'k8s/web.yaml': [['memory: 64Mi', 'memory: 96Mi']] },
  },
  {
    name: 'adds an environment variable to one container',
    calls: [
      edit({ op: 'append', ...WEB, path: `${CONTAINER}.env`, json: { name: 'REGION', value: 'eu-1' } }),
      'apply',
    ],
    leaves: {
      'k8s/web.yaml': [
        [
          '              value: "8080"\n',
          '              value: "8080"\n            - name: REGION\n              value: "eu-1"\n',
        ],
      ],
    },
  },
  {
    name: 'deletes a variable together with its comment',
    calls: [edit({ op: 'delete', ...WEB, path: `${CONTAINER}.env[name=PORT]` }), 'apply'],
    leaves: {
      'k8s/web.yaml': [
        [
          '            # Read by the health check.\n            - name: PORT\n              value: "8080"\n',
          '',
        ],
      ],
    },
  },
  {
    name: 'adds a port to a service',
    calls: [
      edit({
        op: 'append',
        file: 'k8s/web.yaml',
        doc: 'Service/web',
        path: 'spec.ports',
        json: { name: 'metrics', port: 9100 },
      }),
      'apply',
    ],
    leaves: {
      'k8s/web.yaml': [
        ['      targetPort: 8080\n', '      targetPort: 8080\n    - name: metrics\n      port: 9100\n'],
      ],
    },
  },
  {
    name: 'finds a document by its name alone',
    calls: [
      set('k8s/web.yaml', 'spec.maxReplicas', 12, { doc: { kind: 'HorizontalPodAutoscaler', name: 'web' } }),
      'apply',
    ],
    leaves: { 'k8s/web.yaml': [['maxReplicas: 9', 'maxReplicas: 12']] },
  },
  {
    name: 'adds a document at the end of a file',
    calls: [
      edit({
        op: 'add_document',
        file: 'k8s/worker.yaml',
        json: {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'worker' },
          spec: { minAvailable: 1 },
        },
      }),
      'apply',
    ],
    leaves: {
      'k8s/worker.yaml': [
        [
          '            memory: 128Mi\n',
          '            memory: 128Mi\n---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata:\n  name: worker\nspec:\n  minAvailable: 1\n',
        ],
      ],
    },
  },
  {
    name: 'deletes a document',
    calls: [edit({ op: 'delete_document', file: 'k8s/api.yaml', doc: 'Service/api' }), 'apply'],
    leaves: {
      'k8s/api.yaml': [
        [
          '---\napiVersion: v1\nkind: Service\nmetadata:\n  name: api\nspec:\n  selector:\n    app: api\n  ports:\n    - name: http\n      port: 9090\n',
          '',
        ],
      ],
    },
  },
  {
    name: 'changes one line of a script in a ConfigMap',
    calls: [
      edit({
        op: 'replace_text',
        file: 'k8s/scripts.yaml',
        path: 'data["start.sh"]',
        old_text: '--port 8080',
        new_text: '--port 9090',
      }),
      'apply',
    ],
    leaves: { 'k8s/scripts.yaml': [['--port 8080', '--port 9090']] },
  },
  {
    name: 'changes one line of an embedded nginx.conf',
    calls: [
      edit({
        op: 'replace_text',
        file: 'k8s/scripts.yaml',
        path: 'data["nginx.conf"]',
        old_text: 'worker_connections 1024;',
        new_text: 'worker_connections 4096;',
      }),
      'apply',
    ],
    leaves: { 'k8s/scripts.yaml': [['worker_connections 1024;', 'worker_connections 4096;']] },
  },
  {
    name: 'writes a script of several lines as a block',
    calls: [
      set('k8s/scripts.yaml', 'data["stop.sh"]', '#!/bin/sh\nset -e\nkill 1\n', { create: true }),
      'apply',
    ],
    leaves: {
      'k8s/scripts.yaml': [
        ['      }\n    }\n', '      }\n    }\n  stop.sh: |\n    #!/bin/sh\n    set -e\n    kill 1\n'],
      ],
    },
  },
  {
    name: 'adds an entry to a build matrix',
    calls: [
      edit({
        op: 'append',
        file: '.github/workflows/ci.yaml',
        path: 'jobs.test.strategy.matrix.node',
        json: 22,
      }),
      'apply',
    ],
    leaves: { '.github/workflows/ci.yaml': [['[18, 20]', '[18, 20, 22]']] },
  },
  {
    name: 'changes a step by its name',
    calls: [
      set('.github/workflows/ci.yaml', 'jobs.test.steps[name=Lint].run', 'npm run lint -- --fix'),
      'apply',
    ],
    leaves: { '.github/workflows/ci.yaml': [['run: npm run lint', 'run: npm run lint -- --fix']] },
  },
  {
    name: 'inserts a step before the last one',
    calls: [
      edit({
        op: 'insert',
        file: '.github/workflows/ci.yaml',
        path: 'jobs.test.steps',
        index: -1,
        json: { name: 'Types', run: 'npm run types' },
      }),
      'apply',
    ],
    leaves: {
      '.github/workflows/ci.yaml': [
        ['      - name: Test\n', '      - name: Types\n        run: npm run types\n      - name: Test\n'],
      ],
    },
  },
  {
    name: 'reorders two steps',
    calls: [
      edit({
        op: 'move',
        file: '.github/workflows/ci.yaml',
        path: 'jobs.test.steps[name=Lint]',
        to: 'jobs.test.steps',
        index: 2,
      }),
      'apply',
    ],
    leaves: {
      '.github/workflows/ci.yaml': [
        [
          '      - name: Install\n        run: npm ci\n      - name: Lint\n        run: npm run lint\n',
          '      - name: Lint\n        run: npm run lint\n      - name: Install\n        run: npm ci\n',
        ],
      ],
    },
  },
  {
    name: 'changes two schedules at once',
    calls: [
      edit(
        { op: 'set', file: '.github/workflows/nightly.yaml', path: 'on.schedule[0].cron', json: '0 3 * * *' },
        { op: 'set', file: '.github/workflows/nightly.yaml', path: 'on.schedule[1].cron', json: '0 5 * * 0' },
      ),
      'apply',
    ],
    leaves: {
      '.github/workflows/nightly.yaml': [
        ['"0 2 * * *"', '"0 3 * * *"'],
        ['"0 4 * * 0"', '"0 5 * * 0"'],
      ],
    },
  },
  {
    name: 'publishes a second port of a service in compose',
    calls: [
      edit({ op: 'append', file: 'compose.yaml', path: 'services.web.ports', json: '8443:8443' }),
      'apply',
    ],
    leaves: { 'compose.yaml': [['      - "8080:8080"\n', '      - "8080:8080"\n      - "8443:8443"\n']] },
  },
  {
    name: 'gives a service its first ports',
    calls: [
      edit({
        op: 'append',
        file: 'compose.yaml',
        path: 'services.db.ports',
        value: '"5432:5432"',
      }),
      'apply',
    ],
    leaves: {
      'compose.yaml': [
        [
          '      - db:/var/lib/postgresql/data\n',
          '      - db:/var/lib/postgresql/data\n    ports:\n      - "5432:5432"\n',
        ],
      ],
    },
  },
  {
    name: 'copies a service with its style',
    calls: [
      edit(
        {
          op: 'copy',
          file: 'compose.yaml',
          path: 'services.worker',
          to: 'services',
          key: 'mailer',
          after: 'worker',
        },
        {
          op: 'set',
          file: 'compose.yaml',
          path: 'services.mailer.image',
          json: 'registry.example.com/shop/mailer:1.0.0',
        },
      ),
      'apply',
    ],
    leaves: {
      'compose.yaml': [
        [
          '    environment: *env\n    logging: *logging\n\n',
          '    environment: *env\n    logging: *logging\n\n  mailer:\n    image: registry.example.com/shop/mailer:1.0.0\n    environment: *env\n    logging: *logging\n\n',
        ],
      ],
    },
  },
  {
    name: 'overrides one consumer of an anchor',
    calls: [
      call('config_set', {
        file: 'compose.yaml',
        path: 'services.worker.environment',
        value: '<<: *env\nLOG_LEVEL: debug',
      }),
      'apply',
    ],
    leaves: {
      'compose.yaml': [
        ['    environment: *env\n', '    environment:\n      <<: *env\n      LOG_LEVEL: debug\n'],
      ],
    },
  },
  {
    name: 'overrides an inherited value beside its merge key',
    calls: [
      get('compose.yaml', { path: 'services.web.environment.LOG_LEVEL' }, ['info']),
      set('compose.yaml', 'services.web.environment.LOG_LEVEL', 'debug', { create: true }),
      'apply',
    ],
    leaves: { 'compose.yaml': [['      PORT: "8080"\n', '      PORT: "8080"\n      LOG_LEVEL: debug\n']] },
  },
];
