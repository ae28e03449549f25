// What a stored preview must show: found anew from its texts and spans, trusting nothing that was stored
// beside them. Also how far a file has moved on since a preview was made.
import type { Change, Limits, Look, SafePath } from '../../security/index.ts';
import { readConfigFile } from '../config-file.ts';
import { findChanges } from '../proof/changes.ts';
import { type NodePath, parseNodePath } from '../tree/node-path.ts';
import { unifiedDiff } from '../unified-diff.ts';
import { findAlsoAffected } from './also-affects.ts';
import { findRemovedComments } from './removed-comments.ts';

const MAX_CHANGES = 500;

/** `parse` is the sandbox's: what is no path here is no plan here. The Look throws the refusals of reading. */
export function lookWith(parse: (file: string) => SafePath, limits: Limits): Look {
  return (file, base, after, edits) => {
    const path = parse(file);
    const old = readConfigFile(path, base, limits).stream;
    const next = readConfigFile(path, after, limits).stream;
    const changes = findChanges(old, next);
    return {
      diff: unifiedDiff(file, base, after, edits),
      changes,
      removed_comments: findRemovedComments(old, edits),
      also_affects: findAlsoAffected(old, next, changes.slice(0, MAX_CHANGES)),
    };
  };
}

export interface Drift {
  /** What changed in the file since, whoever did it; comments and layout do not count. */
  readonly changes: readonly Change[];
  /** Whether it is at, above or below a path of the plan, or cannot be told apart from it. */
  readonly isSamePlace: boolean;
}

/** Throws the refusals of reading, where the file is no longer readable. */
export function findDrift(
  path: SafePath,
  texts: { readonly base: string; readonly now: string },
  planned: readonly Change[],
  limits: Limits,
): Drift {
  const base = readConfigFile(path, texts.base, limits).stream;
  const now = readConfigFile(path, texts.now, limits).stream;
  const changes = findChanges(base, now);
  // With another number of documents, an index may mean another document than it did.
  const isSamePlace =
    base.documents.length !== now.documents.length ||
    changes.some((change) => planned.some((plan) => isSame(change, plan)));
  return { changes, isSamePlace };
}

function isSame(a: Change, b: Change): boolean {
  if (a.doc !== b.doc) return false;
  const [left, right] = [parseNodePath(a.path), parseNodePath(b.path)];
  return isAbove(parentOfShift(a, left), right) || isAbove(parentOfShift(b, right), left);
}

/** An item that comes or goes moves all behind it: then the whole list is meant. A rename is about its mapping. */
function parentOfShift({ op }: Change, path: NodePath): NodePath {
  const isShift = path.at(-1)?.kind === 'index' && (op === 'add' || op === 'remove');
  return isShift || op === 'rename' ? path.slice(0, -1) : path;
}

/** At the other path, or above it. */
function isAbove(upper: NodePath, lower: NodePath): boolean {
  return (
    upper.length <= lower.length &&
    upper.every((segment, index) => JSON.stringify(segment) === JSON.stringify(lower[index]))
  );
}
