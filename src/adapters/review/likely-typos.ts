// Finds changes that are often not meant: a new key that looks like a typing error, and a null if empty text was meant.
import { keyOf, type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { looksLike } from '../../security/text/look-alikes.ts';
import { visibleLine } from '../../security/text/visible.ts';
import type { ChangedNode } from '../compare/find-changes.ts';
import { lineStart } from '../tree/lines.ts';
import { locateIfClear, nearestPaths, nodeAt } from '../tree/locate.ts';
import { isEmpty, type SpanNode, type Stream } from '../tree/span-tree.ts';

/** Yields whole sentences, each with its path. `isCompared` tells whether a new key is compared with its siblings, which takes a while. */
export function* findLikelyTypos(
  result: Stream,
  change: ChangedNode,
  isCompared: boolean,
): Generator<string> {
  const { op, path, name, next, before, after } = change;
  if (before === undefined || after === undefined || next === undefined || op === 'rename') return;
  if (isEmpty(next) && next.properties === undefined)
    yield `${name}: the value is null now. For empty text send json: "".`;
  const dotted = op === 'add' ? dottedPath(result.text, change) : undefined;
  if (dotted !== undefined) {
    yield `${name} is one key with a dot, where the keys beside it are dotted paths. Did you mean the path ${dotted}?`;
    return;
  }
  const located = isCompared && op === 'add' ? locateIfClear(before, path) : undefined;
  if (located === undefined || located.missing.length === 0) return;
  const asked = [...path, ...onlyKeysBelow(result.text, next)];
  const depth = located.path.length;
  const near = nearestPaths({ ...located, missing: asked.slice(depth) }, asked).find((candidate) =>
    isTypingError(candidate, asked, depth),
  );
  // A key that the same edit removes was renamed, and the new one is no typing error.
  if (near !== undefined && nodeAt(after.root, near) !== undefined)
    yield `${name} is a new key. Did you mean ${printNodePath(near)}?`;
}

/** Returns the path that a new key with a dot spells, if its siblings are dotted paths (TOML): `lint.select = []`. */
function dottedPath(text: string, { path, step }: ChangedNode): string | undefined {
  const [key, mapping] = [keyOf(path.at(-1)), step?.next];
  if (key?.includes('.') !== true || mapping?.kind !== 'mapping' || mapping.style !== 'sections')
    return undefined;
  const isPath = mapping.entries.some(
    ({ key: { start, end } }) => text[end] === '.' && text[lineStart(text, start)] !== '[',
  );
  return isPath ? visibleLine(printNodePath([...path.slice(0, -1), ...key.split('.')])) : undefined;
}

/** Returns the keys of mappings with one entry each, one within the other, as a path with dots makes them. */
function onlyKeysBelow(text: string, node: SpanNode): NodePath {
  const [only, second] = node.kind === 'mapping' ? node.entries.slice(0, 2) : [];
  if (only === undefined || second !== undefined) return [];
  const name = only.name;
  return name === undefined ? [] : [name, ...onlyKeysBelow(text, only.value)];
}

/** True for another case or separator, the same letters in another order, one letter more, less or different, or the same text with its dots in a key. */
function isTypingError(candidate: NodePath, asked: NodePath, depth: number): boolean {
  const [written, wanted] = [keyOf(candidate[depth]), keyOf(asked[depth])];
  if (written === undefined || wanted === undefined) return false;
  if (written.includes('.') && !wanted.includes('.')) return true;
  if (isSubstituted(wanted, written)) return true;
  const [a, b] = [letters(written), letters(wanted)];
  if (a === b) return true;
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  return (
    short.length >= 4 &&
    long.length === short.length + 1 &&
    [...long].some((_, i) => long.slice(0, i) + long.slice(i + 1) === short)
  );
}

/** True if the keys look the same; or where one letter differs, and the key is long enough to tell. */
function isSubstituted(key: string, other: string): boolean {
  const [a, b] = [key.toLowerCase(), other.toLowerCase()];
  if (a.length !== b.length || a === b) return a !== b && looksLike(a, b);
  const differing = [...a].filter((letter, index) => letter !== b[index]);
  return looksLike(a, b) || (a.length >= 6 && differing.length === 1 && /^\p{L}$/u.test(differing[0] ?? ''));
}

function letters(key: string): string {
  return [...key.normalize('NFKC').toLowerCase().replaceAll(/[-_ ]/g, '')].sort().join('');
}
