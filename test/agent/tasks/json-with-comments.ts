// JSON with comments, as editors and compilers have it: edited by keys, its comments and commas kept.
import { edit, get, refused, set, type Task } from '../task.ts';

const SETTINGS = 'editor/settings.json';
const CONTAINER = 'images/devcontainer.json';
const HELM = '["ghcr.io/devcontainers/features/kubectl-helm-minikube:1"]';

export const JSON_WITH_COMMENTS: readonly Task[] = [
  {
    name: 'turns an option of the compiler on, below the last one',
    calls: [set('tsconfig.json', 'compilerOptions.noUncheckedIndexedAccess', true), 'apply'],
    leaves: {
      'tsconfig.json': [
        ['    "strict": true,\n', '    "strict": true,\n    "noUncheckedIndexedAccess": true,\n'],
      ],
    },
  },
  {
    name: 'adds an alias of a path, with what it is for',
    calls: [
      edit(
        { op: 'set', file: 'tsconfig.json', path: 'compilerOptions.paths["@/*"]', json: ['./src/*'] },
        { op: 'comment', file: 'tsconfig.json', path: 'compilerOptions.paths', comment: 'Short imports.' },
      ),
      'apply',
    ],
    leaves: {
      'tsconfig.json': [
        [
          '    "strict": true,\n',
          '    "strict": true,\n    // Short imports.\n    "paths": {\n      "@/*": ["./src/*"]\n    },\n',
        ],
      ],
    },
  },
  {
    name: 'adds a setting of the editor below its comment',
    calls: [
      get(SETTINGS, {}, ['// Formatting']),
      edit({
        op: 'insert',
        file: SETTINGS,
        path: '',
        key: 'editor.rulers',
        after: 'editor.tabSize',
        json: [110],
      }),
      'apply',
    ],
    leaves: {
      [SETTINGS]: [
        [
          '    "editor.tabSize": 4,\n',
          '    "editor.tabSize": 4,\n    "editor.rulers": [\n        110\n    ],\n',
        ],
      ],
    },
  },
  {
    name: 'changes a setting and says why at the end of its line',
    calls: [
      edit(
        { op: 'set', file: SETTINGS, path: '["editor.tabSize"]', json: 2 },
        {
          op: 'comment',
          file: SETTINGS,
          path: '["editor.tabSize"]',
          comment: 'as in .editorconfig',
          place: 'line_end',
        },
      ),
      'apply',
    ],
    leaves: { [SETTINGS]: [['"editor.tabSize": 4,', '"editor.tabSize": 2, // as in .editorconfig']] },
  },
  {
    name: 'removes a feature with its comment, and the comment of the next one stays',
    calls: [edit({ op: 'delete', file: CONTAINER, path: `features${HELM}` }), 'apply'],
    leaves: {
      [CONTAINER]: [
        [
          '\t\t// Charts are tested in a cluster.\n\t\t"ghcr.io/devcontainers/features/kubectl-helm-minikube:1": {\n\t\t\t"minikube": "none" // too slow\n\t\t},\n',
          '',
        ],
      ],
    },
  },
  {
    name: 'forwards a port of the container, and takes it back',
    calls: [
      edit({
        op: 'insert',
        file: CONTAINER,
        path: '',
        key: 'forwardPorts',
        before: 'remoteUser',
        json: [8080],
      }),
      'apply',
      { revert: 0 },
      'apply',
    ],
    leaves: {},
  },
  {
    name: 'leaves out one folder more, above what somebody has commented out',
    calls: [set(SETTINGS, '["search.exclude"]["**/coverage"]', true), 'apply'],
    leaves: {
      [SETTINGS]: [
        ['        "**/dist": true,\n', '        "**/dist": true,\n        "**/coverage": true,\n'],
      ],
    },
  },
  {
    name: 'is told that strict JSON gets no comment',
    calls: [
      refused('VALUE_INVALID', [
        'config_edit',
        { edits: [{ op: 'comment', file: 'package.json', path: 'name', comment: 'ours' }] },
      ]),
    ],
    leaves: {},
  },
];
