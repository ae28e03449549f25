// Keeps the places of plans that were made for one tree and are not carried out yet. It tells whether another operation can be
// planned on that tree with the same result as on what the plans leave: the file is then read and proven once. In doubt the
// answer is no. A question usually costs as much as the path is deep, however many plans there are.
//
// An operation depends on the node that its path and its document name, on what that node holds and stands in, on the index of
// each item on the way, and on what aliases mean. `isFree` asks for these four. `add` asks whether what two plans write is apart.
import { type NodePath, parsePath } from '../../security/index.ts';
import { type Intent, nodeAtPosition, type Plan, type PlanContext, type Position } from '../edit/intent.ts';
import type { DocumentSelector } from '../tree/document.ts';
import { firstFrom } from '../tree/first-from.ts';
import { locate } from '../tree/locate.ts';
import { isCollection, type Span, type SpanNode, type Stream, walk } from '../tree/span-tree.ts';

/** The node that an operation is about. */
export interface Target {
  readonly position: Position;
  /** True if the node is the parent, in which the operation makes a part. */
  readonly isParent: boolean;
  /** True if the text of the path means this node whatever other keys come into the file. */
  readonly isPlain: boolean;
}

/** Returns the target of a path that was written as `text`. Throws the refusals of the path. */
export function targetOf({ document, documentIndex }: PlanContext, path: NodePath, text: string): Target {
  const { steps, missing } = locate(document, path);
  const position = { document: documentIndex, indexes: steps.map(({ index }) => index) };
  const isParent = missing.length > 0;
  return { position, isParent, isPlain: isPlain(path, text, isParent) };
}

/** False for one of several equal keys, and where dots or slashes of the text may belong to a key. */
function isPlain(path: NodePath, text: string, isMissing: boolean): boolean {
  const words = parsePath(text);
  const isClear = words.every(
    (word) =>
      word.kind !== 'key' ||
      (word.occurrence === undefined && !(isMissing && word.isBare && word.key.includes('/'))),
  );
  return isClear && words.length === path.length && !text.startsWith('.');
}

/** What plans do at a node, and at those below it by the index of the part. */
interface PlannedNode {
  /** The node is replaced or removed, or gets another key. */
  isChanged?: true;
  /** Something other than its data changes, such as a comment. */
  hasOtherChange?: true;
  /** A part gets a comment, whose column the comments beside it keep. */
  hasComment?: true;
  /** A part is added to it, or gets another key. */
  gainsPart?: true;
  /** A part is removed from it, or gets another key. */
  losesPart?: true;
  /** The items behind a part get other indexes. */
  movesItems?: true;
  readonly below: Map<number, PlannedNode>;
}

export class OpenPlaces {
  readonly #stream: Stream;
  readonly #root: PlannedNode = { below: new Map() };
  /** The spans that change, in the order of the text. */
  readonly #spans: Span[] = [];
  /** The keys whose scalars are replaced. */
  readonly #keys = new Set<string>();
  /** True while no other data changes. */
  #areOnlyScalars = true;
  /** True if the place of a plan is not known, so that no other operation is free. */
  #isClosed = false;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** True if the plans neither move nor change the node of the operation, nor what it is chosen by. */
  isFree(target: Target, path: string, doc: DocumentSelector | undefined): boolean {
    const { position, isParent } = target;
    if (this.#isClosed || !this.#keepsChoice(target, fieldsIn(path, doc))) return false;
    const nodes = this.#nodesTo(position);
    if (nodes.some(({ isChanged, hasOtherChange, movesItems }) => isChanged || hasOtherChange || movesItems))
      return false;
    const [parent, own] = nodes.slice(position.indexes.length);
    if (parent?.hasComment === true && position.indexes.length > 0) return false;
    // A plan may have given the name of the new part to another, or have taken it away.
    return own === undefined || (isParent && own.gainsPart !== true && own.losesPart !== true);
  }

  /** Adds a plan; returns false, and adds nothing, where its text touches that of another one, or its place is within another's. */
  add(plan: Plan, target: Target | undefined): boolean {
    if (!this.#isApart(plan.intent) || plan.edits.some((edit) => this.#touches(edit))) return false;
    for (const edit of plan.edits) this.#hold(edit);
    this.#mark(plan, target);
    return true;
  }

  #isApart(intent: Intent): boolean {
    if (intent.kind === 'nothing') return true;
    if (!('at' in intent) || bringsAlias(intent)) return this.#root.below.size === 0 && !this.#isClosed;
    const place = placeOf(intent);
    const nodes = this.#nodesTo(place);
    if (nodes.some(({ isChanged }) => isChanged)) return false;
    const own = nodes[place.indexes.length + 1];
    // Two new keys of one mapping may be the same.
    if (intent.kind === 'insert') return own?.gainsPart !== true;
    const container =
      intent.kind === 'rename' ? this.#nodesTo(intent.at)[intent.at.indexes.length + 1] : undefined;
    return container?.gainsPart !== true && (own === undefined || !changesData(own));
  }

  #mark({ intent, commentChange }: Plan, target: Target | undefined): void {
    if (intent.kind === 'nothing') {
      if (target === undefined) {
        this.#isClosed = true;
        return;
      }
      const { position } = target;
      this.#nodeAt(position).hasOtherChange = true;
      const above = { ...position, indexes: position.indexes.slice(0, -1) };
      if (commentChange !== undefined) this.#nodeAt(above).hasComment = true;
      return;
    }
    this.#noteScalar(intent);
    if (!('at' in intent) || bringsAlias(intent)) {
      this.#isClosed = true;
      return;
    }
    const container = this.#nodeAt(intent.at);
    const isList = nodeAtPosition(this.#stream, intent.at)?.kind !== 'mapping';
    if (intent.kind === 'insert') container.gainsPart = true;
    else this.#nodeAt(placeOf(intent)).isChanged = true;
    if (intent.kind === 'rename') [container.gainsPart, container.losesPart] = [true, true];
    if (intent.kind === 'remove') container.losesPart = true;
    if (isList && (intent.kind === 'insert' || intent.kind === 'remove')) container.movesItems = true;
  }

  /** Notes the key of a scalar that another scalar replaces, or else that other data changes. */
  #noteScalar(intent: Intent): void {
    const part = intent.kind === 'replace' ? entryAt(this.#stream, intent.at) : undefined;
    const isScalar =
      intent.kind === 'replace' &&
      intent.value.around.length === 0 &&
      intent.value.fragment.node.kind === 'scalar' &&
      part?.value.kind === 'scalar';
    if (isScalar && part?.name !== undefined) this.#keys.add(part.name);
    else this.#areOnlyScalars = false;
  }

  /** True if no plan changes how the path is read, a value of `fields` that chooses a node, or what aliases in the node mean. */
  #keepsChoice({ position, isParent, isPlain }: Target, fields: readonly string[]): boolean {
    if (!isPlain && !this.#areOnlyScalars) return false;
    const node = isParent ? undefined : nodeAtPosition(this.#stream, position);
    // Aliases mean what stands at an anchor, and a new list is compared with what the old one means.
    const meansOthers = () =>
      fields.length > 0 || (node !== undefined && isCollection(node) && [...walk(node)].some(isAlias));
    if (this.#stream.documents.some(({ aliasTargets }) => aliasTargets.size > 0) && meansOthers())
      return false;
    return fields.length === 0 || (this.#areOnlyScalars && !fields.some((field) => this.#keys.has(field)));
  }

  #hold({ start, end }: Span): void {
    let at = firstFrom(this.#spans, start);
    // A plan may insert where it replaces something; the longer span comes last.
    while (this.#spans[at]?.start === start && (this.#spans[at]?.end ?? 0) <= end) at += 1;
    this.#spans.splice(at, 0, { start, end });
  }

  #touches({ start, end }: Span): boolean {
    const next = firstFrom(this.#spans, start);
    const [before, after] = [this.#spans[next - 1], this.#spans[next]];
    return (before !== undefined && before.end >= start) || (after !== undefined && after.start <= end);
  }

  /** The planned nodes from the root on, as far as there are any; the document comes second. */
  #nodesTo({ document, indexes }: Position): readonly PlannedNode[] {
    const nodes: PlannedNode[] = [];
    let node: PlannedNode | undefined = this.#root;
    for (const index of [document, ...indexes, undefined]) {
      if (node === undefined) break;
      nodes.push(node);
      node = index === undefined ? undefined : node.below.get(index);
    }
    return nodes;
  }

  #nodeAt({ document, indexes }: Position): PlannedNode {
    return [document, ...indexes].reduce<PlannedNode>((node, index) => {
      const next = node.below.get(index) ?? { below: new Map() };
      node.below.set(index, next);
      return next;
    }, this.#root);
  }
}

/** True if a plan changes data at the node or below it. */
function changesData({ isChanged, gainsPart, below }: PlannedNode): boolean {
  return isChanged === true || gainsPart === true || [...below.values()].some(changesData);
}

function placeOf(intent: Extract<Intent, { readonly at: Position }>): Position {
  const { kind, at } = intent;
  return kind === 'remove' || kind === 'rename' ? { ...at, indexes: [...at.indexes, intent.index] } : at;
}

function entryAt(stream: Stream, { document, indexes }: Position) {
  const holder = nodeAtPosition(stream, { document, indexes: indexes.slice(0, -1) });
  return holder?.kind === 'mapping' ? holder.entries[indexes.at(-1) ?? -1] : undefined;
}

/** Returns the keys whose values choose the node, by selectors in the path or by that of the document. */
function fieldsIn(path: string, doc: DocumentSelector | undefined): readonly string[] {
  const selectors = typeof doc === 'object' ? Object.keys(doc) : [];
  const named = typeof doc === 'string' ? ['kind', 'name'] : selectors.flatMap((one) => endsOf(keysOf(one)));
  const conditions = [path, ...selectors].flatMap((one) =>
    parsePath(one).flatMap((word) => (word.kind === 'items' ? [word, ...(word.others ?? [])] : [])),
  );
  return [...named, ...conditions.flatMap(({ field }) => endsOf(field))];
}

function keysOf(path: string): readonly string[] {
  return parsePath(path).flatMap((word) => ('key' in word ? word.key : []));
}

/** Returns every key that such a path can end with, because dots and slashes may separate keys or belong to one. */
function endsOf(keys: readonly string[]): readonly string[] {
  const text = `.${keys.join('.')}`;
  const starts = [...text.matchAll(/[./]/g)].flatMap(({ index }) => [index, index + 1]);
  return starts.map((start) => text.slice(start));
}

/** True for new data with an alias: which node it means depends on all anchors before it. */
function bringsAlias(intent: Intent): boolean {
  return 'value' in intent && [...walk(intent.value.fragment.node)].some(isAlias);
}

function isAlias({ kind }: SpanNode): boolean {
  return kind === 'alias';
}
