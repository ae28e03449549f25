// Which files can be read and edited, and in which format: apart from the formats, so that a server can start, and list
// its tools, before a parser is loaded.
import type { SafePath } from '../../security/index.ts';

export type FormatName = 'yaml' | 'json' | 'jsonc' | 'toml' | 'template' | 'text';

/** By extension, lower-case and without the dot. */
const FORMAT_NAMES: ReadonlyMap<string, FormatName> = new Map([
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
  ['json', 'json'],
  ['jsonc', 'jsonc'],
  ['toml', 'toml'],
]);

/** Of templates that are named so. They exist only where the operator allows them: most of them are no configuration. */
const TEMPLATE_NAMES = /\.(?:tpl|ya?ml\.j2)$/i;

export const EXTENSIONS: readonly string[] = [...FORMAT_NAMES.keys()];

/**
 * Files that their tools read as JSON with comments, as those tools document it, whatever the extension says. A workspace of
 * VS Code can start programs as `.vscode` can: it is read so, but only where an operator allows it.
 */
const JSONC_FILES =
  /^(?:[tj]sconfig(?:[.-].+)?\.json|(?:\.?devcontainer|\.eslintrc|api-extractor|turbo|nx|deno|wrangler|typedoc|tslint|\.babelrc|babel\.config|language-configuration|rush)\.json|\.(?:swcrc|babelrc|jshintrc)|.+\.code-workspace)$/i;

/** What no other format takes is plain text. */
export function formatNameOf(path: SafePath): FormatName {
  if (JSONC_FILES.test(path.components.at(-1) ?? '')) return 'jsonc';
  if (TEMPLATE_NAMES.test(path.toString())) return 'template';
  return FORMAT_NAMES.get(path.extension) ?? 'text';
}

const ANY = `*.{${EXTENSIONS.join(',')}}`;

/**
 * The files that exist for an agent unless the operator says otherwise. Of what begins with a dot, only the configuration
 * that teams are known to edit: the rest is mostly the state and the secrets of programs.
 */
export const DEFAULT_ALLOW: readonly string[] = [
  `**/${ANY}`,
  `**/.{github,gitlab,circleci,buildkite,woodpecker,tekton,changeset}/**/${ANY}`,
  '**/.{gitlab-ci,travis,drone,cirrus,appveyor,codecov,readthedocs,mergify,golangci,goreleaser}.{yaml,yml}',
  '**/.{eslintrc,prettierrc,stylelintrc,markdownlint,markdownlint-cli2,commitlintrc}.{yaml,yml,json,jsonc}',
  '**/.{rustfmt,clippy,ruff,taplo,gitleaks}.toml',
  '**/.{lintstagedrc,releaserc,babelrc,nycrc,mocharc,spectral,rubocop,hadolint,yamllint}.{yaml,yml,json}',
  '**/.{swcrc,babelrc,jshintrc}',
];
