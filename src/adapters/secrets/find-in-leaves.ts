// Finds secrets within single values and comments: those that the text alone shows, and those that their lines assign.

import {
  type FoundSecret,
  findInLines,
  findInManifests,
  type IsSecretName,
  type SecretSpan,
  secretParts,
} from '../../security/index.ts';
import { firstFrom } from '../tree/first-from.ts';
import type { Span } from '../tree/span-tree.ts';
import { endOf } from './content-of.ts';
import { linesIn } from './lines-in.ts';

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
