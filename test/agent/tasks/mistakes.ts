// What models typically get wrong. Either it is understood, or the error's first step, followed as it is, leads on.
import { call, edit, refused, set, type Task } from '../task.ts';

const LEAVES_WORKER = { 'k8s/worker.yaml': [['replicas: 1', 'replicas: 3']] } as const;
const LEAVES_TAG = { 'charts/web/values.yaml': [['"1.10"', '"1.11"']] } as const;

export const MISTAKES: readonly Task[] = [
  {
    name: 'slashes in place of dots',
    calls: [call('config_set', { file: 'k8s/worker.yaml', path: 'spec/replicas', json: 3 }), 'apply'],
    leaves: LEAVES_WORKER,
  },
  {
    name: 'a dollar in front',
    calls: [set('k8s/worker.yaml', '$.spec.replicas', 3), 'apply'],
    leaves: LEAVES_WORKER,
  },
  {
    name: 'a dot in front, as for yq',
    calls: [set('k8s/worker.yaml', '.spec.replicas', 3), 'apply'],
    leaves: LEAVES_WORKER,
  },
  {
    name: 'an index behind a dot',
    calls: [
      set(
        'k8s/worker.yaml',
        'spec.template.spec.containers.0.image',
        'registry.example.com/shop/worker:2.1.0',
      ),
      'apply',
    ],
    leaves: { 'k8s/worker.yaml': [['worker:2.0.0', 'worker:2.1.0']] },
  },
  {
    name: 'a number as text',
    calls: [call('config_set', { file: 'k8s/worker.yaml', path: 'spec.replicas', value: 3 }), 'apply'],
    leaves: LEAVES_WORKER,
  },
  {
    name: 'booleans as text',
    calls: [
      call('config_set', { file: 'k8s/worker.yaml', path: 'spec.replicas', json: 3, dry_run: 'true' }),
      'apply',
    ],
    leaves: LEAVES_WORKER,
  },
  {
    name: 'edits as JSON text',
    calls: [
      call('config_edit', {
        edits: JSON.stringify([{ op: 'set', file: 'k8s/worker.yaml', path: 'spec.replicas', json: 3 }]),
      }),
      'apply',
    ],
    leaves: LEAVES_WORKER,
  },
  {
    name: 'a dot and a slash in front of the file',
    calls: [set('./k8s/worker.yaml', 'spec.replicas', 3), 'apply'],
    leaves: LEAVES_WORKER,
  },
  {
    name: 'a matcher as JSON text',
    calls: [
      call('config_set', {
        file: 'k8s/api.yaml',
        path: 'spec.replicas',
        json: 2,
        doc: '{"kind":"Deployment"}',
      }),
      'apply',
    ],
    leaves: { 'k8s/api.yaml': [['replicas: 1', 'replicas: 2']] },
  },
  {
    name: 'an index of a document as text',
    calls: [call('config_set', { file: 'k8s/api.yaml', path: 'spec.replicas', json: 2, doc: '0' }), 'apply'],
    leaves: { 'k8s/api.yaml': [['replicas: 1', 'replicas: 2']] },
  },
  {
    name: 'a key with a slip',
    calls: [
      call('config_set', { file: 'k8s/worker.yaml', path: 'spec.replcas', json: 3 }, [
        'Did you mean spec.replicas?',
      ]),
      set('k8s/worker.yaml', 'spec.replicas', 3),
      'apply',
    ],
    leaves: LEAVES_WORKER,
  },
  {
    name: 'a container that is not there',
    calls: [
      refused('NODE_NOT_FOUND', [
        'config_set',
        { file: 'k8s/worker.yaml', path: 'spec.template.spec.containers[name=web].image', json: 'x:1' },
      ]),
      'follow',
    ],
    leaves: {},
  },
  {
    name: 'no document where there are several',
    calls: [
      refused('DOCUMENT_AMBIGUOUS', [
        'config_set',
        { file: 'k8s/api.yaml', path: 'metadata.namespace', json: 'shop' },
      ]),
      'follow',
      'apply',
    ],
    leaves: { 'k8s/api.yaml': [['\nspec:\n  replicas', '\n  namespace: shop\nspec:\n  replicas']] },
  },
  {
    name: 'a folder in place of a file',
    calls: [refused('PATH_DENIED', ['config_get', { file: 'envs' }]), 'follow'],
    leaves: {},
  },
  {
    name: 'a file that is not there',
    calls: [refused('FILE_NOT_FOUND', ['config_get', { file: 'charts/web/value.yaml' }]), 'follow'],
    leaves: {},
  },
  {
    name: 'an old hash',
    calls: [
      refused('FILE_CHANGED', [
        'config_set',
        { file: 'k8s/worker.yaml', path: 'spec.replicas', json: 3, expected_sha256: '0'.repeat(64) },
      ]),
      'follow',
    ],
    leaves: {},
  },
  {
    name: 'a direct write where the operator wants a preview',
    flags: ['--approval', 'preview'],
    calls: [
      refused('PREVIEW_REQUIRED', [
        'config_set',
        { file: 'k8s/worker.yaml', path: 'spec.replicas', json: 3, dry_run: false },
      ]),
      'follow',
      'apply',
    ],
    leaves: LEAVES_WORKER,
  },
  {
    name: 'the new key at the end of the path of an insert',
    calls: [
      refused('ARGUMENT_INVALID', [
        'config_edit',
        { edits: [{ op: 'insert', file: 'k8s/worker.yaml', path: 'metadata.labels.tier', json: 'back' }] },
      ]),
      'follow',
      'apply',
    ],
    leaves: {
      'k8s/worker.yaml': [
        ['  labels:\n    app: worker\nspec', '  labels:\n    app: worker\n    tier: back\nspec'],
      ],
    },
  },
  {
    name: 'a mapping that is appended to a mapping',
    calls: [
      refused('TYPE_MISMATCH', [
        'config_edit',
        {
          edits: [{ op: 'append', file: 'k8s/worker.yaml', path: 'metadata.labels', json: { tier: 'back' } }],
        },
      ]),
      'follow',
      'apply',
    ],
    leaves: {
      'k8s/worker.yaml': [
        ['  labels:\n    app: worker\nspec', '  labels:\n    app: worker\n    tier: back\nspec'],
      ],
    },
  },
  {
    name: 'a field with another name',
    calls: [
      refused('ARGUMENT_INVALID', ['config_set', { file: 'k8s/worker.yaml', key: 'spec.replicas', json: 3 }]),
      'follow',
      'apply',
    ],
    leaves: LEAVES_WORKER,
  },
  {
    name: 'a field with a slip',
    calls: [
      refused('ARGUMENT_INVALID', [
        'config_set',
        { file: 'k8s/worker.yaml', path: 'spec.replicas', json: 3, dryrun: true },
      ]),
      'follow',
      'apply',
    ],
    leaves: LEAVES_WORKER,
  },
  {
    name: 'a list appended to a key with a slip',
    calls: [
      call(
        'config_edit',
        { edits: [{ op: 'append', file: 'compose.yaml', path: 'services.web.prots', json: '8443:8443' }] },
        ['Did you mean services.web.ports?'],
      ),
      edit({ op: 'append', file: 'compose.yaml', path: 'services.web.ports', json: '8443:8443' }),
      'apply',
    ],
    leaves: { 'compose.yaml': [['      - "8080:8080"\n', '      - "8080:8080"\n      - "8443:8443"\n']] },
  },
  {
    name: 'an edit through an alias',
    calls: [
      refused('ALIAS_CROSSED', [
        'config_set',
        { file: 'compose.yaml', path: 'services.worker.environment.LOG_LEVEL', json: 'debug' },
      ]),
      'follow',
      'apply',
    ],
    leaves: {
      'compose.yaml': [
        ['    environment: *env\n', '    environment:\n      <<: *env\n      LOG_LEVEL: debug\n'],
      ],
    },
  },
  {
    name: 'two keys of the same name',
    calls: [
      refused('DUPLICATE_KEY', [
        'config_set',
        { file: 'legacy/limits.yaml', path: 'limits.type', json: 'firm' },
      ]),
      'follow',
    ],
    leaves: {},
  },
  {
    name: 'a file that exists is to be created',
    calls: [
      refused('FILE_EXISTS', [
        'config_edit',
        { edits: [{ op: 'create_file', file: 'envs/dev.yaml', content: 'a: 1\n' }] },
      ]),
      'follow',
    ],
    leaves: {},
  },
  {
    name: 'a structural edit of a file that does not parse',
    calls: [
      refused('SYNTAX_INVALID', ['config_set', { file: 'legacy/billing.yaml', path: 'port', json: 1 }]),
      'follow',
    ],
    leaves: {},
  },
  {
    name: 'a text that stands there twice',
    calls: [
      refused('TEXT_AMBIGUOUS', [
        'config_edit',
        {
          edits: [
            { op: 'replace_text', file: 'envs/dev.yaml', old_text: 'true', new_text: 'false' },
            { op: 'replace_text', file: 'envs/prod.yaml', old_text: 'false', new_text: 'true' },
          ],
        },
      ]),
      'follow',
    ],
    leaves: {},
  },
  {
    name: 'a text that stands nowhere',
    calls: [
      refused('TEXT_NOT_FOUND', [
        'config_edit',
        {
          edits: [
            { op: 'replace_text', file: 'nginx/site.conf', old_text: 'listen 8080;', new_text: 'listen 81;' },
          ],
        },
      ]),
      'follow',
    ],
    leaves: {},
  },
  {
    name: 'a quoted version that loses its quotes is warned of',
    calls: [
      call('config_set', { file: 'charts/web/values.yaml', path: 'image.tag', value: '1.11' }, ['"1.10"']),
      call('config_set', { file: 'charts/web/values.yaml', path: 'image.tag', json: '1.11' }),
      'apply',
    ],
    leaves: LEAVES_TAG,
  },
  {
    name: 'a preview that was never made',
    calls: [refused('PREVIEW_NOT_FOUND', ['config_apply', { preview_id: 'pv_22222222' }]), 'follow'],
    leaves: {},
  },
];
