// The laws that every list of tools must keep. Pure: the list, and a way to ask which files exist.
import { z } from 'zod';

/** The public names in the public order. A new name is a new contract: it is added here and in the design. */
const CONTRACT: readonly string[] = [
  'config_list',
  'config_get',
  'config_search',
  'config_diff',
  'config_validate',
  'config_set',
  'config_edit',
  'config_apply',
  'config_revert',
  'config_history',
  'explain_error',
  'list_capabilities',
];

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** What a registry entry claims to be; the laws check it at run time, so a faulty one can be shown to them. */
export interface Entry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly hints: Readonly<Partial<Record<(typeof HINTS)[number], unknown>>>;
  readonly run?: unknown;
}

/** File (posix, relative to the project) → source text, of the tools and of their tests. */
type Files = ReadonlyMap<string, string>;

/** One line for each breach; empty when the registry keeps the laws. */
export function registryViolations(tools: readonly Entry[], files: Files): readonly string[] {
  const breaches = tools.flatMap((entry) =>
    entryBreaches(entry, files).map((reason) => `${entry.name}: ${reason}`),
  );
  const names = tools.map((entry) => entry.name);
  if (tools.length === 0) breaches.push('the registry is empty');
  if (tools.length > 12) breaches.push(`${tools.length} tools, 12 are allowed`);
  const inOrder = CONTRACT.filter((name) => names.includes(name));
  if (names.join() !== inOrder.join()) {
    breaches.push(`the order is ${names.join(' ')}, the contract says ${inOrder.join(' ')}`);
  }
  return [...breaches, ...forgotten(names, files)];
}

function entryBreaches(entry: Entry, files: Files): readonly string[] {
  const breaches: string[] = [];
  const stem = entry.name.replaceAll('_', '-');
  const source = files.get(`src/tools/${stem}.ts`);
  if (!CONTRACT.includes(entry.name)) breaches.push('is no name of the contract');
  if (source === undefined) breaches.push(`has no file src/tools/${stem}.ts`);
  else if (!source.includes(`name: '${entry.name}'`))
    breaches.push(`src/tools/${stem}.ts defines another tool`);
  if (!files.has(`test/tools/${stem}.test.ts`)) breaches.push(`has no test test/tools/${stem}.test.ts`);
  if (entry.title.trim() === '') breaches.push('has no title');
  if (entry.description.trim() === '') breaches.push('has no description');
  for (const hint of HINTS) {
    if (typeof entry.hints[hint] !== 'boolean') breaches.push(`does not say its ${hint}`);
  }
  if (entry.hints.openWorldHint !== false) breaches.push('reaches out of the root');
  if (entry.hints.readOnlyHint === true && entry.hints.destructiveHint === true) {
    breaches.push('claims to be read-only and destructive');
  }
  if (typeof entry.run !== 'function') breaches.push('cannot run');
  if (!(entry.input instanceof z.ZodObject)) breaches.push('its input is no object');
  else
    breaches.push(
      ...looseObjects(z.toJSONSchema(entry.input, { io: 'input', unrepresentable: 'any' }), 'input'),
    );
  return breaches;
}

/** Objects of a JSON schema that let unknown fields pass: a misspelt `dry_run` must not vanish. */
function looseObjects(schema: unknown, at: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isLoose = 'properties' in schema && Reflect.get(schema, 'additionalProperties') !== false;
  return [
    ...(isLoose ? [`${at} lets unknown fields pass`] : []),
    ...Object.entries(schema).flatMap(([key, value]) => looseObjects(value, `${at}.${key}`)),
  ];
}

/** A tool that was written and never listed, or whose listing was lost in a merge. */
function forgotten(names: readonly string[], files: Files): readonly string[] {
  return [...files].flatMap(([file, text]) => {
    const definition = /^src\/tools\/[^/]+\.ts$/.test(file)
      ? /\btool\(\{\s*name: '([a-z_]+)'/.exec(text)
      : null;
    const name = definition?.[1];
    return name === undefined || names.includes(name)
      ? []
      : [`${file} defines ${name}, which the registry does not list`];
  });
}
