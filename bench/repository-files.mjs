// A whole repository of configuration, the same for everybody: 3,000 files and 60 MB in folders of services, mostly valid.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sample } from './corpus.mjs';

export const FILES = 3_000;
/** Most files are small, as in real repositories, and a few make most of the bytes. */
const SIZES = [2e3, 4e3, 8e3, 8e3, 12e3, 16e3, 20e3, 30e3, 40e3, 60e3];
/** As in repositories of teams that run services: mostly YAML, a third of it templates. */
const KINDS = [
  'values',
  'template',
  'list',
  'crd',
  'template',
  'values',
  'list',
  'jsonc',
  'template',
  'values',
  'toml',
  'list',
];
const EXTENSIONS = { jsonc: 'jsonc', toml: 'toml' };

/** What a person would search for: it stands in one file of a hundred. */
export const RARE = 'eu-rare-region';

/** Writes them below `root`; answers how many bytes they have in all. */
export function writeRepository(root, files = FILES) {
  const texts = new Map();
  let bytes = 0;
  for (let n = 0; n < files; n++) {
    const kind = KINDS[n % KINDS.length];
    const size = kind === 'toml' ? 3e3 : SIZES[Math.floor(n / KINDS.length) % SIZES.length];
    const key = `${kind} ${size}`;
    if (!texts.has(key)) texts.set(key, sample(kind, size));
    const { text, comment } = texts.get(key);
    const whole = `${comment} File ${n} of team ${n % 30}.\n${text}${ending(n, kind, comment)}`;
    const file = join(
      root,
      `team-${n % 30}`,
      `app-${Math.floor(n / 300)}`,
      `${kind}-${n}.${EXTENSIONS[kind] ?? 'yaml'}`,
    );
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, whole);
    bytes += Buffer.byteLength(whole);
  }
  return bytes;
}

/** In one YAML file of ten a password; in one of fifteen an error of syntax, as in templates that no reader of YAML takes. */
function ending(n, kind, comment) {
  if (n % 100 === 2) return `${comment} ${RARE}\n`;
  if (kind !== 'values' && kind !== 'template') return '';
  if (n % 5 === 0) return `database:\n  password: "s3cr3t-of-${n}-Xk29"\n`;
  return n % 12 === 1 && n % 3 === 1 ? `{{- range $x := .Values.list }}\n  - {{ $x }}: [\n {{- end }}\n` : '';
}

export const OLD_ACTION = 'actions/checkout@v3';
export const NEW_ACTION = 'actions/checkout@v4';

/** Workflows of 4 KB, in each of which one line has the old version of an action. */
export function writeWorkflows(root, count) {
  const rest = Array.from(
    { length: 40 },
    (_, n) => `  job${n}:\n    needs: build\n    env: { N: ${n} }\n    runs-on: ubuntu-latest\n`,
  );
  for (let n = 0; n < count; n++) {
    const folder = join(root, `service-${n % 50}`);
    mkdirSync(folder, { recursive: true });
    const steps = `    steps:\n      - uses: ${OLD_ACTION}\n      - name: test\n        run: |\n          npm ci\n          npm test ${n}\n`;
    const head = `# Workflow ${n}\nname: w${n}\non: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n`;
    writeFileSync(join(folder, `w${n}.yaml`), head + steps + rest.join(''));
  }
}
