// The import table: which room may know which, and which file may reach for what outside of the
// project. A pure function of sources and table, so that the test can show it faults.
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { type Facts, factsOf } from './facts.ts';

interface Room {
  readonly name: string;
  /** Files, and folders that end in a slash. */
  readonly holds: readonly string[];
  /** The one file through which other rooms may enter. */
  readonly door: string;
}

interface Allowance {
  /** One file, or a folder that ends in a slash. */
  readonly where: string;
  /** A package, a built-in module as written, or a global such as `process.env`. */
  readonly what: string;
  readonly why: string;
}

export interface Table {
  /** Left to right; imports point right only. */
  readonly rooms: readonly Room[];
  /** Modules and globals without power that any file may use. */
  readonly harmless: readonly string[];
  readonly allowances: readonly Allowance[];
}

/** File (posix, relative to the project) → source text. */
export type Sources = ReadonlyMap<string, string>;

const LONGEST_FILE_LINES = 250;

/** One line for each breach, naming file and line; empty when the sources keep the table. */
export function roomViolations(sources: Sources, table: Table): readonly string[] {
  const used = new Set<Allowance>();
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
  for (const allowance of table.allowances) {
    if (!used.has(allowance))
      breaches.push(`nobody uses the allowance of ${allowance.what} in ${allowance.where}`);
  }
  return breaches;
}

function shapeBreaches(file: string, text: string, facts: Facts): readonly string[] {
  const breaches = facts.syntaxErrors.map((message) => `${file} does not parse: ${message}`);
  const lines = text.split('\n');
  const length = lines.length - (text.endsWith('\n') ? 1 : 0);
  if (length > LONGEST_FILE_LINES)
    breaches.push(`${file} has ${length} lines, ${LONGEST_FILE_LINES} are allowed`);
  const first = lines[0]?.startsWith('#!') ? lines[1] : lines[0];
  if (!/^\/[/*]\s*\S/.test(first ?? ''))
    breaches.push(`${file} does not begin with a comment on what it promises`);
  for (const { name, line } of facts.casts)
    breaches.push(`${file}:${line} tells the compiler instead of proving: ${name}`);
  return breaches;
}

function importBreaches(
  file: string,
  facts: Facts,
  sources: Sources,
  table: Table,
  used: Set<Allowance>,
): readonly string[] {
  const breaches: string[] = [];
  if (roomIndex(file, table) === -1) breaches.push(`${file} stands in no room`);
  for (const { specifier, line } of facts.imports) {
    const at = `${file}:${line}`;
    if (specifier === undefined) {
      breaches.push(`${at} imports what is only known at run time`);
    } else if (specifier.startsWith('.')) {
      const reason = insideBreach(file, specifier, sources, table);
      if (reason !== undefined) breaches.push(`${at} ${reason}`);
    } else if (isBuiltin(specifier) && !specifier.startsWith('node:')) {
      breaches.push(`${at} imports ${specifier} without node:`);
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
  if (!sources.has(target)) return `imports ${target}, which is not one of our sources`;
  const from = roomIndex(file, table);
  const to = roomIndex(target, table);
  const room = table.rooms[to];
  if (from === to || room === undefined) return undefined;
  if (to < from) return `points left: ${table.rooms[from]?.name} may not know ${room.name}`;
  return target === room.door ? undefined : `enters ${room.name} through ${target}, not through ${room.door}`;
}

function roomIndex(file: string, table: Table): number {
  return table.rooms.findIndex((room) => room.holds.some((place) => covers(place, file)));
}

function isAllowed(file: string, what: string, table: Table, used: Set<Allowance>): boolean {
  const found = table.allowances.filter(
    (allowance) => allowance.what === what && covers(allowance.where, file),
  );
  for (const allowance of found) used.add(allowance);
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
