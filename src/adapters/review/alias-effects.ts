// Finds the paths that change through an alias or a merge key (`<<`), where nothing is written: the differences with aliases
// followed, less those that are written.
import { type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { findDifferences, type Reading } from '../compare/find-changes.ts';
import type { Difference } from '../compare/tree-difference.ts';
import { keyName, visitNodes } from '../tree/keys.ts';
import type { DocumentSpans, SpanNode, Stream } from '../tree/span-tree.ts';
import { unmatched } from '../tree/unmatched.ts';

/** Returns the paths by the names in the new text; the document is named where there are several. */
export function findAlsoAffected(base: Stream, result: Stream): string[] {
  if (base.isAbsent === true || result.isAbsent === true) return [];
  return findDifferences(base, result).flatMap((document) => {
    const { doc, old, next, isAsWritten, written, resolved } = document;
    if (isAsWritten || old === undefined || next === undefined || written.differences.length === 0) return [];
    const changes = written.differences.filter(({ op }) => op !== 'order');
    const effects = resolvedEffects(base.text, changes, resolved()) ?? aliasesIn(result.text, next);
    const paths = [...new Set(effects.map(printNodePath))];
    return result.documents.length === 1 ? paths : paths.map((path) => `doc ${doc}: ${path}`);
  });
}

function resolvedEffects(
  oldText: string,
  written: readonly Difference[],
  reading: Reading | undefined,
): readonly NodePath[] | undefined {
  const isWritten = writtenPaths(oldText, written);
  return reading?.differences
    .filter((one) => one.op !== 'order' && (isOverridden(one) || !isWritten(one)))
    .map(({ path }) => path);
}

/** Returns the places of all aliases, any of which may change where they lead too far to be followed. */
function aliasesIn(text: string, { root }: DocumentSpans): readonly NodePath[] {
  const found: NodePath[] = [];
  visitNodes(text, root, (node, path) => {
    if (node.kind === 'alias') found.push(withoutMerged([...path]));
  });
  return found;
}

/** True for what a merge brings below a key of that name, where only some readers take it. */
function isOverridden({ op, step }: Difference): boolean {
  const [mapping, part] = [op === 'remove' ? step?.old : step?.next, step?.part];
  if (mapping?.kind !== 'mapping' || part === undefined || !('key' in part)) return false;
  return (
    mapping.entries.every((entry) => entry !== part) && mapping.entries.some(({ name }) => name === part.name)
  );
}

/**
 * Returns a test whether a difference is written, at its own place or above. A key that goes may let that of a merge be seen, and a new
 * one may hide keys of a merge; what a merge brings is written where its key is, unless it comes or goes itself.
 */
function writtenPaths(oldText: string, written: readonly Difference[]): (one: Difference) => boolean {
  const opsAt = new Map<string, Set<Difference['op'] | 'any'>>();
  const add = (path: NodePath, op: Difference['op'] | 'any') => {
    const name = printNodePath(withoutMerged(path));
    opsAt.set(name, (opsAt.get(name) ?? new Set()).add(op));
  };
  for (const { op, path, old } of written) {
    if (path.at(-1) === '<<') continue;
    add(path, op === 'add' || op === 'remove' ? op : 'any');
    if (op === 'add') add(path, 'replace');
    if (op === 'rename' && old !== undefined) add([...path.slice(0, -1), keyName(oldText, old)], 'any');
  }
  return ({ op, path }) =>
    [...path, ''].some((_, depth) => {
      const ops = opsAt.get(printNodePath(path.slice(0, depth)));
      return ops?.has('any') === true || ops?.has(op) === true;
    });
}

/** Cuts a path at a merge key, because merged keys are visible in the mapping that merges them. */
function withoutMerged(path: NodePath): NodePath {
  const at = path.indexOf('<<');
  return at === -1 ? path : path.slice(0, at);
}

/**
 * Returns a line for each alias of one version only, or of another meaning there, in no order: an alias may mean another node
 * although none of its text changed.
 */
export function meaningsThatDiffer(before: Stream, after: Stream): readonly string[] {
  const [old, next] = [meaningsIn(before), meaningsIn(after)];
  const only = (mark: string, some: readonly string[], others: readonly string[]) =>
    unmatched(some, others, (line) => line).map((line) => `${mark} ${line}`);
  return [...only('-', old, next), ...only('+', next, old)];
}

function meaningsIn({ text, documents }: Stream): readonly string[] {
  if (!text.includes('*')) return [];
  return documents.flatMap(({ root, aliasTargets }, doc) => {
    const found: string[] = [];
    const pathOf = new Map<SpanNode, string>();
    const read = (node: SpanNode, at: string): void => {
      if (node.properties?.anchor !== undefined) pathOf.set(node, at);
      if (node.kind !== 'alias') return;
      // An alias may have no anchor before it.
      const target = aliasTargets.get(node);
      found.push(`${doc} ${at} *${node.name} ${(target && pathOf.get(target)) ?? '*'}`);
    };
    visitNodes(text, root, (node, path, key) => {
      const at = printNodePath(path);
      // A key has the path of its value.
      if (key !== undefined) read(key, at);
      read(node, at);
    });
    return found;
  });
}
