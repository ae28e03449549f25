// Every way in which an agent can name a file, taken from tools/list: a tool that comes later is attacked
// without being written down here, but for the least that it needs besides a file.
import type { ListedTool, RunningServer } from '../../harness/start-server.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The least that each tool needs besides a file; several where a tool reads in several ways. */
const LEAST: Readonly<Record<string, readonly ((file: string) => Arguments)[]>> = {
  config_get: [(file) => ({ file }), (file) => ({ file, view: 'outline' })],
  config_set: [(file) => ({ file, path: 'a', value: '2' })],
  config_validate: [(file) => ({ file })],
  config_edit: [(file) => ({ edits: [{ op: 'set', file, path: 'a', value: '2' }] })],
  config_search: [(file) => ({ file, key: 'a' })],
};

export interface Way {
  /** `config_set write`: for the messages of a failed test. */
  readonly name: string;
  readonly tool: string;
  readonly kind: 'read' | 'preview' | 'write' | 'cursor';
  arguments(file: string): Arguments;
}

/** Throws for a tool that takes a file and is not known here: it must not go without attacks. */
export function waysIn(tools: readonly ListedTool[]): readonly Way[] {
  return tools.flatMap((tool) => {
    const schema = JSON.stringify(tool.inputSchema['properties'] ?? {});
    if (schema.includes('"cursor":')) return [cursorOf(tool)];
    if (!schema.includes('"file":')) return [];
    const least = LEAST[tool.name];
    if (least === undefined) throw new Error(`${tool.name} takes a file: say in ways.ts what else it needs`);
    return least.flatMap((make) => waysOf(tool, make, schema.includes('"dry_run":')));
  });
}

function waysOf({ name }: ListedTool, make: (file: string) => Arguments, writes: boolean): readonly Way[] {
  if (!writes) return [{ name, tool: name, kind: 'read', arguments: make }];
  return [
    {
      name: `${name} preview`,
      tool: name,
      kind: 'preview',
      arguments: (file) => ({ ...make(file), dry_run: true }),
    },
    {
      name: `${name} write`,
      tool: name,
      kind: 'write',
      arguments: (file) => ({ ...make(file), dry_run: false }),
    },
  ];
}

/** A cursor is a path that a page ended with: it says where to go on, and must not say anything else. */
function cursorOf({ name }: ListedTool): Way {
  return {
    name: `${name} cursor`,
    tool: name,
    kind: 'cursor',
    arguments: (file) => ({ cursor: file }),
  };
}

export async function allWays(server: RunningServer): Promise<readonly Way[]> {
  const ways = waysIn(await server.listTools());
  const kinds = new Set(ways.map(({ kind }) => kind));
  if (kinds.size !== 4) throw new Error('the tools must offer every kind of way, or nothing is attacked');
  return ways;
}
