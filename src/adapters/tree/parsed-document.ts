// A document of a text that was parsed. What its aliases mean is found when somebody asks, and once.
import { type AliasTargets, type DocumentSpans, type SpanNode, walk } from './span-tree.ts';

type Spans = Omit<DocumentSpans, 'aliasTargets'>;

export class ParsedDocument implements DocumentSpans {
  readonly start: number;
  readonly end: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly tagHandles: ReadonlyMap<string, string>;
  readonly root: SpanNode;
  readonly #text: string;
  #aliasTargets: AliasTargets | undefined;

  constructor(text: string, { start, end, contentStart, contentEnd, tagHandles, root }: Spans) {
    this.#text = text;
    this.start = start;
    this.end = end;
    this.contentStart = contentStart;
    this.contentEnd = contentEnd;
    this.tagHandles = tagHandles;
    this.root = root;
  }

  get aliasTargets(): AliasTargets {
    // Most texts have no alias, and are not worth a walk.
    this.#aliasTargets ??= this.#text.includes('*') ? findTargets(this.root) : new Map();
    return this.#aliasTargets;
  }
}

function findTargets(root: SpanNode): AliasTargets {
  const anchors = new Map<string, SpanNode>();
  const targets = new Map<SpanNode, SpanNode>();
  for (const node of walk(root)) {
    const target = node.kind === 'alias' ? anchors.get(node.name) : undefined;
    if (target !== undefined) targets.set(node, target);
    if (node.properties?.anchor !== undefined) anchors.set(node.properties.anchor.name, node);
  }
  return targets;
}
