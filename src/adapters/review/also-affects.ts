// The blast radius of a change: the paths that show the changed data through an alias or a merge key.
import type { Change } from '../../security/index.ts';
import { Refusal } from '../../security/index.ts';
import { keyText, locate } from '../tree/locate.ts';
import { indexSegment, keySegment, type NodePath, parseNodePath, printNodePath } from '../tree/node-path.ts';
import { sliceOf } from '../tree/slice.ts';
import type { DocumentSpans, SpanNode, Stream } from '../tree/span-tree.ts';

const MAX_PATHS = 200;

/** Paths by the document's own words, in source order, at most 200; a document that is not the first is named. */
export function findAlsoAffected(base: Stream, result: Stream, changes: readonly Change[]): string[] {
  const maps = new Map<DocumentSpans, AliasMap>();
  const found = new Set<string>();
  for (const change of changes) {
    if (change.op === 'comment') continue;
    for (const { stream, path } of placesOf(change)) {
      const document = stream.documents[change.doc];
      if (document === undefined) continue;
      const map = maps.get(document) ?? new AliasMap(stream.text, document);
      maps.set(document, map);
      for (const reached of map.reachedFrom(path)) {
        if (found.size >= MAX_PATHS) return [...found];
        found.add(stream.documents.length > 1 ? `doc ${change.doc}: ${reached}` : reached);
      }
    }
  }
  return [...found];

  /** What is removed shows in the old text, what is new in the new one, and a new name in both. */
  function placesOf({ op, path, from, doc }: Change): { stream: Stream; path: NodePath }[] {
    const now = parseNodePath(path);
    if (op !== 'rename') return [{ stream: op === 'remove' ? base : result, path: now }];
    const old = oldName(base, doc, now.slice(0, -1), from ?? '');
    return [{ stream: result, path: now }, ...(old === undefined ? [] : [{ stream: base, path: old }])];
  }
}

/** The path of the key in the mapping at `parent` that is written so. */
function oldName({ text, documents }: Stream, doc: number, parent: NodePath, source: string) {
  const document = documents[doc];
  const mapping = document === undefined ? undefined : nodeAt(text, document, parent);
  if (mapping?.kind !== 'mapping') return undefined;
  const entry = mapping.entries.find(({ key }) => sliceOf(text, key) === source);
  const name = entry === undefined ? undefined : keyText(text, entry.key);
  return name === undefined ? undefined : [...parent, keySegment(name)];
}

function nodeAt(text: string, document: DocumentSpans, path: NodePath): SpanNode | undefined {
  try {
    const { node, missing } = locate(text, document, path);
    return missing.length === 0 ? node : undefined;
  } catch (error) {
    // A path through an alias was followed already; one through a duplicate key leads nowhere certain.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

interface AliasUse {
  readonly path: NodePath;
  /** The mapping that merges it; undefined for an alias that stands for a value. */
  readonly mergedInto: SpanNode | undefined;
}

class AliasMap {
  readonly #text: string;
  readonly #document: DocumentSpans;
  readonly #usesOf = new Map<SpanNode, AliasUse[]>();
  readonly #anchors = new Map<string, SpanNode>();

  constructor(text: string, document: DocumentSpans) {
    this.#text = text;
    this.#document = document;
    this.#visit(document.root, [], undefined);
  }

  reachedFrom(path: NodePath): string[] {
    if (this.#usesOf.size === 0) return [];
    const reached = new Map<string, NodePath>();
    const queue: NodePath[] = [path];
    for (let next = queue.pop(); next !== undefined && reached.size < MAX_PATHS; next = queue.pop()) {
      for (const affected of this.#usesAlong(next)) {
        const name = printNodePath(affected);
        if (reached.has(name)) continue;
        reached.set(name, affected);
        queue.push(affected);
      }
    }
    return [...reached.keys()];
  }

  /** Every alias of a node that the path goes through, with the rest of the path behind it. */
  *#usesAlong(path: NodePath): Generator<NodePath> {
    for (let length = 0; length <= path.length; length++) {
      const node = nodeAt(this.#text, this.#document, path.slice(0, length));
      if (node === undefined) return;
      const rest = path.slice(length);
      for (const { path: use, mergedInto } of this.#usesOf.get(node) ?? []) {
        if (mergedInto === undefined || !this.#overrides(mergedInto, rest)) yield [...use, ...rest];
      }
    }
  }

  #overrides(mapping: SpanNode, rest: NodePath): boolean {
    const first = rest[0];
    if (mapping.kind !== 'mapping' || first === undefined || first.kind === 'index') return false;
    return mapping.entries.some(({ key }) => keyText(this.#text, key) === first.key);
  }

  #visit(node: SpanNode, path: NodePath, mergedInto: { node: SpanNode; path: NodePath } | undefined): void {
    if (node.properties?.anchor !== undefined) this.#anchors.set(node.properties.anchor.name, node);
    if (node.kind === 'alias') {
      const target = this.#anchors.get(node.name);
      if (target === undefined) return;
      const use = { path: mergedInto?.path ?? path, mergedInto: mergedInto?.node };
      this.#usesOf.set(target, [...(this.#usesOf.get(target) ?? []), use]);
    } else if (node.kind === 'sequence') {
      for (const [i, { value }] of node.items.entries())
        this.#visit(value, [...path, indexSegment(i)], mergedInto);
    } else if (node.kind === 'mapping') {
      for (const { key, value } of node.entries) {
        this.#visit(key, path, undefined);
        const name = keyText(this.#text, key) ?? this.#text.slice(key.start, key.end);
        const isMerge = name === '<<' && key.kind === 'scalar' && key.style === 'plain';
        this.#visit(value, [...path, keySegment(name)], isMerge ? { node, path } : undefined);
      }
    }
  }
}
