// What must exist at a path, and what an operation may create on the way: mapping keys, but no list items past the end and no keys
// below a scalar.

import { Refusal } from '../../security/errors/refusal.ts';
import { keyOf, type NodePath, type PathWord, printNodePath } from '../../security/node-paths/node-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import type { Target } from '../edit/source.ts';
import { type Located, locate, notFound } from '../tree/locate.ts';
import { matchPaths } from '../tree/match-paths.ts';
import { shownPath } from '../tree/path-refusals.ts';
import { canGrow, type DocumentSpans, isEmpty, type SpanNode } from '../tree/span-tree.ts';
import { counted } from '../tree/wording.ts';

/** The keys that may be missing: none, only the last one, or any number. */
export type Creates = 'none' | 'last' | 'all';

/** True if the path exists. Throws the refusals of the path. */
export function pathExists({ document }: Target, path: NodePath): boolean {
  return locate(document, path).missing.length === 0;
}

/** Returns the keys to create below `located.node`. Throws NODE_NOT_FOUND if they cannot or must not be created. */
export function missingKeys(located: Located, path: NodePath, action: string, creates: Creates): string[] {
  const { missing, node } = located;
  const keys = missing.flatMap((segment) => keyOf(segment) ?? []);
  const isItem = node.kind === 'sequence' || typeof missing[0] === 'number';
  if (missing.length > 0 && (isItem || keys.length < missing.length)) throw notFound(located, path, action);
  if (missing.length > { none: 0, last: 1, all: missing.length }[creates])
    throw notFound(located, path, action, 'Give "create": true to create the missing keys as well');
  return keys;
}

/** Locates the collection that a part goes to. Throws NODE_NOT_FOUND if it is missing and not to be created. */
export function locateToFill(
  document: DocumentSpans,
  path: NodePath,
  { create }: { readonly create?: boolean | undefined },
  action: string,
): Located {
  const located = locate(document, path);
  missingKeys(located, path, action, create === true ? 'all' : 'none');
  return located;
}

/** So many missing levels are seldom intended. */
const MANY_LEVELS = 2;
const MOST_NEAR = 2;

/** Asks about several new levels of keys, which a misremembered path makes. Levels within the value, and with `create`, are intended. */
export function newLevels(
  { stream, document }: Target,
  path: NodePath,
  { create }: { readonly create?: boolean | undefined },
): readonly string[] {
  const { missing } = locate(document, path);
  if (missing.length < MANY_LEVELS || create === true) return [];
  const top = visibleLine(printNodePath(path.slice(0, path.length - missing.length + 1)));
  const near: string[] = [];
  matchPaths(stream.text, document.root, [{ kind: 'deep' }, ...lastKeys(path)], (_, found) => {
    near.push(visibleLine(printNodePath(found)));
    return near.length < MOST_NEAR;
  });
  const meant = [...dotted(path, missing.length), ...near].join(' or ');
  // A new section, such as `[profile.x]`.
  if (meant === '' && missing.length === MANY_LEVELS && path.length === MANY_LEVELS) return [];
  return [
    `${visibleLine(printNodePath(path))}: ${counted(missing.length, 'level')} of keys are new, from ${top} on. Did you mean ${meant || 'another place'}?`,
  ];
}

/** Returns the path with the key of a label or an annotation in quotes: `metadata.labels["app.kubernetes.io/name"]`. */
function dotted(path: NodePath, missing: number): readonly string[] {
  const end = path.slice(-missing);
  // The key of the mapping of labels has no full stop itself.
  const holder = end.findLastIndex((segment) =>
    /(?:labels|annotations|selector)$/i.test(keyOf(segment) ?? ''),
  );
  const start = end.findIndex((_, at) => {
    if (at <= holder) return false;
    const rest = end.slice(at).map((segment) => keyOf(segment) ?? '');
    return rest.length > 1 && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\/[\w.-]+$/u.test(rest.join('.'));
  });
  if (start === -1) return [];
  const at = path.length - missing + start;
  const key = path.slice(at).flatMap((segment) => keyOf(segment) ?? []);
  return [visibleLine(printNodePath([...path.slice(0, at), key.join('.')]))];
}

/** Returns the last keys of the path: an existing path with the same end was probably meant. */
function lastKeys(path: NodePath): PathWord[] {
  const keys = path.slice(-MANY_LEVELS).flatMap((segment) => keyOf(segment) ?? []);
  return keys.map((key) => ({ kind: 'key', key, isBare: false }));
}

/** Throws TYPE_MISMATCH and ALIAS_CROSSED unless the node is a list, or can get a new list below `keys`. */
export function requireList(located: Located, keys: readonly string[], action?: string): void {
  const { node } = located;
  if (!canGrow(node) && node.kind !== (keys.length > 0 ? 'mapping' : 'sequence'))
    throw notA('list', located, action);
}

export function notA(kind: 'list' | 'mapping', located: Located, action = 'insert into'): Refusal {
  const path = printNodePath(located.path);
  const shown = shownPath(located.path);
  const { node } = located;
  if (node.kind === 'alias') {
    return new Refusal(
      'ALIAS_CROSSED',
      `Cannot ${action} ${shown}: it is the alias *${node.name}`,
      {},
      {
        existingPath: path,
        advice: [
          `Edit the node that carries &${node.name}: its aliases follow`,
          `To change this place only, set ${shown} to a value of its own`,
        ],
      },
    );
  }
  return new Refusal(
    'TYPE_MISMATCH',
    `Cannot ${action} ${shown}: it is ${describe(node)}, not a ${kind}`,
    {},
    { existingPath: path, advice: [otherWay(node, kind)] },
  );
}

function otherWay(node: SpanNode, wanted: 'list' | 'mapping'): string {
  const { kind } = node;
  if (kind === 'scalar' && node.value.includes('\n'))
    return 'It is a text of several lines: to add one use op "replace_text" with the line before it, or "set" the whole text';
  if (kind === 'mapping')
    return 'Use op "merge" with the new keys, "set" with the path of the new key, or "insert" with "key"';
  if (kind === 'sequence') return 'Use op "append", or "insert" with "index"';
  return `Use op "set" to make it a ${wanted}`;
}

function describe(node: SpanNode): string {
  if (isEmpty(node)) return 'empty';
  return node.kind === 'sequence' ? 'a list' : `a ${node.kind}`;
}
