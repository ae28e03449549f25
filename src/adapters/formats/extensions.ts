// Decides which files can be read and edited, and in which format. It is apart from the formats, so that a server can start,
// and list its tools, before a parser is loaded.

export type FormatName = 'yaml' | 'json' | 'jsonc' | 'toml' | 'template' | 'text';

/** The names of each format's files, whatever the case; `*` stands for any part of the name. Files that match none are plain text. */
const FILES: Readonly<Record<FormatName, readonly string[]>> = {
  yaml: ['*.yaml', '*.yml'],
  json: ['*.json'],
  // The other names are files that tools document to read as JSON with comments.
  jsonc: [
    '*.jsonc',
    ...['tsconfig*.json', 'jsconfig*.json', 'devcontainer.json', '.devcontainer.json', '.eslintrc.json'],
    ...['api-extractor.json', 'turbo.json', 'nx.json', 'deno.json', 'wrangler.json', 'typedoc.json'],
    ...['tslint.json', 'rush.json', 'babel.config.json', '.babelrc.json', 'language-configuration.json'],
    ...['.babelrc', '.swcrc', '.jshintrc', '*.code-workspace'],
  ],
  toml: ['*.toml'],
  // YAML files with actions are templates, too, but not by their names.
  template: ['*.tpl', '*.yaml.j2', '*.yml.j2'],
  text: [],
};

/** The formats with keys; a name that two of them have belongs to the first. */
const NAMES: readonly FormatName[] = ['yaml', 'template', 'jsonc', 'json', 'toml'];

/** The formats of files with keys, each with the names of its files. */
export const FORMAT_FILES = NAMES.map((name) => ({ name, files: FILES[name] }));

const PATTERNS = FORMAT_FILES.map(({ name, files }) => {
  const sources = files.map((file) => file.replaceAll('.', '\\.').replace(/^\*/, '.+').replace('*', '.*'));
  return { name, pattern: new RegExp(`^(?:${sources.join('|')})$`, 'iu') };
});

/** Answers the format of a file by its name without its folder. */
export function formatNameOf(file: string): FormatName {
  return PATTERNS.find(({ pattern }) => pattern.test(file))?.name ?? 'text';
}

/**
 * Endings that an operator has to allow: whoever edits a workspace of VS Code chooses what programs it starts, as with
 * `.vscode`, and most files that are named as templates are no configuration.
 */
const NOT_BY_DEFAULT: readonly string[] = ['code-workspace', 'tpl', 'yaml.j2', 'yml.j2'];

const EXTENSIONS = FORMAT_FILES.flatMap(({ files }) => files)
  .flatMap((file) => /^\*\.(.+)$/u.exec(file)?.[1] ?? [])
  .filter((extension) => !NOT_BY_DEFAULT.includes(extension));

const ANY = `*.{${EXTENSIONS.join(',')}}`;

/**
 * The files that exist for an agent unless the operator says otherwise. Of what begins with a dot, only the configuration
 * that teams are known to edit: the rest is mostly the state and the secrets of programs.
 */
export const DEFAULT_ALLOW: readonly string[] = [
  `**/${ANY}`,
  // These hold half of a chart: the parts that its templates share.
  '**/templates/**/*.tpl',
  `**/.{github,gitlab,gitlab-ci,circleci,buildkite,woodpecker,tekton,changeset}/**/${ANY}`,
  '**/.{gitlab-ci,travis,drone,cirrus,appveyor,codecov,readthedocs,mergify,golangci,goreleaser}.{yaml,yml}',
  '**/.{eslintrc,prettierrc,stylelintrc,markdownlint,markdownlint-cli2,commitlintrc}.{yaml,yml,json,jsonc}',
  '**/.{rustfmt,clippy,ruff,taplo,gitleaks}.toml',
  '**/.{releaserc,babelrc,nycrc,mocharc,spectral,rubocop,hadolint,yamllint}.{yaml,yml,json}',
  '**/.{swcrc,babelrc,jshintrc}',
];
