// The import table: which layer and which folder may import which, and which file may use what is outside of the
// project. A pure function of sources and table, so that the test can show it faults.
import { posix } from 'node:path';
import { type Facts, factsOf } from './facts.ts';

export interface Layer {
  readonly name: string;
  /** Files, and folders that end in a slash. */
  readonly holds: readonly string[];
  /** The one file that other layers may import. It may import every folder of its own layer. */
  readonly entryPoint: string;
  /** The folders below the last of what it holds; each may import those behind it. '.' stands for the files beside them. */
  readonly folders?: readonly string[];
}

/**
 * One file, or a folder that ends in a slash → a package, a built-in module as written, or a global such as
 * `process.env` → why.
 */
type Allowances = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Table {
  /** Left to right; imports point right only. */
  readonly layers: readonly Layer[];
  /** Modules and globals without power that any file may use. */
  readonly harmless: readonly string[];
  readonly allowances: Allowances;
}

/** File (posix, relative to the project) → source text. */
export type Sources = ReadonlyMap<string, string>;

/** One line for each breach, naming file and line; empty when the sources keep the table. */
export function layerViolations(sources: Sources, table: Table): readonly string[] {
  const used = new Set<string>();
  const breaches: string[] = [];
  for (const [file, text] of sources) {
    const facts = factsOf(file, text);
    breaches.push(...shapeBreaches(file, text, facts));
    breaches.push(...importBreaches(file, facts, sources, table, used));
    for (const { name, line } of facts.uses) {
      if (!table.harmless.includes(name) && !isAllowed(file, name, table, used))
        breaches.push(`${file}:${line} may not use ${name}`);
    }
  }
  for (const [where, allowed] of Object.entries(table.allowances)) {
    const unused = Object.keys(allowed).filter((what) => !used.has(`${what} in ${where}`));
    breaches.push(...unused.map((what) => `nobody uses the allowance of ${what} in ${where}`));
  }
  return breaches;
}

function shapeBreaches(file: string, text: string, facts: Facts): readonly string[] {
  const breaches = facts.syntaxErrors.map((message) => `${file} does not parse: ${message}`);
  const [first = '', second] = text.split('\n', 2);
  if (!/^\/[/*]\s*\S/.test((first.startsWith('#!') ? second : first) ?? ''))
    breaches.push(`${file} does not begin with a comment on what it promises`);
  return breaches;
}

function importBreaches(
  file: string,
  facts: Facts,
  sources: Sources,
  table: Table,
  used: Set<string>,
): readonly string[] {
  const breaches: string[] = [];
  if (layerIndex(file, table) === -1) breaches.push(`${file} belongs to no layer`);
  for (const { specifier, isTypeInPlace, line } of facts.imports) {
    const at = `${file}:${line}`;
    if (specifier === undefined) {
      breaches.push(`${at} imports what is only known at run time`);
    } else if (specifier.startsWith('.')) {
      // Biome looks for cycles, and overlooks these.
      if (isTypeInPlace) breaches.push(`${at} imports a type in place`);
      const reason = insideBreach(file, specifier, sources, table);
      if (reason !== undefined) breaches.push(`${at} ${reason}`);
    } else if (!table.harmless.includes(specifier) && !isAllowed(file, packageOf(specifier), table, used)) {
      breaches.push(`${at} may not import ${specifier}`);
    }
  }
  return breaches;
}

/** Why an import of one of our own files is wrong; undefined when it is right. */
function insideBreach(file: string, specifier: string, sources: Sources, table: Table): string | undefined {
  // A worker is named by what it is built to.
  const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
  if (target === file) return 'imports itself';
  if (!sources.has(target)) return `imports ${target}, which is not one of our sources`;
  const from = layerIndex(file, table);
  const to = layerIndex(target, table);
  const layer = table.layers[to];
  if (layer === undefined) return undefined;
  if (from === to) return folderBreach(file, target, layer);
  if (to < from) return `points left: ${table.layers[from]?.name} may not import ${layer.name}`;
  return target === layer.entryPoint
    ? undefined
    : `imports ${target}, and not ${layer.entryPoint}, the entry point of ${layer.name}`;
}

function folderBreach(file: string, target: string, layer: Layer): string | undefined {
  if (file === layer.entryPoint) return undefined;
  if (target === layer.entryPoint) return 'imports the entry point of its own layer';
  const [from, to] = [folderIndex(file, layer), folderIndex(target, layer)];
  if (from === -1 || to === -1)
    return `the table of ${layer.name} lacks the folder of this file or of ${target}`;
  return to < from ? `points left: imports ${target}` : undefined;
}

/** The longest folder of the table that holds the file. */
function folderIndex(file: string, { holds, folders = ['.'] }: Layer): number {
  const rest = posix.relative(holds.at(-1) ?? '', posix.dirname(file)) || '.';
  const holding = folders.filter((folder) => rest === folder || rest.startsWith(`${folder}/`));
  return folders.indexOf(holding.sort((a, b) => b.length - a.length)[0] ?? '');
}

function layerIndex(file: string, table: Table): number {
  return table.layers.findIndex((layer) => layer.holds.some((place) => covers(place, file)));
}

function isAllowed(file: string, what: string, table: Table, used: Set<string>): boolean {
  const found = Object.entries(table.allowances).filter(
    ([where, allowed]) => what in allowed && covers(where, file),
  );
  for (const [where] of found) used.add(`${what} in ${where}`);
  return found.length > 0;
}

function covers(place: string, file: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : file === place;
}

/** 'zod/v4' → 'zod', '@scope/name/sub' → '@scope/name'; built-in modules stay as written. */
function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
