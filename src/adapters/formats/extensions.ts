// Which files can be read and edited, and in which format: apart from the formats, so that a server can start, and list
// its tools, before a parser is loaded.

/** By extension, lower-case and without the dot. */
export const FORMAT_NAMES: ReadonlyMap<string, 'yaml' | 'json'> = new Map([
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
  ['json', 'json'],
]);

export const EXTENSIONS: readonly string[] = [...FORMAT_NAMES.keys()];

const ANY = `*.{${EXTENSIONS.join(',')}}`;

/**
 * The files that exist for an agent unless the operator says otherwise. Of what begins with a dot, only the configuration
 * that teams are known to edit: the rest is mostly the state and the secrets of programs.
 */
export const DEFAULT_ALLOW: readonly string[] = [
  `**/${ANY}`,
  `**/.{github,gitlab,circleci,buildkite,woodpecker,tekton,changeset}/**/${ANY}`,
  '**/.{gitlab-ci,travis,drone,cirrus,appveyor,codecov,readthedocs,mergify,golangci,goreleaser}.{yaml,yml}',
  '**/.{eslintrc,prettierrc,stylelintrc,markdownlint,markdownlint-cli2,commitlintrc}.{yaml,yml,json}',
  '**/.{lintstagedrc,releaserc,babelrc,nycrc,mocharc,spectral,rubocop,hadolint,yamllint}.{yaml,yml,json}',
];
