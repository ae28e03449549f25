// Finds a comment that still names the old version of a new value, as in `uses: a/b@<sha> # v7.0.1`.
import { visibleLine } from '../../security/index.ts';
import type { ChangedNode } from '../compare/find-changes.ts';
import { shownSpan } from '../shown/shown.ts';
import { lineComment } from '../tree/comments.ts';
import type { Stream } from '../tree/span-tree.ts';

/** Yields a question that names no path, so that many files with an equal comment are asked about once. */
export function* findStaleVersion(base: Stream, result: Stream, change: ChangedNode): Generator<string> {
  const { op, old, next } = change;
  if (op !== 'replace' || old?.kind !== 'scalar' || next?.kind !== 'scalar') return;
  const [before, after] = [commentAt(base, old.end), commentAt(result, next.end)];
  if (after === '' || before !== after) return;
  const [version] = VERSION.exec(after.slice(0, MAX_COMMENT)) ?? [];
  if (version === undefined || next.value.includes(version)) return;
  const [from, to] = [COMMIT.exec(old.value)?.[0], COMMIT.exec(next.value)?.[0]];
  const isOtherCommit = from !== undefined && to !== undefined && from !== to;
  if (isOtherCommit || old.value.includes(version))
    yield `The comment ${visibleLine(after.slice(0, MAX_COMMENT))} beside a new value still names the old version. Did you mean to change it as well? Then add an edit with op "comment" and place "line_end".`;
}

const MAX_COMMENT = 80;
const COMMIT = /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/;
const VERSION = /\bv?\d{1,9}(?:\.\d{1,9}){1,4}\b|\bv\d{1,9}\b/;

function commentAt(stream: Stream, end: number): string {
  const comment = lineComment(stream, end);
  return comment === undefined ? '' : shownSpan(stream, comment).trim();
}
