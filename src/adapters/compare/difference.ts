// The differences of two versions of a tree, and the steps that lead down to them.
import type { DataPath, NodePath } from '../../security/index.ts';
import type { View } from '../tree/resolved.ts';
import type {
  Collection,
  DocumentSpans,
  Entry,
  Item,
  SequenceNode,
  SpanNode,
  Stream,
} from '../tree/span-tree.ts';
import { limitReached } from '../tree/wording.ts';

export interface Difference {
  /** `order`: the same parts stand in another order. Of mappings this changes the data only where they merge others. */
  readonly op: 'add' | 'remove' | 'replace' | 'rename' | 'order';
  readonly path: NodePath;
  /** The nodes; for a renamed key, these are keys. */
  readonly old: SpanNode | undefined;
  readonly next: SpanNode | undefined;
  /** The last step of the path; undefined at the root. */
  readonly step: Step | undefined;
  /** The offset in the new text; in the old one for what was removed. */
  readonly at: number;
}

/** A version of a document, and how it is read. */
export interface Side {
  readonly stream: Stream;
  readonly document: DocumentSpans;
  readonly view: View;
}

/** The name of each item of a list; undefined for one that has none of its own. */
export type NameItems = (list: SequenceNode) => readonly (string | undefined)[];

export interface Pairing {
  /** Items are paired by these names where all of both lists have one. */
  readonly nameItems?: NameItems;
  /** True if the first key that differs may be a renamed one. */
  readonly hasRenames?: boolean;
  /** The path of the two nodes that are compared. */
  readonly base?: NodePath;
}

/** A step of a path, with the collections that it leads through. */
export interface Step {
  readonly above: Step | undefined;
  readonly depth: number;
  readonly segment: string | number;
  /** The two versions of the collection; one is missing within what came or went. */
  readonly old: Collection | undefined;
  readonly next: Collection | undefined;
  /** The part of the new version, or of the old one where it was removed. */
  readonly part: Entry | Item;
}

/** Throws LIMIT_EXCEEDED where aliases lead deeper than any reader would follow them. */
export function requireDepth(step: Step | undefined): void {
  if (step !== undefined && step.depth > MAX_DEPTH) throw limitReached('depth', MAX_DEPTH, 'levels');
}

export function stepTo(step: Omit<Step, 'depth'>): Step {
  return { ...step, depth: (step.above?.depth ?? 0) + 1 };
}

/** The path that the steps lead along. */
export function pathTo(step: Step | undefined): DataPath {
  const segments: (string | number)[] = [];
  for (let at = step; at !== undefined; at = at.above) segments.push(at.segment);
  return segments.reverse();
}

/** Deeper paths come of an alias that leads back into its own node. */
const MAX_DEPTH = 200;
