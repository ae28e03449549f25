// Finds how far a file has moved on since a change was planned or made: what data has changed, and whether that is where the
// change is. A path may lead elsewhere now: `items[2]` may be another item than before, and `doc` 1 another document.
import { type Change, type NodePath, parseNodePath, printNodePath } from '../../security/index.ts';
import { documentNames, ItemNames } from '../tree/item-names.ts';
import { nodeAt } from '../tree/locate.ts';
import type { SpanNode, Stream } from '../tree/span-tree.ts';
import { findChanges } from '../verify/find-changes.ts';
import { pairDocuments } from '../verify/pair-documents.ts';

export interface Drift {
  /** The changes in the file since, whoever made them; comments and layout do not count. */
  readonly changes: readonly Change[];
  /** The changes at, above or below a path of the planned changes, or that may be there. */
  readonly meeting: readonly Change[];
  /** Whole sentences about what a comparison of data does not show, for people who look at the change. */
  readonly notes?: readonly string[];
  /** True where documents came or went, and one that is meant has no name of its own, so that its index may mean another one. */
  readonly isOtherCount: boolean;
  /** The new index of each document; undefined where nobody asked. */
  readonly documents?: ReadonlyMap<number, number>;
}

/** The text that a change was planned for, what it became, and the file as it is now. */
export type Versions = Readonly<Record<'old' | 'result' | 'now', Stream>>;

/** Compares `old`, for which the changes were planned, with `now`. */
export function findDrift(versions: Versions, planned: readonly Change[]): Drift {
  const { old, now } = versions;
  const changes = findChanges(old, now);
  const documents = documentsSince(old, now);
  const isWhole = ({ op, path }: Change): boolean => path === '' && (op === 'add' || op === 'remove');
  const isOtherCount =
    old.documents.length !== now.documents.length &&
    planned.some((change) => !documents.has(change.doc) || isWhole(change));
  // Changed action lines of a template belong to no path; whether they matter to the plan is found elsewhere.
  const isOfData = ({ op }: Change): boolean => op !== 'text';
  const counting = planned.every(isOfData) ? changes.filter(isOfData) : changes;
  const meeting = isOtherCount ? changes : changesThatMeet(versions, counting, planned, documents);
  return { changes, meeting, isOtherCount, documents };
}

/** Pairs the documents of both versions. Where some came or went, only those with a name of their own in both are paired. */
function documentsSince(old: Stream, now: Stream): ReadonlyMap<number, number> {
  const isOtherCount = old.documents.length !== now.documents.length;
  const [oldNames, nowNames] = isOtherCount ? [documentNames(old), documentNames(now)] : [[], []];
  return new Map(
    pairDocuments(old, now).flatMap(({ old: from, next: to }) => {
      const isKnown = from !== undefined && to !== undefined && oldNames[from] === nowNames[to];
      return isKnown && (!isOtherCount || oldNames[from] !== undefined) ? [[from, to] as const] : [];
    }),
  );
}

/** The most comparisons of one change with another. Above it, all changes count as meeting. */
const MAX_COMPARISONS = 1_000_000;

/**
 * Answers those `changes` that are at, above or below one of `planned`, or in an item or document that may be another one than
 * before. `documents` pairs the documents of both versions.
 */
function changesThatMeet(
  { old, result, now }: Versions,
  changes: readonly Change[],
  planned: readonly Change[],
  documents: ReadonlyMap<number, number> = new Map(),
): readonly Change[] {
  if (changes.length * planned.length > MAX_COMPARISONS) return changes;
  const [oldNames, nowNames] = [documentNames(old), documentNames(now)];
  const [oldItems, nowItems] = [new ItemNames(old), new ItemNames(now)];
  const before = new Map([...documents].map(([from, to]) => [to, from]));
  const isOtherCount = old.documents.length !== now.documents.length;
  const plans = planned.map((plan) => {
    const doc = documents.get(plan.doc) ?? plan.doc;
    const sides = [rootOf(old, plan.doc), rootOf(result, plan.doc)] as const;
    return { scopes: scopesOf({ ...plan, doc }, sides), isUnsure: !isSameDocument(plan.doc, doc) };
  });
  return changes.filter((change) => {
    // A document that came or went is none of those that are known.
    if (isOtherCount && change.path === '' && (change.op === 'add' || change.op === 'remove')) return false;
    const { doc } = change;
    const scopes = scopesOf(change, [rootOf(old, before.get(doc) ?? doc), rootOf(now, doc)]);
    return plans.some(({ scopes: planned, isUnsure }) =>
      planned.some((plan) => plan.doc === doc && (isUnsure || scopes.some((scope) => meet(scope, plan)))),
    );
  });

  /** True for the same document by its name; one without a name counts as the same where nothing else has changed. */
  function isSameDocument(from: number, to: number): boolean {
    const name = oldNames[from];
    return name === nowNames[to] && (name !== undefined || changes.every((change) => change.doc === to));
  }

  /** True where the item has the same name in both versions, and no other item of its list has it. */
  function isSameItem(doc: number, path: NodePath): boolean {
    const name = oldItems.at(before.get(doc) ?? doc, path);
    return name !== undefined && name === nowItems.at(doc, path);
  }

  function meet(one: Scope, other: Scope): boolean {
    const [upper, lower] = one.path.length <= other.path.length ? [one, other] : [other, one];
    const { doc, path } = upper;
    for (const [depth, segment] of path.entries()) {
      if (upper.names[depth] !== lower.names[depth]) return false;
      if (typeof segment === 'number' && !isSameItem(doc, path.slice(0, depth + 1))) return true;
    }
    // An item that comes or goes is beside those that are known by name.
    const next = lower.path.slice(0, path.length + 1);
    const isInItem = upper.isShift && !lower.isShift && next.length > path.length;
    return !(isInItem && typeof next.at(-1) === 'number' && isSameItem(doc, next));
  }
}

/** The place that a change is about. */
interface Scope {
  readonly doc: number;
  readonly path: NodePath;
  /** A text for each step of the path, for comparing. */
  readonly names: readonly string[];
  /** An item comes or goes, which moves all behind it: the path is that of the list. */
  readonly isShift: boolean;
}

function rootOf({ documents }: Stream, doc: number): SpanNode | undefined {
  return documents[doc]?.root;
}

/** Answers the places that a change is about. A rename is about the old and the new key, and not about the keys beside them. */
function scopesOf({ op, doc, path: text }: Change, roots: Sides): readonly Scope[] {
  const whole = parseNodePath(text);
  const last = whole.at(-1);
  const isShift = typeof last === 'number' && (op === 'add' || op === 'remove');
  const above = whole.slice(0, -1);
  const keys = op === 'rename' ? keysOfOneSide(roots, above) : new Set<string>();
  const isKnown = typeof last === 'string' && keys.has(last);
  const renamed = isKnown ? [...keys].map((key) => [...above, key]) : [above];
  const paths = op === 'rename' ? renamed : [isShift ? above : whole];
  return paths.map((path) => {
    return { doc, path, names: path.map((segment) => printNodePath([segment])), isShift };
  });
}

type Sides = readonly [before: SpanNode | undefined, after: SpanNode | undefined];

/** Answers the keys that only one of two versions of a mapping has. */
function keysOfOneSide(roots: Sides, path: NodePath): ReadonlySet<string> {
  const [before, after] = [keysAt(roots[0], path), keysAt(roots[1], path)];
  return new Set([...before, ...after].filter((key) => !(before.has(key) && after.has(key))));
}

function keysAt(root: SpanNode | undefined, path: NodePath): ReadonlySet<string> {
  const node = nodeAt(root, path);
  return new Set(node?.kind === 'mapping' ? node.entries.flatMap(({ name }) => name ?? []) : []);
}
