// Files of each kind with any number of lines, and what a client does with each: the tests of `linear.test.ts` hold that time
// grows as the file does.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningServer } from './start-server.ts';

interface Kind {
  readonly file: string;
  readonly head?: string;
  /** One part of the file. */
  readonly part: (n: number) => string;
  readonly tail?: string;
  /** A number in that part. */
  readonly path: (n: number) => string;
  readonly isCrlf?: boolean;
}

const key = (n: number) => `s${String(n).padStart(6, '0')}`;
const replicas = (n: number) => `${key(n)}.replicas`;
const property = (n: number) => `spec.properties.${key(n)}.replicas`;

const VALUES: Kind = {
  file: 'values.yaml',
  part: (n) =>
    `# ${n}: owned by a team.\n${key(n)}:\n  replicas: 2 # raised\n  image: { name: "a", tag: 'b' }\n  env:\n    - name: LEVEL\n      value: info\n\n`,
  path: replicas,
};
const JSON_OBJECT: Kind = {
  file: 'object.json',
  head: '{\n',
  part: (n) =>
    `  "${key(n)}": {\n    "replicas": 2,\n    "ports": [80, 443],\n    "env": { "LEVEL": "info" }\n  },\n`,
  tail: '  "end": 1\n}\n',
  path: replicas,
};
const PROPERTY = (n: number) =>
  `    ${key(n)}:\n      description: |-\n        What it is for,\n        and who owns it.\n      replicas: 2\n      required:\n      - name\n`;

/** By what is in it. */
export const KINDS: Readonly<Record<string, Kind>> = {
  values: VALUES,
  list: {
    file: 'list.yaml',
    head: 'items:\n',
    part: (n) => `- kind: Deployment\n  name: ${key(n)}\n  replicas: 2\n  ports: [80, 443]\n`,
    path: (n) => `items[${n}].replicas`,
  },
  'custom resource': {
    file: 'crd.yaml',
    head: 'spec:\n  properties:\n',
    part: PROPERTY,
    path: property,
  },
  'template with few actions': {
    file: 'few.yaml',
    head: '{{- if .Values.install }}\nmetadata:\n  labels:\n    {{- with .Values.labels }}\n      {{- toYaml . | nindent 4 }}\n    {{- end }}\nspec:\n  properties:\n',
    part: PROPERTY,
    tail: '{{- end }}\n',
    path: property,
  },
  'template with many actions': {
    file: 'many.yaml',
    part: (n) =>
      `{{- if .Values.${key(n)} }}\n${key(n)}:\n  replicas: 2\n  image: "{{ $.Values.registry }}/a"\n  labels:\n    {{- include "labels" . | nindent 4 }}\n{{- end }}\n`,
    path: replicas,
  },
  comments: {
    file: 'comments.yaml',
    part: (n) =>
      `# one\n# two\n\n   # three\n${key(n)}:\n  # above\n  replicas: 2 # behind\n  # below\n# - commented: out\n`,
    path: replicas,
  },
  'comments of a template': {
    file: 'template-comments.yaml',
    head: '{{- if .Values.install }}\n',
    part: (n) => `# one\n  # two\n${key(n)}:\n  replicas: 2\n  # below\n`,
    tail: '{{- end }}\n',
    path: replicas,
  },
  anchors: {
    file: 'anchors.yaml',
    head: 'base: &base\n  z: 1\n',
    part: (n) =>
      `${key(n)}: &a${n}\n  ${n % 10 === 0 ? '<<: *base' : 'y: 1'}\n  replicas: 2\n  list: [a, b]\n`,
    path: replicas,
  },
  'block texts': {
    file: 'blocks.yaml',
    part: (n) =>
      `${key(n)}:\n  replicas: 2\n  script: |\n    set -eu\n    # no comment\n\n    exec it\n  folded: >-\n    one\n    two\n`,
    path: replicas,
  },
  braces: {
    file: 'braces.yaml',
    head: 'root: {\n',
    part: (n) => `  ${key(n)}: { replicas: 2, ports: [1, "a b"] },\n`,
    tail: '}\n',
    path: (n) => `root.${replicas(n)}`,
  },
  'masked blocks': {
    file: 'masked.yaml',
    part: (n) =>
      `${key(n)}:\n  replicas: 2\n  key: |\n    -----BEGIN RSA PRIVATE KEY-----\n    MIIEpAIBAAKCAQEAu${key(n)}xJ4lP5jU2mJ0v3qTzZb1cD2\n    -----END RSA PRIVATE KEY-----\n  password: Xk29${key(n)}\n`,
    path: replicas,
  },
  JSON: JSON_OBJECT,
  JSONC: {
    file: 'settings.jsonc',
    head: '{\n',
    part: (n) =>
      `  // owned by a team\n  "${key(n)}": {\n    "replicas": 2, /* raised */\n    "ports": [80, 443,],\n  },\n`,
    tail: '}\n',
    path: replicas,
  },
  'TOML with sections': {
    file: 'sections.toml',
    part: (n) =>
      `[${key(n)}]\nreplicas = 2 # raised\nports = [80, 443]\n\n[${key(n)}.env]\nLEVEL = "info"\n\n`,
    path: replicas,
  },
  'TOML with dotted keys': {
    file: 'dotted.toml',
    part: (n) => `${key(n)}.replicas = 2\n${key(n)}.image.name = "a"\n${key(n)}.image.tag = "b"\n`,
    path: replicas,
  },
  'TOML with an array of tables': {
    file: 'array.toml',
    part: (n) => `[[services]]\nname = "${key(n)}"\nreplicas = 2\n\n[services.env]\nLEVEL = "info"\n\n`,
    path: (n) => `services[${n}].replicas`,
  },
  'YAML with CRLF': { ...VALUES, file: 'crlf.yaml', isCrlf: true },
  'JSON with CRLF': { ...JSON_OBJECT, file: 'crlf.json', isCrlf: true },
};

type Ask = (file: string, paths: readonly string[]) => readonly [string, Record<string, unknown>];

/** The jobs, in calls that ask for the same whatever the size of the file. */
const JOBS: Readonly<Record<Job, Ask>> = {
  read: (file, paths) => ['config_get', { file, path: paths[5] }],
  set: (file, [path]) => ['config_set', { file, path, value: '7' }],
  'ten edits': (file, paths) => [
    'config_edit',
    { edits: paths.map((path, n) => ({ op: 'set', file, path, value: `${n + 10}` })) },
  ],
  search: (file) => ['config_search', { pattern: file, key: 'replicas', where: '>7' }],
  validate: (file) => ['config_validate', { pattern: file }],
};

export const JOB_NAMES = ['read', 'set', 'ten edits', 'search', 'validate'] as const;
type Job = (typeof JOB_NAMES)[number];

let versions = 0;

/**
 * The least CPU time of several runs of the job, in milliseconds, each on a file that was never read before.
 */
export async function cpuOf(
  server: RunningServer,
  [kind, job, lines]: readonly [string, Job, number],
  runs: number,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const { file, paths } = write(server.root, kind, lines);
    const [tool, args] = JOBS[job](file, paths);
    const before = process.cpuUsage();
    const { isError, text } = await server.callTool(tool, args);
    const { user, system } = process.cpuUsage(before);
    if (isError) throw new Error(`${job} of ${kind}, ${lines} lines: ${text}`);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function write(root: string, name: string, lines: number) {
  const kind = KINDS[name];
  if (kind === undefined) throw new Error(`no kind ${name}`);
  const { file, head = '', part, tail = '', path, isCrlf = false } = kind;
  const count = Math.ceil(lines / (part(0).split('\n').length - 1));
  // Its own size, so that nothing of it is kept from before.
  const last = '\n'.repeat((versions++ % 500) + 1);
  const text = head + Array.from({ length: count }, (_, n) => part(n)).join('') + tail + last;
  writeFileSync(join(root, file), isCrlf ? text.replaceAll('\n', '\r\n') : text);
  const paths = Array.from({ length: 10 }, (_, n) => path(Math.floor((n * (count - 1)) / 9)));
  return { file, paths };
}

/** Lets large files through, so that only the machine bounds them. */
export const NO_LIMITS = ['--max-parsed-size', '50mb', '--max-file-size', '50mb', '--max-tokens', '10000000']
  .concat(['--max-aliases', '1000000', '--max-parse-ms', '60000', '--max-step-ms', '60000'])
  .concat(['--max-call-ms', '600000', '--log-level', 'error']);
