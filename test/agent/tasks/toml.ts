// TOML: manifests of Rust and Python, and the redirects of a site.
import { call, edit, get, refused, set, type Task } from '../task.ts';

const flags = ['--allow', '**/*.toml'];
const CARGO = 'rust/Cargo.toml';
const PYPROJECT = 'python/pyproject.toml';

export const TOML: readonly Task[] = [
  {
    name: 'raises the version of a dependency',
    flags,
    calls: [
      get(CARGO, { path: 'dependencies' }, ['quick-xml = "0.31"']),
      set(CARGO, 'dependencies.quick-xml', '0.36'),
      'apply',
    ],
    leaves: { [CARGO]: [['"0.31"', '"0.36"']] },
  },
  {
    name: 'raises the version of a dependency that has features',
    flags,
    calls: [set(CARGO, 'dependencies.serde.version', '1.0.203'), 'apply'],
    leaves: { [CARGO]: [['1.0.197', '1.0.203']] },
  },
  {
    name: 'adds a dependency with features beside the others',
    flags,
    calls: [set(CARGO, 'dependencies.tokio', { version: '1.38', features: ['macros', 'rt'] }), 'apply'],
    leaves: {
      [CARGO]: [
        [
          'features = ["derive"] }\n',
          'features = ["derive"] }\ntokio = { version = "1.38", features = ["macros", "rt"] }\n',
        ],
      ],
    },
  },
  {
    name: 'adds a dependency as it would stand in the file',
    flags,
    calls: [
      call('config_set', {
        file: CARGO,
        path: 'dependencies.regex',
        value: '{ version = "1", default-features = false }',
      }),
      'apply',
    ],
    leaves: {
      [CARGO]: [
        [
          'features = ["derive"] }\n',
          'features = ["derive"] }\nregex = { version = "1", default-features = false }\n',
        ],
      ],
    },
  },
  {
    name: 'removes a dependency with its comment, and takes that back',
    flags,
    calls: [
      edit({ op: 'delete', file: CARGO, path: 'dependencies.quick-xml' }),
      'apply',
      { revert: 0 },
      'apply',
      edit({ op: 'delete', file: CARGO, path: 'dependencies.quick-xml' }),
      'apply',
    ],
    leaves: { [CARGO]: [['# Parses the feeds.\nquick-xml = "0.31"\n', '']] },
  },
  {
    name: 'adds another program to a manifest',
    flags,
    calls: [
      edit({ op: 'append', file: CARGO, path: 'bin', json: { name: 'check', path: 'src/check.rs' } }),
      'apply',
    ],
    leaves: {
      [CARGO]: [
        [
          'path = "src/main.rs"\n',
          'path = "src/main.rs"\n\n[[bin]]\nname = "check"\npath = "src/check.rs"\n',
        ],
      ],
    },
  },
  {
    name: 'configures one more tool beside the others',
    flags,
    calls: [
      get(PYPROJECT, { view: 'outline' }, ['ruff']),
      set(PYPROJECT, 'tool.mypy', { strict: true, files: ['reports'] }),
      'apply',
    ],
    leaves: {
      [PYPROJECT]: [
        ['addopts = "-q"\n', 'addopts = "-q"\n\n[tool.mypy]\nstrict = true\nfiles = ["reports"]\n'],
      ],
    },
  },
  {
    name: 'adds rules and a dependency, each where its neighbours stand',
    flags,
    calls: [
      edit(
        { op: 'append', file: PYPROJECT, path: 'tool.ruff.lint.select', json: 'I' },
        { op: 'append', file: PYPROJECT, path: 'project.dependencies', json: 'pydantic>=2' },
      ),
      'apply',
    ],
    leaves: {
      [PYPROJECT]: [
        ['["E", "F"]', '["E", "F", "I"]'],
        ['"jinja2>=3.1", # templates\n', '"jinja2>=3.1", # templates\n    "pydantic>=2",\n'],
      ],
    },
  },
  {
    name: 'changes the redirect that it means',
    flags,
    calls: [set('netlify.toml', 'redirects[from="/shop/*"].status', 301), 'apply'],
    leaves: { 'netlify.toml': [['status = 302', 'status = 301']] },
  },
  {
    name: 'sends null, which TOML has not, and takes the key away instead',
    flags,
    calls: [
      refused('VALUE_INVALID', ['config_set', { file: CARGO, path: 'package.edition', json: null }]),
      edit({ op: 'delete', file: CARGO, path: 'package.edition' }),
      'apply',
    ],
    leaves: { [CARGO]: [['edition = "2021"\n', '']] },
  },
];
