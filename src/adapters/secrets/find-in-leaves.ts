// Finds secrets within single values and comments: those that the text alone shows, and those that their lines assign.

import { findInLines } from '../../security/secrets/find-in-lines.ts';
import { findInManifests } from '../../security/secrets/find-in-manifests.ts';
import type { FoundSecret } from '../../security/secrets/found-secret.ts';
import type { IsSecretName } from '../../security/secrets/key-names.ts';
import type { SecretSpan } from '../../security/secrets/masked-text.ts';
import { secretParts } from '../../security/secrets/secret-values.ts';
import { firstFrom } from '../tree/lines.ts';
import type { ScalarNode, Span } from '../tree/span-tree.ts';

interface Asked {
  /** The findings in the whole text; those outside of all leaves are dropped. */
  readonly found: readonly FoundSecret[];
  /** The operator's names of keys, where there are any. */
  readonly isAsked: ((name: string) => boolean) | undefined;
  readonly isSecret: IsSecretName;
}

/** Returns the secrets in `leaves`, which do not overlap and may be in any order. */
export function findInLeaves(
  text: string,
  leaves: readonly Span[],
  { found, isAsked, isSecret }: Asked,
): readonly SecretSpan[] {
  const sorted = [...leaves].sort((a, b) => a.start - b.start);
  const spans: SecretSpan[] = [];
  for (const { from, start, end, ...said } of found) {
    const leaf = sorted[firstFrom(sorted, start + 1) - 1];
    if (leaf === undefined || start >= leaf.end || from < leaf.start) continue;
    const last = endOf(leaf, text);
    const isAll = isWholeAssignment(text, leaf, from, start);
    const parts = isAll
      ? secretParts(text.slice(start, last))
      : [{ start: 0, end: Math.min(end, last) - start }];
    for (const part of parts) spans.push({ ...said, start: start + part.start, end: start + part.end });
  }
  for (const leaf of sorted) {
    const source = text.slice(leaf.start, endOf(leaf, text));
    const lines = linesIn(source);
    if (lines === undefined) continue;
    const inLines = findInLines(lines, { isMaskedByOperator: isAsked, isSecret });
    for (const { from: _, start, end, ...said } of [...inLines, ...findInManifests(lines)])
      spans.push({ ...said, start: leaf.start + start, end: leaf.start + end });
  }
  return spans;
}

/** True if a value is an assignment alone, so that the rest of it belongs to the secret: `- DB_PASSWORD=two words; and more`. */
function isWholeAssignment(text: string, { start, end }: Span, from: number, at: number): boolean {
  const isFirst = from === start || (from === start + 1 && /["']/u.test(text[start] ?? ''));
  return isFirst && text[at - 1] === '=' && !text.slice(start, end).includes('\n');
}

/** Returns a text of the same length in which lines can be looked for; undefined if none of them can assign anything. */
function linesIn(source: string): string | undefined {
  const isComment = /^(?:#|\/[/*]|\{\{-?\s*\/\*)/u.test(source);
  if (isComment || source.includes('\n')) return source;
  if (source.startsWith('"') && source.includes('\\'))
    return source.replaceAll(/\\(.)/gsu, (all, letter: string) => ESCAPED[letter] ?? all);
  return /:\s/u.test(source) ? source : undefined;
}

/** Each escape becomes as many characters, so that all offsets stay the same; only an escaped line feed ends a line. */
const ESCAPED: Readonly<Record<string, string>> = { n: ' \n', r: '  ', t: '  ', '"': ' "' };

/** Returns the span of a scalar; of a block scalar without its header. */
export function leafOf(node: ScalarNode): Span {
  return node.block === undefined ? node : { start: node.block.bodyStart, end: node.end };
}

/** Returns the span without quotes; of a block scalar from its first letter on. */
export function contentOf(node: ScalarNode, text: string): Span {
  let { start, end } = leafOf(node);
  if (node.style === 'single' || node.style === 'double') {
    const width = /^("""|''')/u.test(text.slice(start, end)) && end - start >= 6 ? 3 : 1;
    return { start: start + width, end: end - width };
  }
  while (start < end && /\s/u.test(text[start] ?? '')) start += 1;
  while (end > start && /\s/u.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

/** Returns the end of a leaf without its closing mark: a quote, or the end of a comment. */
function endOf({ start, end }: Span, text: string): number {
  if (/["']/u.test(text[start] ?? '')) return end - 1;
  return /[/{]/u.test(text[start] ?? '')
    ? start + text.slice(start, end).replace(COMMENT_END, '').length
    : end;
}

const COMMENT_END = /(?:\*\/(?:\s?-?\}\})?|-?#\})$/u;

/** Joins comments on successive lines of their own to one text each, because what is commented out there belongs together. */
export function groupsOf(comments: readonly Span[], text: string): readonly Span[] {
  const groups: Span[] = [];
  let wasAlone = false;
  for (const { start, end } of comments) {
    const isAlone = standsAlone(text, start);
    const last = groups.at(-1);
    if (isAlone && wasAlone && last !== undefined && isBreak(text, last.end, start))
      groups[groups.length - 1] = { start: last.start, end };
    else groups.push({ start, end });
    wasAlone = isAlone;
  }
  return groups;
}

/** True if the comment has its line alone. */
function standsAlone(text: string, start: number): boolean {
  const first = text[start];
  if (first !== '#' && !(first === '/' && text[start + 1] === '/')) return false;
  let at = start - 1;
  while (text[at] === ' ' || text[at] === '\t') at -= 1;
  return at < 0 || text[at] === '\n';
}

/** True if only blanks and one line break are between. */
function isBreak(text: string, from: number, to: number): boolean {
  let breaks = 0;
  for (let at = from; at < to; at += 1) {
    const letter = text[at];
    if (letter === '\n') breaks += 1;
    else if (letter !== ' ' && letter !== '\t' && letter !== '\r') return false;
    if (breaks > 1) return false;
  }
  return true;
}
