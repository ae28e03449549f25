// The comments that differ between two versions of a file, each by the node that it belongs to: on its line, or else below
// it. Comments switch checks off and pin versions for other tools, so a change of one is a change.
import type { DataPath } from '../../security/index.ts';
import { keyName } from '../tree/keys.ts';
import { lineStart } from '../tree/lines.ts';
import { isCollection, partsOf, type Span, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { differing } from '../verify/changed-lines.ts';

export interface ChangedComment {
  readonly side: 'before' | 'after';
  readonly doc: number;
  readonly path: DataPath;
}

export function changedComments(before: Stream, after: Stream): readonly ChangedComment[] {
  const [old, next] = [before.comments, after.comments];
  const { from, oldTo, newTo } = differing(
    old.length,
    next.length,
    (i, j) => textOf(before, old[i]) === textOf(after, next[j]),
  );
  return [
    ...old.slice(from, oldTo).map((comment) => placed(before, comment, 'before')),
    ...next.slice(from, newTo).map((comment) => placed(after, comment, 'after')),
  ];
}

function textOf({ text }: Stream, comment: Span | undefined): string | undefined {
  return comment && text.slice(comment.start, comment.end).trimEnd();
}

function placed({ text, documents }: Stream, { start }: Span, side: ChangedComment['side']): ChangedComment {
  const after = documents.findIndex((document) => start < document.end);
  const doc = after === -1 ? documents.length - 1 : after;
  const root = documents[doc]?.root;
  const isAlone = /^[\uFEFF\s]*$/.test(text.slice(lineStart(text, start), start));
  return { side, doc, path: root === undefined ? [] : pathAt(text, root, start, isAlone) };
}

/** `isAlone`: on a line of its own, it belongs to the part that follows; else to the one that it stands behind. */
function pathAt(text: string, root: SpanNode, offset: number, isAlone: boolean): DataPath {
  const path: (string | number)[] = [];
  for (let node = root; isCollection(node); ) {
    const parts: ReturnType<typeof partsOf> = partsOf(node);
    const behind = parts.findLastIndex(({ start }) => start <= offset);
    const inside = parts[behind];
    const isWithin = inside !== undefined && offset < inside.end;
    const index: number = isWithin || !isAlone ? behind : behind + 1;
    const part = parts[index];
    if (part === undefined) break;
    path.push('key' in part ? keyName(text, part.key) : index);
    if (isAlone && !isWithin) break;
    node = part.value;
  }
  return path;
}
