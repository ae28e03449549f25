// Finds the paths that change through an alias or a merge key (`<<`), where nothing is written: the differences with aliases
// followed, less those that are written.
import { type NodePath, printNodePath, type Segment, unlessRefused } from '../../security/index.ts';
import type { Difference } from '../compare/difference.ts';
import { findDifferences } from '../compare/find-changes.ts';
import { TreeDifference } from '../compare/tree-difference.ts';
import { keyName, segmentOf } from '../tree/keys.ts';
import { LookBudget, mayResolve, ResolvedView } from '../tree/resolved.ts';
import { type DocumentSpans, isCollection, partsOf, type SpanNode, type Stream } from '../tree/span-tree.ts';

/** Above these numbers, a document's aliases are named once, instead of each path below them. */
const MAX_PATHS = 200;
const MAX_LOOKS = 200_000;

/** Returns the paths by the names in the new text; the document is named where there are several. */
export function findAlsoAffected(base: Stream, result: Stream): string[] {
  if (base.isAbsent === true || result.isAbsent === true) return [];
  return findDifferences(base, result).flatMap(({ doc, old, next: document, differences }) => {
    // Most files have no alias, and need no walk.
    if (old === undefined || document === undefined) return [];
    if (!(mayResolve(base.text, old) || mayResolve(result.text, document))) return [];
    const written = differences.filter(({ op }) => op !== 'order');
    if (written.length === 0) return [];
    const effects =
      unlessRefused(() => resolvedEffects({ base, old, result, document }, written)) ??
      changedAliases(result.text, document, written);
    const paths = [...new Set(effects.map(printNodePath))];
    return result.documents.length === 1 ? paths : paths.map((path) => `doc ${doc}: ${path}`);
  });
}

interface Versions {
  readonly base: Stream;
  readonly old: DocumentSpans;
  readonly result: Stream;
  readonly document: DocumentSpans;
}

/** Returns each path. Undefined where they are too many; throws a Refusal where aliases lead to too much, or nowhere. */
function resolvedEffects(
  { base, old, result, document }: Versions,
  written: readonly Difference[],
): readonly NodePath[] | undefined {
  const budget = new LookBudget(MAX_LOOKS);
  const before = { stream: base, document: old, view: new ResolvedView(old, budget) };
  const after = { stream: result, document, view: new ResolvedView(document, budget) };
  const isWritten = writtenPaths(base.text, written);
  const found = new TreeDifference(before, after, {})
    .between(old.root, document.root)
    .filter((one) => one.op !== 'order' && (isOverridden(one) || !isWritten(one.path)));
  return found.length > MAX_PATHS ? undefined : found.map(({ path }) => path);
}

/** True for what a merge brings below a key of that name, where only some readers take it. */
function isOverridden({ op, step }: Difference): boolean {
  const [mapping, part] = [op === 'remove' ? step?.old : step?.next, step?.part];
  if (mapping?.kind !== 'mapping' || part === undefined || !('key' in part)) return false;
  return (
    mapping.entries.every((entry) => entry !== part) && mapping.entries.some(({ name }) => name === part.name)
  );
}

/** Returns a test whether a path is written, at its own place or above; what a merge brings is written where its key is. */
function writtenPaths(oldText: string, written: readonly Difference[]): (path: NodePath) => boolean {
  const names = new Set<string>();
  for (const { op, path, old } of written) {
    names.add(printNodePath(withoutMerged(path)));
    if (op === 'rename' && old !== undefined)
      names.add(printNodePath(withoutMerged([...path.slice(0, -1), keyName(oldText, old)])));
  }
  return (path) =>
    path.some((_, depth) => names.has(printNodePath(path.slice(0, depth + 1)))) || names.has('');
}

/** Cuts a path at a merge key, because merged keys are visible in the mapping that merges them. */
function withoutMerged(path: NodePath): NodePath {
  const at = path.indexOf('<<');
  return at === -1 ? path : path.slice(0, at);
}

/** Returns the place of each alias whose node changes, itself or further down. Aliases stand behind their anchors, so one walk finds most of them. */
function changedAliases(
  text: string,
  { root, aliasTargets }: DocumentSpans,
  written: readonly Difference[],
): readonly NodePath[] {
  const touched = new Set<SpanNode>();
  const fresh = new Set<SpanNode>();
  for (const { op, next, step } of written) {
    if (next !== undefined && op !== 'rename') fresh.add(next);
    if (next !== undefined) touched.add(next);
    if (step?.next !== undefined) touched.add(step.next);
  }
  const found: NodePath[] = [];
  const path: Segment[] = [];
  // A second walk finds those that lead back into their own node.
  for (const isLast of [false, true]) visit(root, false, isLast);
  return found;

  function visit(node: SpanNode, isNew: boolean, isLast: boolean): boolean {
    const target = aliasTargets.get(node);
    let isTouched = touched.has(node) || (target !== undefined && touched.has(target));
    const isFresh = isNew || fresh.has(node);
    if (isLast && target !== undefined && isTouched && !isFresh) found.push(withoutMerged([...path]));
    if (isCollection(node))
      for (const [index, part] of partsOf(node).entries()) {
        path.push(segmentOf(text, part, index));
        if ('key' in part && visit(part.key, isFresh, isLast)) isTouched = true;
        if (visit(part.value, isFresh, isLast)) isTouched = true;
        path.pop();
      }
    if (isTouched) touched.add(node);
    return isTouched;
  }
}
