// A person at a pseudo-terminal approves a part of what an agent proposed in a template, in JSON with comments and in TOML;
// applied is that part, to the byte.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENTER, HAS_TERMINAL } from '../harness/terminal.ts';
import { ownToolServer } from '../harness/tool-server.ts';
import { PASSPHRASE, shop } from './shop.ts';

interface Row {
  readonly file: string;
  readonly before: string;
  readonly edits: readonly object[];
  /** What each part shows, and the answer to it. */
  readonly parts: readonly (readonly [shown: string, answer: 'y' | 'n'])[];
  readonly after: string;
}

const TEMPLATE = `kind: Deployment
metadata:
  labels:
    {{- include "web.labels" . | nindent 4 }}
spec:
  {{- if .Values.fixed }}
  replicas: 2
  {{- end }}
  paused: false
`;
const TSCONFIG = `{
  // Ours.
  "compilerOptions": {
    "strict": false, // later
    "target": "ES2020",
  },
}
`;
const PYPROJECT = `[project] # ours
name = "shop"
dependencies = ["a"] # few

[tool.ruff]
line-length = 100
`;

const ROWS: readonly Row[] = [
  {
    file: 'web.yaml',
    before: TEMPLATE,
    edits: [
      { op: 'set', path: 'spec.replicas', json: 3 },
      { op: 'set', path: 'spec.paused', json: true },
      { op: 'set', path: 'metadata.labels.team', value: '{{ .Values.team | quote }}' },
    ],
    parts: [
      ['+    team: {{ .Values.team | quote }}', 'y'],
      ['+  replicas: 3', 'y'],
      ['+  paused: true', 'n'],
    ],
    after: TEMPLATE.replace('4 }}\n', '4 }}\n    team: {{ .Values.team | quote }}\n').replace(
      'replicas: 2',
      'replicas: 3',
    ),
  },
  {
    file: 'tsconfig.json',
    before: TSCONFIG,
    edits: [
      { op: 'set', path: 'compilerOptions.strict', json: true },
      { op: 'set', path: 'compilerOptions.target', json: 'ES2022' },
    ],
    parts: [
      ['+    "strict": true, // later', 'n'],
      ['+    "target": "ES2022",', 'y'],
    ],
    after: TSCONFIG.replace('ES2020', 'ES2022'),
  },
  {
    file: 'pyproject.toml',
    before: PYPROJECT,
    edits: [
      { op: 'append', path: 'project.dependencies', json: 'b' },
      { op: 'set', path: 'tool.ruff.line-length', json: 120 },
    ],
    parts: [
      ['+dependencies = ["a", "b"] # few', 'y'],
      ['+line-length = 120', 'n'],
    ],
    after: PYPROJECT.replace('["a"]', '["a", "b"]'),
  },
];

describe.skipIf(!HAS_TERMINAL)('review, at a terminal', () => {
  it.each(ROWS)('approves a part of a change of $file', async ({ file, before, edits, parts, after }) => {
    const here = shop();
    writeFileSync(join(here.root, file), before);
    const server = await ownToolServer({
      root: here.root,
      state: here.stateDir,
      flags: here.flags.slice(4),
    });
    await server.ok('config_edit', { edits: edits.map((edit) => ({ file, ...edit })), dry_run: true });
    const screen = here.at(['review', '--no-color'], { rows: 80 });
    await screen.sees(file);
    await screen.sees('[q]uit ?');
    screen.types(`p${ENTER}`);
    for (const [shown, answer] of parts) {
      await screen.sees(shown);
      await screen.sees('Select this part');
      screen.types(answer + ENTER);
    }
    await screen.sees('You selected:');
    for (const [shown, answer] of parts) if (answer === 'y') await screen.sees(shown);
    await screen.sees('Type yes');
    screen.types(`yes${ENTER}`);
    await screen.sees('Passphrase');
    screen.types(PASSPHRASE + ENTER);
    await screen.sees('Approved in part, as preview ');
    expect(await screen.ends()).toEqual({ status: 0, isSane: true });
    const [, id] = /in part, as preview (pv_\w+)/.exec(screen.text()) ?? [];
    await server.ok('config_apply', { preview_id: id });
    expect(readFileSync(join(here.root, file), 'utf8')).toBe(after);
  });
});
