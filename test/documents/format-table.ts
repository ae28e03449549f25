// The table of docs/formats.md: what each format can do, as the server does it on a small file of that format.
import { z } from 'zod';
import { FORMAT_FILES } from '../../src/adapters/formats/extensions.ts';
import { FORMATS } from '../../src/adapters/formats/registry.ts';
import { type RunningServer, startServer } from '../harness/start-server.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { table } from './tables.ts';

/** A file of each format, with the same data where it has keys. */
const SAMPLES: Readonly<Record<string, { readonly file: string; readonly text: string }>> = {
  yaml: { file: 'a.yaml', text: '# top\na: one\nlist:\n  - x\nb: 2\n' },
  json: { file: 'a.json', text: '{\n  "a": "one",\n  "list": ["x"],\n  "b": 2\n}\n' },
  jsonc: { file: 'a.jsonc', text: '{\n  // top\n  "a": "one",\n  "list": ["x"],\n  "b": 2,\n}\n' },
  toml: { file: 'a.toml', text: '# top\na = "one"\nlist = ["x"]\nb = 2\n' },
  template: {
    file: 'b.yaml',
    text: '# top\na: one\nlist:\n  - x\n{{- if .Values.b }}\nb: {{ .Values.b }}\n{{- end }}\n',
  },
  text: { file: 'a.conf', text: 'a one;\nlist x;\n' },
};

const VALUE = { json: 'new' };

/** By what the table calls it: what an agent sends. */
const PROBES: readonly (readonly [
  name: string,
  tool: 'config_get' | 'config_search' | 'edit',
  args: object,
])[] = [
  ['read a node', 'config_get', { path: 'list[0]' }],
  ['search by key', 'config_search', { key: 'a' }],
  ['`set`', 'edit', { op: 'set', path: 'a', ...VALUE }],
  ['`merge`', 'edit', { op: 'merge', path: '', json: { c: { d: 1 } } }],
  ['`delete`', 'edit', { op: 'delete', path: 'a' }],
  ['`append`', 'edit', { op: 'append', path: 'list', ...VALUE }],
  ['`insert`', 'edit', { op: 'insert', path: '', key: 'c', before: 'b', ...VALUE }],
  ['`rename`', 'edit', { op: 'rename', path: 'a', new_key: 'c' }],
  ['`move`', 'edit', { op: 'move', path: 'a', to: '', after: 'b' }],
  ['`copy`', 'edit', { op: 'copy', path: 'a', to: '', key: 'c' }],
  ['`comment`', 'edit', { op: 'comment', path: 'b', comment: 'why' }],
  ['null as a value', 'edit', { op: 'set', path: 'a', json: null }],
  ['`replace_text` in a value', 'edit', { op: 'replace_text', path: 'a', old_text: 'one', new_text: 'two' }],
  ['`add_document`', 'edit', { op: 'add_document', json: { a: 1 } }],
  ['`replace_text` in the file', 'edit', { op: 'replace_text', old_text: 'one', new_text: 'two' }],
  ['`create_file`', 'edit', { op: 'create_file' }],
  ['`delete_file`', 'edit', { op: 'delete_file' }],
];

const Refused = z.object({ error: z.object({ code: z.string() }) });

export async function formatTable(): Promise<string> {
  const names = [...FORMAT_FILES.map(({ name }) => name), 'text'] as const;
  const samples = names.map((name) => {
    const sample = SAMPLES[name];
    if (sample === undefined) throw new Error(`${name} needs a sample for the table of formats`);
    return sample;
  });
  const root = tempRoot(Object.fromEntries(samples.map(({ file, text }) => [file, text])));
  const server = await startServer({ root: root.dir, flags: ['--allow', '**'] });
  try {
    const rows: string[][] = [];
    for (const [name, tool, args] of PROBES) {
      const cells: string[] = [];
      for (const sample of samples) cells.push(await answer(server, tool, args, sample));
      rows.push([name, ...cells]);
    }
    const readers = names.map((name) =>
      name === 'text' ? '' : FORMATS[name].reference === undefined ? '' : 'yes',
    );
    return table(
      ['', ...names.map((name) => FORMATS[name].name)],
      [...rows, ['another reader with `--verify full`', ...readers]],
    );
  } finally {
    await server.close();
    root.remove();
  }
}

/** The files of each format, as its line of the registry names them. */
export function fileTable(): string {
  const rows = FORMAT_FILES.map(({ name, files }) => [
    FORMATS[name].name,
    files.map((file) => `\`${file}\``).join(' '),
  ]);
  return table(['format', 'files'], rows);
}

async function answer(
  server: RunningServer,
  tool: (typeof PROBES)[number][1],
  args: object,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<string> {
  const isNew = 'op' in args && args.op === 'create_file';
  const edit = { ...args, file: isNew ? `new-${file}` : file, ...(isNew ? { content: text } : {}) };
  const call =
    tool === 'edit'
      ? server.callTool('config_edit', { edits: [edit] })
      : server.callTool(tool, tool === 'config_get' ? { ...args, file } : { ...args, pattern: file });
  const { data } = await call;
  const refused = Refused.safeParse(data);
  if (refused.success) return `\`${refused.data.error.code}\``;
  const isNothing = z.object({ matches: z.array(z.string()).length(0) }).safeParse(data).success;
  return isNothing ? 'finds nothing' : 'yes';
}
