// Decides how a new part of a table is written: on one line, with dotted keys, or as a section of its own, as its neighbours
// are.
import type { SectionPart, SectionValue } from '../../tree/sections.ts';
import { type Collection, isFlowCollection, isSectional } from '../../tree/span-tree.ts';
import { definitionOf } from './statements.ts';
import { isListOfTables, isOfLines } from './table-lines.ts';

/** The way in which a new part of a table is written. */
type PartStyle = 'line' | 'dotted' | 'section';

export function styleOf(
  node: Collection,
  depth: number,
  keys: readonly string[],
  part: SectionPart,
): PartStyle {
  const { node: value, isTyped } = part;
  if (isSectional(value)) return 'section';
  const isTable = isTyped && (value.kind === 'mapping' || (isListOfTables(value) && !part.isItem));
  return part.keys.length === 1 && !isTable ? 'line' : usualStyle(node, depth, keys, value);
}

/** The most keys that are easy to read on one line. */
const FEW = 3;

/** Returns the way of most tables in this one, or the usual one for its kind. */
function usualStyle(
  node: Collection,
  depth: number,
  keys: readonly string[],
  value: SectionValue['node'],
): PartStyle {
  const counts = { line: 0, dotted: 0, section: 0 };
  const parts = node.kind === 'mapping' ? node.entries : [];
  for (const { value: other } of parts) {
    if (isFlowCollection(other) && other.kind === 'mapping') counts.line += 1;
    else if (isSectional(other))
      counts[definitionOf(other).own.some(({ kind }) => kind !== 'entry') ? 'section' : 'dotted'] += 1;
  }
  const { line, dotted, section } = counts;
  if (line + dotted + section > 0)
    return section > Math.max(line, dotted) ? 'section' : dotted > line ? 'dotted' : 'line';
  if (depth === 0) return 'section';
  if (isOfLines(keys)) return 'line';
  const isImplicit = !parts.some(({ colon }) => colon !== undefined);
  const isShort =
    value.kind !== 'mapping' ||
    (value.entries.length <= FEW && value.entries.every(({ value: one }) => one.kind === 'scalar'));
  return isImplicit || !isShort ? 'section' : 'line';
}
