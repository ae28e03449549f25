// Whether two changes meet: one to be made, one that somebody else has made since. A path is only as good as
// what it leads through: `items[2]` may be another item than it was, and `doc` 1 another document.
import type { Change } from '../../security/index.ts';
import { locateIfClear } from '../review/locate-if-clear.ts';
import { keySegment, type NodePath, parseNodePath, printNodePath, type Segment } from '../tree/node-path.ts';
import type { SpanNode, Stream } from '../tree/span-tree.ts';
import { scalarValue } from '../yaml/scalar-value.ts';

/** By which one item of a list is told from the others, as people and Kubernetes do. */
const ITEM_NAMES = ['name', 'id'] as const;

/** Two versions of a file with the same number of documents, and all that differs between them. */
export class Versions {
  readonly #old: Stream;
  readonly #now: Stream;
  /** The documents in which anything differs. */
  readonly #changed: ReadonlySet<number>;
  // Thousands of changes may be held against each other: each question is answered once.
  readonly #reaches = new Map<Change, Reach>();
  readonly #documents = new Map<number, boolean>();
  readonly #items = new Map<string, boolean>();

  constructor(old: Stream, now: Stream, changes: readonly Change[]) {
    this.#old = old;
    this.#now = now;
    this.#changed = new Set(changes.map(({ doc }) => doc));
  }

  /** Whether one is at, above or below the other, or both are in what may be another item or document than it was. */
  meet(one: Change, other: Change): boolean {
    if (one.doc !== other.doc) return false;
    if (!this.#isSameDocument(one.doc)) return true;
    const [left, right] = [this.#reachOf(one), this.#reachOf(other)];
    const common = commonLength(left.path, right.path);
    // Below the last common step the two part, but for an item that comes or goes beside a known one.
    const through = left.path.slice(0, common);
    if (through.some((_, i) => !this.#isSameItem(one.doc, through.slice(0, i + 1)))) return true;
    if (common < left.path.length && common < right.path.length) return false;
    const [upper, lower] = common === left.path.length ? [left, right] : [right, left];
    const item = lower.path.slice(0, common + 1);
    const isBeside = upper.isShift && !lower.isShift && item.length > common;
    return !(isBeside && item.at(-1)?.kind === 'index' && this.#isNamedItem(one.doc, item));
  }

  /** A key is its own name; an item is the same where nothing in its list can have taken its place. */
  #isSameItem(doc: number, path: NodePath): boolean {
    return path.at(-1)?.kind !== 'index' || this.#isNamedItem(doc, path);
  }

  /** Whether the item at this index has the same name in both versions, and no other item of its list has it. */
  #isNamedItem(doc: number, path: NodePath): boolean {
    return known(this.#items, `${doc} ${printNodePath(path)}`, () => {
      const [old, now] = [this.#old, this.#now].map((stream) => nameOfItem(stream, doc, path));
      return old !== undefined && old === now;
    });
  }

  /** By what it is called; one that is not called anything is the same where it alone has changed. */
  #isSameDocument(doc: number): boolean {
    return known(this.#documents, doc, () => {
      const [old, now] = [this.#old, this.#now].map((stream) => nameOfDocument(stream, doc));
      return old === now && (old !== undefined || [...this.#changed].every((changed) => changed === doc));
    });
  }

  #reachOf(change: Change): Reach {
    return known(this.#reaches, change, () => new Reach(change));
  }
}

function known<Key, Value>(answers: Map<Key, Value>, key: Key, find: () => Value): Value {
  const answer = answers.get(key) ?? find();
  answers.set(key, answer);
  return answer;
}

/** What a change is about. An item that comes or goes moves all behind it; a rename is about its mapping. */
class Reach {
  readonly path: NodePath;
  readonly isShift: boolean;

  constructor({ op, path: text }: Change) {
    const path = parseNodePath(text);
    this.isShift = path.at(-1)?.kind === 'index' && (op === 'add' || op === 'remove');
    this.path = this.isShift || op === 'rename' ? path.slice(0, -1) : path;
  }
}

function commonLength(left: NodePath, right: NodePath): number {
  let length = 0;
  while (length < left.length && length < right.length && isSame(left[length], right[length])) length += 1;
  return length;
}

/** A printed path has keys and indexes only. */
function isSame(left: Segment | undefined, right: Segment | undefined): boolean {
  if (left?.kind === 'index') return right?.kind === 'index' && left.index === right.index;
  return left?.kind === 'key' && right?.kind === 'key' && left.key === right.key;
}

/** Undefined where it has none, or shares it with another. */
function nameOfItem(stream: Stream, doc: number, path: NodePath): string | undefined {
  const last = path.at(-1);
  const list = nodeAt(stream, doc, path.slice(0, -1));
  if (list?.kind !== 'sequence' || last?.kind !== 'index') return undefined;
  return ITEM_NAMES.map((key) => {
    const names = list.items.map(({ value }) => scalarBelow(stream.text, value, key));
    const own = names[last.index];
    const isOnlyOne = names.filter((name) => name === own).length === 1;
    return own !== undefined && isOnlyOne ? `${key} ${own}` : undefined;
  }).find((name) => name !== undefined);
}

function nameOfDocument(stream: Stream, doc: number): string | undefined {
  const names = stream.documents.map((_, index) => {
    const at = (...keys: string[]) => scalarAt(stream, index, keys.map(keySegment));
    const [kind, name] = [at('kind'), at('metadata', 'name')];
    if (kind === undefined || name === undefined) return undefined;
    return JSON.stringify([at('apiVersion'), kind, at('metadata', 'namespace'), name]);
  });
  const own = names[doc];
  return names.filter((name) => name === own).length === 1 ? own : undefined;
}

function scalarAt(stream: Stream, doc: number, path: NodePath): string | undefined {
  const node = nodeAt(stream, doc, path);
  return node?.kind === 'scalar' ? scalarValue(stream.text, node) : undefined;
}

function scalarBelow(text: string, node: SpanNode, name: string): string | undefined {
  if (node.kind !== 'mapping') return undefined;
  const [entry, second] = node.entries.filter(
    ({ key }) => key.kind === 'scalar' && scalarValue(text, key) === name,
  );
  return entry?.value.kind === 'scalar' && second === undefined ? scalarValue(text, entry.value) : undefined;
}

function nodeAt({ text, documents }: Stream, doc: number, path: NodePath): SpanNode | undefined {
  const document = documents[doc];
  const located = document === undefined ? undefined : locateIfClear(text, document, path);
  return located?.missing.length === 0 ? located.node : undefined;
}
