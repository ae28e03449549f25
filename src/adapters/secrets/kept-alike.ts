// Limits what an edit may change around a masked value that stays: its key, and its text but for the adjacent characters. So the value
// is read as before, whatever its bytes are.
import { type Edit, withInserted } from '../../security/edits/edit.ts';
import { keptPlaceholders } from '../../security/secrets/kept-placeholders.ts';
import { secretTouched } from '../../security/secrets/touched-secret.ts';
import { PLACEHOLDERS } from '../../security/text/placeholders.ts';
import type { ConfigFile } from '../formats/registry.ts';
import { firstFrom, lineEnd, lineStart } from '../tree/lines.ts';
import {
  type Collection,
  type Entry,
  type Item,
  isSectional,
  partsOf,
  type ScalarNode,
  type Span,
  type SpanNode,
  type Stream,
  standsOnLines,
} from '../tree/span-tree.ts';

export const SECRET_REMOVED = 'A masked value is removed, and no undo brings it back: it is not kept.';

/** Throws the refusal of edits that touch masked values. Returns whole sentences about those that are removed. */
export function requireKeptAlike(
  { stream: base }: ConfigFile,
  { stream: result }: ConfigFile,
  edits: readonly Edit[],
): readonly string[] {
  const count = [...base.text.matchAll(PLACEHOLDERS)].length;
  if (count === 0) return [];
  const kept = keptPlaceholders(base.text, edits);
  for (const { before, after, length } of kept)
    if (surroundings(base, before, length) !== surroundings(result, after, length)) throw secretTouched();
  requireNoAliasOfSecret(result, edits, base.text.length);
  return kept.length === count ? [] : [SECRET_REMOVED];
}

/** Returns the entry of the place without the words of its key, and the characters next to it. */
function surroundings(
  { text, documents, comments, hasStructure }: Stream,
  at: number,
  length: number,
): string {
  const besideIn = (around: Span) => beside(text, { start: at, end: at + length }, around);
  const comment = comments[firstFrom(comments, at + 1) - 1];
  if (comment !== undefined && at < comment.end) return besideIn(comment);
  const place =
    hasStructure === false
      ? undefined
      : placeIn(
          documents.map(({ root }) => root),
          at,
        );
  if (place === undefined) return besideIn({ start: 0, end: text.length });
  const { node, part, container } = place;
  const content = node.block?.bodyStart ?? node.start;
  if (part === undefined || container === undefined || content > at)
    return besideIn({ start: 0, end: text.length });
  const key = 'key' in part ? part.key : undefined;
  return [
    `${container.style} ${node.style} `,
    standsOnLines(container) ? text.slice(lineStart(text, part.start), part.start) : '',
    key === undefined ? '' : wordless(text.slice(key.start, key.end)),
    text.slice(key?.end ?? part.start, content),
    besideIn({ start: content, end: node.end }),
  ].join('\n');
}

/** Returns the characters adjacent to a placeholder on its lines; before one that begins its line, the indentation. */
function beside(text: string, { start, end }: Span, around: Span): string {
  const before = text.slice(Math.max(lineStart(text, start), around.start), start);
  const behind = text.slice(end, Math.max(end, Math.min(lineEnd(text, end), around.end, end + 1)));
  return `${before.trim() === '' ? before : before.slice(-1)}\0${behind}`;
}

function wordless(text: string): string {
  return text.replaceAll(/[\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)*/gu, 'w');
}

interface Place {
  readonly node: ScalarNode;
  readonly part: Entry | Item | undefined;
  readonly container: Collection | undefined;
}

/** The scalar that holds the place. */
function placeIn(
  roots: readonly SpanNode[],
  at: number,
  part?: Entry | Item,
  container?: Collection,
): Place | undefined {
  for (const node of roots) {
    if (at < node.start || at >= node.end) continue;
    if (node.kind === 'scalar') return { node, part, container };
    if (node.kind === 'alias') return undefined;
    const found = placeAmong(node, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function placeAmong(node: Collection, at: number): Place | undefined {
  const parts = partsOf(node);
  const last = parts[firstFrom(parts, at + 1) - 1];
  // A table in several places of the text may enclose another one's parts.
  const candidates = isSectional(node) ? parts : last === undefined ? [] : [last];
  for (const part of candidates) {
    const found = placeIn('key' in part ? [part.key, part.value] : [part.value], at, part, node);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Throws for a new alias of a secret: it would copy the value to another place, and as a key it would be compared with others. */
function requireNoAliasOfSecret({ text, documents }: Stream, edits: readonly Edit[], length: number): void {
  const inserted = withInserted(edits, length).map((one) => one.inserted);
  for (const { aliasTargets } of documents)
    for (const [alias, target] of aliasTargets) {
      if (target.kind !== 'scalar' || text.slice(target.start, target.end).search(PLACEHOLDERS) === -1)
        continue;
      const isNew = inserted.some(({ start, end }) => start < alias.end && end > alias.start);
      if (isNew || /^[ \t]*:(?:\s|$)/u.test(text.slice(alias.end, alias.end + 200))) throw secretTouched();
    }
}
