// Every way in which an agent can name a file, taken from tools/list: a tool that comes later is attacked
// without being written down here, but for the least that it needs besides a file.
import type { ListedTool } from '../../harness/clients.ts';
import type { RunningServer } from '../../harness/start-server.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The least that each tool needs besides a path; several where a tool takes paths in several places. */
const LEAST: Readonly<Record<string, readonly ((file: string) => Arguments)[]>> = {
  config_list: [(file) => ({ cursor: file })],
  config_get: [(file) => ({ file }), (file) => ({ file, view: 'outline' })],
  // Its cursor counts files, and names none.
  config_search: [],
  config_diff: [(file) => ({ a: { file }, b: { file: 'ok.yaml' } })],
  config_history: [(file) => ({ file })],
  config_validate: [(file) => ({ file }), (file) => ({ file: 'ok.yaml', schema: file })],
  config_set: [(file) => ({ file, path: 'a', value: '2' })],
  config_edit: [
    (file) => ({ edits: [{ op: 'set', file, path: 'a', value: '2' }] }),
    // The first file is fine: nothing may be written to it either.
    (file) => ({ edits: [set('ok.yaml'), set(file)] }),
  ],
};

const set = (file: string): Arguments => ({ op: 'set', file, path: 'a', value: '3' });

export interface Way {
  /** `config_set write`: for the messages of a failed test. */
  readonly name: string;
  readonly tool: string;
  readonly kind: 'read' | 'preview' | 'write' | 'cursor';
  arguments(file: string): Arguments;
}

/** The arguments in which a path can stand. */
const PATH_ARGUMENTS = /"(?:file|schema|cursor)":\{/u;

/** Throws for a tool that takes a path and is not known here: it must not go without attacks. */
function waysIn(tools: readonly ListedTool[]): readonly Way[] {
  return tools.flatMap((tool) => {
    const schema = JSON.stringify(tool.inputSchema['properties'] ?? {});
    if (!PATH_ARGUMENTS.test(schema)) return [];
    const least = LEAST[tool.name];
    if (least === undefined) throw new Error(`${tool.name} takes a path: say in ways.ts what else it needs`);
    return least.flatMap((make) => waysOf(tool, make, schema.includes('"dry_run":')));
  });
}

function waysOf({ name }: ListedTool, make: (file: string) => Arguments, writes: boolean): readonly Way[] {
  // A cursor is a path that a page ended with: it says where to go on, and nothing has to stand there. That of a history may
  // have been removed since.
  if ('cursor' in make('') || name === 'config_history')
    return [{ name: `${name} cursor`, tool: name, kind: 'cursor', arguments: make }];
  if (!writes) return [{ name, tool: name, kind: 'read', arguments: make }];
  return (['preview', 'write'] as const).map((kind) => ({
    name: `${name} ${kind}`,
    tool: name,
    kind,
    arguments: (file) => ({ ...make(file), dry_run: kind === 'preview' }),
  }));
}

export async function allWays(server: RunningServer): Promise<readonly Way[]> {
  const ways = waysIn(await server.listTools());
  const kinds = new Set(ways.map(({ kind }) => kind));
  if (kinds.size !== 4) throw new Error('the tools must offer every kind of way, or nothing is attacked');
  return ways;
}
