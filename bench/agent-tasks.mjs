// The ten core tasks of an agent on a repository of configuration, as calls to this server and to the reference filesystem
// server, and what must stand in the files afterwards.

const IMAGE = 'registry.example.com/shop/web';
const WORKFLOWS = 52;

const deployment = (name) => `# ${name} of the shop
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels:
    app: ${name}
spec:
  replicas: 2
  selector:
    matchLabels: { app: ${name} }
  template:
    metadata:
      labels: { app: ${name} }
    spec:
      containers:
        - name: ${name}
          image: ${IMAGE}:1.4.2
          ports:
            - containerPort: 8080
          env:
            - name: LOG_LEVEL
              value: info
        - name: sidecar
          image: envoy:1.30
          resources:
            limits: { memory: 128Mi, cpu: 100m }
---
apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  ports:
    - port: 80
      targetPort: 8080
`;

const workflow = (index) => `name: ci-${index}
on: [push]
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 20 }
      - run: npm ci
${index % 13 === 0 ? '  lint:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm run lint\n' : ''}`;

const cron = (name, schedule) => `apiVersion: batch/v1
kind: CronJob
metadata:
  name: ${name}
spec:
  schedule: "${schedule}"   # UTC
  jobTemplate: {}
`;

const SERVICES = ['api', 'cart', 'mail', 'pay', 'search'];
const OPERATION = (name) => `  /${name}:
    get:
      operationId: get_${name}
      responses:
        '200':
          description: OK
`;

/** By path, with realistic contents. */
export const FILES = {
  'k8s/web/deployment.yaml': deployment('web'),
  ...Object.fromEntries(SERVICES.map((name) => [`k8s/${name}/deployment.yaml`, deployment(name)])),
  'compose.yaml': `services:\n  web:\n    image: shop/web\n    ports:\n      - "8080:80"\n  db:\n    image: postgres:16\n    ports:\n      - "5432:5432"\n`,
  'jobs/backup.yaml': cron('backup', '0 3 * * *'),
  'jobs/report.yaml': cron('report', '0 4 * * *'),
  '.github/workflows/matrix.yml': `name: matrix\non: [push]\njobs:\n  test:\n    strategy:\n      matrix:\n        node: [18, 20]\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n`,
  ...Object.fromEntries(
    Array.from({ length: WORKFLOWS }, (_, index) => [`.github/workflows/ci-${index}.yml`, workflow(index)]),
  ),
  'big/values.yaml': `${Array.from({ length: 4_000 }, (_, index) => `service${index}:\n  enabled: true # as in production\n  port: ${8_000 + index}\n`).join('')}agent:\n  tolerations:\n    - key: node\n      operator: Exists\n`,
  'openapi.yaml': `openapi: 3.1.0\ninfo: { title: Shop, version: '1' }\npaths:\n${['items', 'orders', 'users'].map(OPERATION).join('')}`,
};

const APPLY = ['config_apply'];
const edit = (...edits) => ['config_edit', { edits }];
const WEB = { file: 'k8s/web/deployment.yaml', doc: 'Deployment/web' };
const READ = (path) => ['read_text_file', { path }];
const EDIT = (path, oldText, newText) => ['edit_file', { path, edits: [{ oldText, newText }] }];
const HEALTH = { get: { operationId: 'get_health', responses: { 200: { description: 'OK' } } } };

export const TASKS = [
  {
    name: 'image tag of a named container',
    airlock: [
      ['config_search', { key: 'containers[*].image', value: `${IMAGE}:*`, pattern: 'k8s/web/**' }],
      [
        'config_set',
        { ...WEB, path: 'spec.template.spec.containers[name=web].image', json: `${IMAGE}:1.5.0` },
      ],
      APPLY,
    ],
    filesystem: [
      READ('k8s/web/deployment.yaml'),
      EDIT('k8s/web/deployment.yaml', `${IMAGE}:1.4.2`, `${IMAGE}:1.5.0`),
    ],
    after: { 'k8s/web/deployment.yaml': `image: ${IMAGE}:1.5.0\n` },
  },
  {
    name: 'memory of a sidecar',
    airlock: [
      [
        'config_set',
        {
          ...WEB,
          path: 'spec.template.spec.containers[name=sidecar].resources.limits.memory',
          json: '256Mi',
          dry_run: false,
        },
      ],
    ],
    filesystem: [EDIT('k8s/web/deployment.yaml', 'memory: 128Mi', 'memory: 256Mi')],
    after: { 'k8s/web/deployment.yaml': '{ memory: 256Mi, cpu: 100m }' },
  },
  {
    name: 'an environment variable',
    airlock: [
      [
        'config_edit',
        {
          edits: [
            {
              op: 'append',
              ...WEB,
              path: 'spec.template.spec.containers[name=web].env',
              json: { name: 'REGION', value: 'eu' },
            },
          ],
          dry_run: false,
        },
      ],
    ],
    filesystem: [
      EDIT(
        'k8s/web/deployment.yaml',
        '              value: info\n',
        '              value: info\n            - name: REGION\n              value: eu\n',
      ),
    ],
    after: { 'k8s/web/deployment.yaml': '            - name: REGION\n              value: eu\n' },
  },
  {
    name: 'a port of a compose service',
    airlock: [
      ['config_get', { file: 'compose.yaml', path: 'services' }],
      [
        'config_edit',
        {
          edits: [{ op: 'append', file: 'compose.yaml', path: 'services.web.ports', json: '8443:443' }],
          dry_run: false,
        },
      ],
    ],
    filesystem: [
      READ('compose.yaml'),
      EDIT('compose.yaml', '      - "8080:80"\n', '      - "8080:80"\n      - "8443:443"\n'),
    ],
    after: { 'compose.yaml': '      - "8080:80"\n      - "8443:443"\n' },
  },
  {
    name: 'two schedules',
    airlock: [
      edit(
        ...['backup', 'report'].map((name) => ({
          op: 'set',
          file: `jobs/${name}.yaml`,
          path: 'spec.schedule',
          json: '30 2 * * *',
        })),
      ),
      APPLY,
    ],
    filesystem: [
      READ('jobs/backup.yaml'),
      READ('jobs/report.yaml'),
      EDIT('jobs/backup.yaml', '0 3 * * *', '30 2 * * *'),
      EDIT('jobs/report.yaml', '0 4 * * *', '30 2 * * *'),
    ],
    after: { 'jobs/backup.yaml': '"30 2 * * *"   # UTC', 'jobs/report.yaml': '"30 2 * * *"   # UTC' },
  },
  {
    name: 'an entry of a matrix',
    airlock: [
      edit({
        op: 'append',
        file: '.github/workflows/matrix.yml',
        path: 'jobs.test.strategy.matrix.node',
        json: 22,
      }),
      APPLY,
    ],
    filesystem: [
      READ('.github/workflows/matrix.yml'),
      EDIT('.github/workflows/matrix.yml', '[18, 20]', '[18, 20, 22]'),
    ],
    after: { '.github/workflows/matrix.yml': 'node: [18, 20, 22]\n' },
  },
  {
    name: '56 checkouts in 52 workflows',
    airlock: [
      edit({
        op: 'set',
        file: '.github/workflows/*.yml',
        path: 'jobs.*.steps[*].uses',
        from: 'actions/checkout@v4',
        json: 'actions/checkout@v5',
        expect: 56,
      }),
      APPLY,
    ],
    filesystem: Array.from({ length: WORKFLOWS }, (_, index) => {
      const path = `.github/workflows/ci-${index}.yml`;
      const [one, two] = [
        'uses: actions/checkout@v4\n      - uses',
        'uses: actions/checkout@v4\n      - run',
      ];
      const edits = [one, ...(index % 13 === 0 ? [two] : [])].map((oldText) => ({
        oldText,
        newText: oldText.replace('v4', 'v5'),
      }));
      return ['edit_file', { path, edits }];
    }),
    after: {
      '.github/workflows/ci-51.yml': 'actions/checkout@v5\n',
      '.github/workflows/ci-0.yml': 'checkout@v5\n      - run',
    },
  },
  {
    name: 'a label for every Deployment',
    airlock: [
      edit({
        op: 'set',
        file: 'k8s/**',
        doc: '{"kind":"Deployment"}',
        path: 'metadata.labels.team',
        json: 'shop',
        create: true,
      }),
      APPLY,
    ],
    filesystem: [
      ...['web', ...SERVICES].flatMap((name) => [
        READ(`k8s/${name}/deployment.yaml`),
        EDIT(
          `k8s/${name}/deployment.yaml`,
          `    app: ${name}\nspec`,
          `    app: ${name}\n    team: shop\nspec`,
        ),
      ]),
    ],
    after: {
      'k8s/cart/deployment.yaml': '    app: cart\n    team: shop\n',
      'k8s/web/deployment.yaml': '    team: shop\n',
    },
  },
  {
    name: 'a toleration in 208 KB',
    airlock: [
      edit({
        op: 'append',
        file: 'big/values.yaml',
        path: 'agent.tolerations',
        json: { key: 'gpu', operator: 'Exists' },
      }),
      APPLY,
    ],
    filesystem: [
      READ('big/values.yaml'),
      EDIT(
        'big/values.yaml',
        '    - key: node\n      operator: Exists\n',
        '    - key: node\n      operator: Exists\n    - key: gpu\n      operator: Exists\n',
      ),
    ],
    after: { 'big/values.yaml': '    - key: gpu\n      operator: Exists\n' },
  },
  {
    name: 'a path of an OpenAPI file',
    airlock: [
      ['config_get', { file: 'openapi.yaml', path: 'paths["/users"]' }],
      [
        'config_edit',
        {
          edits: [{ op: 'insert', file: 'openapi.yaml', path: 'paths', key: '/health', json: HEALTH }],
          dry_run: false,
        },
      ],
    ],
    filesystem: [
      READ('openapi.yaml'),
      EDIT('openapi.yaml', '  /users:\n', `${OPERATION('health')}  /users:\n`),
    ],
    after: { 'openapi.yaml': '  /health:\n    get:\n      operationId: get_health\n' },
  },
];
