// Finds what still names the old of a change: a key that was renamed, as in `depends_on: [db]` and `{{ .Values.old }}`, and the version
// in a comment, as in `uses: a/b@<sha> # v7.0.1`.
import { keyOf, printNodePath } from '../../security/node-paths/node-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import type { ChangedNode } from '../compare/find-changes.ts';
import { shownSpan } from '../shown/shown.ts';
import { lineComment } from '../tree/comments.ts';
import { visitNodes } from '../tree/keys.ts';
import type { MappingNode, Stream } from '../tree/span-tree.ts';
import { counted } from '../tree/wording.ts';

const MAX_PLACES = 3;

export function* findStaleNames(result: Stream, { op, path, old, step }: ChangedNode): Generator<string> {
  if (op !== 'rename' || old?.kind !== 'scalar' || typeof old.typedValue !== 'string') return;
  const name = old.value;
  const above = path.slice(0, -1);
  const siblings = new Set(step?.next?.kind === 'mapping' ? namesIn(step.next) : []).add(name);
  // The same key of a sibling item is not a reference; names of siblings at another depth are.
  const isListOfNames = (node: MappingNode) => {
    const names = namesIn(node);
    return names.includes(name) && names.every((one) => siblings.has(one));
  };
  const expressions = [
    `.Values.${[...above, name].map((part) => keyOf(part) ?? part).join('.')}`,
    `needs.${name}`,
  ];
  const isNamedIn = (text: string) =>
    text.includes('{{') &&
    expressions.some(
      (one) => text.includes(one) && !/^[\w-]/u.test(text.slice(text.indexOf(one) + one.length)),
    );
  const places: string[] = [];
  let count = 0;
  for (const { root } of result.documents)
    visitNodes(result.text, root, (node, at) => {
      const isKey = node.kind === 'mapping' && at.length !== above.length && isListOfNames(node);
      const isText = node.kind === 'scalar' && (node.typedValue === name || isNamedIn(node.value));
      if ((isKey || isText) && count++ < MAX_PLACES) places.push(printNodePath(isKey ? [...at, name] : at));
    });
  const more = count > places.length ? ` and ${counted(count - places.length, 'more place')}` : '';
  if (count > 0) yield `${visibleLine(`${name} is still named at ${places.join(', ')}${more}`)}.`;
}

function namesIn({ entries }: MappingNode): readonly string[] {
  return entries.flatMap(({ key }) => (key.kind === 'scalar' ? [key.value] : []));
}

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
