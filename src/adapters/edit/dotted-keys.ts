// Edits dotted keys within braces of TOML, as in `{ version.ref = "r" }`: they make a mapping without braces, whose parts are
// statements of the braces around it.
import { type Edit, Refusal } from '../../security/index.ts';
import type { Located, Step } from '../tree/locate.ts';
import {
  type Collection,
  type Entry,
  isFlowCollection,
  type MappingNode,
  type Span,
  type SpanNode,
} from '../tree/span-tree.ts';
import type { PlanContext } from './intent.ts';

/** A statement `key.key = value` within braces: it spans from the first key, and `entry` is the entry of its last key. */
interface Statement extends Entry {
  readonly entry: Entry;
}

/** Whether the mapping is made of dotted keys (TOML only: in YAML such a mapping is a single `a: b` within brackets). */
export function isDotted(
  { format }: Pick<PlanContext, 'format'>,
  node: SpanNode,
): node is MappingNode & { readonly style: 'pair' } {
  return format.layout === 'sections' && node.kind === 'mapping' && node.style === 'pair';
}

/** The mapping in braces that the last step stands in. */
export function bracesOf(steps: readonly Step[]): MappingNode {
  const braces = steps.findLast(({ container }) => isFlowCollection(container))?.container;
  if (braces?.kind !== 'mapping') throw new Error('dotted keys within braces stand in braces');
  return braces;
}

/** Returns all the statements between the commas of the braces, in source order. */
function statementsIn(text: string, braces: MappingNode): readonly Statement[] {
  const statements: Statement[] = [];
  const collect = (node: MappingNode, depth: number): void => {
    for (const entry of node.entries)
      if (entry.value.kind === 'mapping' && entry.value.style === 'pair') collect(entry.value, depth + 1);
      else statements.push({ ...entry, start: dottedStart(text, entry.start, depth), entry });
  };
  collect(braces, 0);
  return statements.sort((a, b) => a.start - b.start);
}

/** Returns the offset before the `depth` keys and dots that stand in front of `at`. */
function dottedStart(text: string, at: number, depth: number): number {
  let start = at;
  for (let left = depth; left > 0; left--) {
    const key = /(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)[ \t]*\.[ \t]*$/.exec(
      text.slice(Math.max(start - MAX_KEY_CHARS, 0), start),
    );
    start -= key?.[0].length ?? 0;
  }
  return start;
}

const MAX_KEY_CHARS = 2_000;

/** The statements that make the entry, as one part that stands between two others. Throws TYPE_MISMATCH where others stand between them. */
export function statementsOf(text: string, braces: MappingNode, entry: Entry) {
  const all = statementsIn(text, braces);
  const isOwn = ({ entry: one }: Statement): boolean => isWithin(entry, one);
  const [from, to] = [all.findIndex(isOwn), all.findLastIndex(isOwn)];
  const [first, last] = [all[from], all[to]];
  if (first === undefined || last === undefined || !all.slice(from, to + 1).every(isOwn)) throw scattered();
  return {
    part: { ...entry, start: first.start, end: last.end },
    previous: all[from - 1],
    next: all[to + 1],
  };
}

function isWithin(entry: Entry, one: Entry): boolean {
  const { value } = entry;
  if (entry === one) return true;
  return (
    value.kind === 'mapping' && value.style === 'pair' && value.entries.some((inner) => isWithin(inner, one))
  );
}

/** Replaces what dotted keys make: the edit writes `key = value` in their place. */
export function replaceDotted(context: PlanContext, located: Located, value: string): readonly Edit[] {
  const entry = entryOf(located);
  const { part } = statementsOf(context.stream.text, bracesOf(located.steps), entry);
  return [{ start: entry.key.end, end: part.end, insert: ` = ${value}` }];
}

/** Adds a statement behind the last one of the mapping at `located`. `piece` does not hold the keys that lead to the mapping. */
export function insertDotted(
  { stream: { text } }: PlanContext,
  { node, steps }: Located,
  piece: string,
): readonly Edit[] {
  const own = statementsIn(text, bracesOf(steps)).filter(({ entry }) => isBelow(node, entry));
  const direct = own.findLast(({ entry }) => node.kind === 'mapping' && node.entries.includes(entry));
  const last = own.at(-1);
  if (direct === undefined || last === undefined) throw scattered();
  const lead = text.slice(direct.start, direct.entry.start);
  return [{ start: last.end, end: last.end, insert: `, ${lead}${piece}` }];
}

function isBelow(node: SpanNode, one: Entry): boolean {
  return node.kind === 'mapping' && node.entries.some((entry) => isWithin(entry, one));
}

function entryOf({ steps }: Located): Entry {
  const step = steps.at(-1);
  if (step?.kind !== 'entry') throw new Error('dotted keys lead to an entry');
  return step.part;
}

/** Throws TYPE_MISMATCH where the entry at `located` is written in more than one statement. */
export function requireOneStatement(text: string, located: Located, action: string): void {
  const entry = entryOf(located);
  const own = statementsIn(text, bracesOf(located.steps)).filter((one) => isWithin(entry, one.entry));
  if (own.length > 1) throw scattered(action);
}

/** The refusal for a mapping of dotted keys, which has no braces of its own to change. */
function scattered(action = 'make this edit'): Refusal {
  return new Refusal(
    'TYPE_MISMATCH',
    `Cannot ${action}: it is made of dotted keys within braces`,
    {},
    { advice: ['Set the whole value of the key that has the braces'] },
  );
}

/** Returns the lines of dotted keys that make this table of a file in sections; undefined if they are apart, or it has a header. */
export function dottedLines(text: string, { header, pieces }: Collection): Span | undefined {
  const [lines, more] = pieces ?? [];
  const isOfKeys = header === undefined && more === undefined && lines !== undefined;
  return isOfKeys && text[lines.start] !== '[' ? lines : undefined;
}
