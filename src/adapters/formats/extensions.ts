// Decides which files can be read and edited, and in which format. It is apart from the formats, so that a server can start,
// and list its tools, before a parser is loaded.

export type FormatName = 'yaml' | 'json' | 'jsonc' | 'toml' | 'template' | 'text';

/** The names of each format's files, whatever the case; `*` stands for any part of the name. Files that match none are plain text. */
const FILES: Readonly<Record<FormatName, readonly string[]>> = {
  yaml: ['*.yaml', '*.yml', 'Chart.lock'],
  json: ['*.json'],
  // The other names are files that tools document to read as JSON with comments. JSON5 that is more than that is plain text.
  jsonc: [
    ...['*.jsonc', '*.json5'],
    ...['tsconfig*.json', 'jsconfig*.json', 'devcontainer.json', '.devcontainer.json', '.eslintrc.json'],
    ...['api-extractor.json', 'turbo.json', 'nx.json', 'deno.json', 'wrangler.json', 'typedoc.json'],
    ...['tslint.json', 'rush.json', 'babel.config.json', '.babelrc.json', 'language-configuration.json'],
    ...['.babelrc', '.swcrc', '.jshintrc', '*.code-workspace'],
  ],
  toml: ['*.toml', 'Cargo.lock', 'poetry.lock', 'uv.lock', 'Pipfile'],
  // YAML files with actions are templates, too, but not by their names.
  template: ['*.tpl', '*.yaml.j2', '*.yml.j2', '*.yaml.gotmpl', '*.yml.gotmpl'],
  text: [],
};

/** The formats with keys; a name that two of them have belongs to the first. */
const NAMES: readonly FormatName[] = ['yaml', 'template', 'jsonc', 'json', 'toml'];

/** All formats. */
export const FORMAT_NAMES: readonly FormatName[] = [...NAMES, 'text'];

/** The formats of files with keys, each with the names of its files. */
export const FORMAT_FILES = NAMES.map((name) => ({ name, files: FILES[name] }));

const PATTERNS = FORMAT_FILES.map(({ name, files }) => {
  const sources = files.map((file) => file.replaceAll('.', '\\.').replace(/^\*/, '.+').replace('*', '.*'));
  return { name, pattern: new RegExp(`^(?:${sources.join('|')})$`, 'iu') };
});

/** Folders in which Ansible reads YAML, whatever a file is called: `group_vars/all`, `host_vars/web1.example.org`. */
const YAML_FOLDERS = ['group_vars', 'host_vars'] as const;

/** Returns the format of a file by its path, which begins below the root. */
export function formatNameOf(components: readonly string[]): FormatName {
  const name = components.at(-1) ?? '';
  const known = PATTERNS.find(({ pattern }) => pattern.test(name))?.name;
  if (known !== undefined) return known;
  return YAML_FOLDERS.some((folder) => components.slice(0, -1).includes(folder)) ? 'yaml' : 'text';
}

/**
 * Endings that an operator has to allow: a workspace of VS Code determines what programs it starts, as with
 * `.vscode`, and most files that are named as templates are not configuration.
 */
const NOT_BY_DEFAULT: readonly string[] = ['code-workspace', 'tpl', 'yaml.j2', 'yml.j2'];

const EXTENSIONS = [
  ...FORMAT_FILES.flatMap(({ files }) => files)
    .flatMap((file) => /^\*\.(.+)$/u.exec(file)?.[1] ?? [])
    .filter((extension) => !NOT_BY_DEFAULT.includes(extension)),
  // Plain text
  ...['ini', 'cfg', 'conf', 'cnf', 'properties', 'tf', 'tfvars', 'hcl', 'md', 'jsonnet', 'libsonnet', 'cue'],
];

const ANY = `*.{${EXTENSIONS.join(',')}}`;

/**
 * Files whose contents programs run: a build, a shell, a start of a service. They can be read, and a write to one is a question
 * unless the operator's `--allow` names it.
 */
export const EXECUTED_FILES: readonly string[] = [
  '**/{Dockerfile,Containerfile,Makefile,Jenkinsfile}*',
  '**/{GNUmakefile,Justfile,Vagrantfile,Tiltfile,Earthfile,Procfile,Rakefile,Gemfile,Brewfile}',
  '**/{make,just}file*',
  '**/*.{dockerfile,mk,just,gradle,gradle.kts,service,timer,socket}',
  '**/CMakeLists.txt',
  '**/*.config.{js,cjs,mjs,ts,cts,mts}',
  '**/.{eslintrc,prettierrc,stylelintrc,babelrc,mocharc}.{js,cjs,mjs}',
  '**/.mvn/*.config',
  '**/.cargo/config.toml',
  // These name what a build fetches and starts.
  '**/{gradle,maven}-wrapper.properties',
  '**/.mvn/wrapper/maven-wrapper.properties',
];

/**
 * The files that exist for an agent unless the operator says otherwise. Of what begins with a dot, only the configuration
 * that teams are known to edit: the rest is mostly the state and the secrets of programs.
 */
export const DEFAULT_ALLOW: readonly string[] = [
  `**/${ANY}`,
  // These hold half of a chart: the parts that its templates share.
  '**/templates/**/*.{tpl,txt}',
  `**/{${YAML_FOLDERS.join(',')}}/**/*`,
  '**/{Chart,Cargo,poetry,uv}.lock',
  '**/{requirements,constraints}*.txt',
  '**/{go.mod,go.work,pom.xml,Pipfile,Caddyfile,CODEOWNERS,OWNERS}',
  '**/.{github,gitlab}/CODEOWNERS',
  `**/.{github,gitlab,gitlab-ci,circleci,buildkite,woodpecker,tekton,changeset}/**/${ANY}`,
  '**/.{gitlab-ci,travis,drone,cirrus,appveyor,codecov,readthedocs,mergify,golangci,goreleaser}.{yaml,yml}',
  '**/.{eslintrc,prettierrc,stylelintrc,markdownlint,markdownlint-cli2,commitlintrc}.{yaml,yml,json,jsonc}',
  '**/.{rustfmt,clippy,ruff,taplo,gitleaks}.toml',
  '**/.{releaserc,babelrc,nycrc,mocharc,spectral,rubocop,hadolint,yamllint}.{yaml,yml,json}',
  '**/.{swcrc,babelrc,jshintrc,yamllint,flake8,pylintrc,coveragerc,shellcheckrc,browserslistrc}',
  '**/.{renovaterc,markdownlintrc,eslintrc,prettierrc,stylelintrc,clang-format,clang-tidy}',
  '**/.renovaterc.{json,json5}',
  '**/.{editorconfig,gitattributes,gitmodules,tool-versions}',
  '**/.{nvmrc,node-version,python-version,ruby-version,java-version,go-version,terraform-version}',
  '**/.*ignore',
  '**/.terraform.lock.hcl',
  ...EXECUTED_FILES,
  // These are denied unless the operator gives --allow-env.
  ...['**/.env', '**/.env.*', '**/*.env'],
];
