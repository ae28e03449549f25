// The secrets of a file that has a structure: values below keys with the name of a secret, pairs of a name and a value, the
// data of a Secret, what the operator names; and within texts and comments what can be told from a text alone.
import {
  type FilledPlaces,
  type FoundSecret,
  findInLines,
  isEncrypted,
  isNoSecret,
  isSecretName,
  isStandIn,
  type SecretSpan,
} from '../../security/index.ts';
import type { ConfigFile } from '../formats/registry.ts';
import type { ScalarPlace } from '../tree/format.ts';
import { visitNodes } from '../tree/keys.ts';
import { matchPaths } from '../tree/match-paths.ts';
import { printNodePath } from '../tree/node-path.ts';
import type { PathWord } from '../tree/path-syntax.ts';
import type {
  DocumentSpans,
  MappingNode,
  ScalarNode,
  SequenceNode,
  Span,
  SpanNode,
} from '../tree/span-tree.ts';
import { contentOf, endOf, leafOf } from './content-of.ts';
import { linesIn } from './lines-in.ts';
import { membersOf } from './members.ts';

export interface TreeRules {
  /** The operator's names of keys. */
  readonly isAsked: (name: string) => boolean;
  /** The operator's paths. */
  readonly paths: readonly (readonly PathWord[])[];
  /** Whether only what people have filled in is looked for. */
  readonly isOff: boolean;
  readonly filled: FilledPlaces | undefined;
}

/** `inText`: what was found in the text alone, of which only counts what stands within one value or comment. */
export function findInTree(
  file: ConfigFile,
  { isAsked, paths, isOff, filled }: TreeRules,
  inText: readonly FoundSecret[],
): SecretSpan[] {
  const finder = new SecretFinder(file, isAsked);
  if (filled !== undefined) for (const { root } of file.stream.documents) finder.maskFilled(root, filled);
  if (isOff) return finder.spans;
  for (const document of file.stream.documents) {
    finder.visit(document, document.root);
    for (const words of paths)
      matchPaths(file.stream.text, document.root, words, (node) => {
        finder.maskAll(document, node);
        return true;
      });
  }
  return finder.withTexts(inText);
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const ANYWHERE: ScalarPlace = { style: 'empty', isFlow: false, quotes: () => 'double', unit: () => 2 };

class SecretFinder {
  readonly #text: string;
  readonly #isKey: TreeRules['isAsked'];
  /** Whether a text needs quotes wherever it stands, as in JSON. */
  readonly #isQuoted: boolean;
  readonly #spans: SecretSpan[] = [];
  /** Values and comments, in which a text can be found. */
  readonly #leaves: Span[];
  /** What an alias has been followed to already. */
  readonly #masked = new Set<SpanNode>();

  constructor(file: ConfigFile, isKey: TreeRules['isAsked']) {
    this.#text = file.stream.text;
    this.#isKey = isKey;
    const actions = file.stream.actions ?? [];
    this.#leaves = [...file.stream.comments, ...actions.filter(({ isHidden }) => isHidden)];
    this.#isQuoted = file.format.writeScalar('a', ANYWHERE) !== 'a';
  }

  get spans(): SecretSpan[] {
    return this.#spans;
  }

  /** What people have filled in, whatever its key. */
  maskFilled(root: SpanNode, filled: FilledPlaces): void {
    visitNodes(this.#text, root, (node, path) => {
      if (node.kind === 'scalar' && filled.isFilled(printNodePath(path), node.value))
        this.#maskScalar(node, true, true);
    });
  }

  visit(document: DocumentSpans, node: SpanNode): void {
    if (node.kind === 'scalar') {
      const leaf = leafOf(node);
      if (!isEncrypted(this.#text.slice(leaf.start, leaf.end))) this.#leaves.push(leaf);
    } else if (node.kind === 'sequence') this.#visitSequence(document, node);
    else if (node.kind === 'mapping') this.#visitMapping(document, node);
  }

  /** What follows a flag that has the name of a secret: `["--requirepass", "x"]`. */
  #visitSequence(document: DocumentSpans, { items }: SequenceNode): void {
    for (const [index, { value }] of items.entries()) {
      this.visit(document, value);
      const before = items[index - 1]?.value;
      const isFlag = before?.kind === 'scalar' && /^--?[A-Za-z][\w-]*$/u.test(before.value);
      if (isFlag && isSecretName(before.value) && value.kind === 'scalar' && !value.value.startsWith('-'))
        this.#maskScalar(value, false);
    }
  }

  #visitMapping(document: DocumentSpans, mapping: MappingNode): void {
    const members = membersOf(document, mapping);
    const isSecret = members.some(({ name, scalar }) => name === 'kind' && scalar === 'Secret');
    const isPair = members.some(
      ({ name = '', scalar = '' }) => /^(?:name|key)$/iu.test(name) && isSecretName(scalar),
    );
    if (isSecret)
      for (const { name, value } of members)
        if (name === 'data' || name === 'stringData') this.maskAll(document, value, true);
    const isReference = mapping.entries.some(({ name }) => name === 'remoteRef');
    for (const { name = '', value } of mapping.entries) {
      // A SealedSecret: only its controller can read it.
      if (name === 'encryptedData') continue;
      this.visit(document, value);
      if (this.#isKey(name)) this.maskAll(document, value);
      else if (name === LAST_APPLIED || (isPair && VALUES.test(name))) this.#maskValue(document, value);
      else if (name === 'auths') this.#maskAuths(document, value);
      else if (!isReference && isSecretName(name)) this.#maskValue(document, value);
    }
  }

  /** The registries of a Docker configuration. */
  #maskAuths(document: DocumentSpans, registries: SpanNode): void {
    if (registries.kind !== 'mapping') return;
    for (const { value } of registries.entries)
      if (value.kind === 'mapping')
        for (const entry of value.entries) if (entry.name === 'auth') this.#maskValue(document, entry.value);
  }

  /** A scalar or a list of them, or the `value` of a mapping, in which each other key says for itself what it holds. */
  #maskValue(document: DocumentSpans, node: SpanNode): void {
    const nodes =
      node.kind === 'sequence'
        ? node.items.map(({ value }) => value)
        : node.kind === 'mapping'
          ? node.entries.flatMap(({ name = '', value }) => (VALUES.test(name) ? [value] : []))
          : [node];
    for (const one of nodes) {
      const target = one.kind === 'alias' ? document.aliasTargets.get(one) : one;
      if (target?.kind === 'scalar') this.#maskScalar(target, false);
    }
  }

  /** Everything below, whatever it is. `isSure`: a reference is one only where a template makes it. */
  maskAll(document: DocumentSpans, node: SpanNode, isSure = false): void {
    if (this.#masked.has(node)) return;
    this.#masked.add(node);
    if (node.kind === 'alias') {
      const target = document.aliasTargets.get(node);
      if (target !== undefined) this.maskAll(document, target, isSure);
    } else if (node.kind === 'scalar') this.#maskScalar(node, true, isSure);
    else if (node.kind === 'sequence')
      for (const { value } of node.items) this.maskAll(document, value, isSure);
    else for (const { value } of node.entries) this.maskAll(document, value, isSure);
  }

  #maskScalar(node: ScalarNode, isAsked: boolean, isSure = false): void {
    const { start, end } = contentOf(node, this.#text);
    const source = this.#text.slice(start, end);
    if (source.trim() === '' || isStandIn(source) || isEncrypted(source)) return;
    if ((isSure || !isAsked) && ACTION.test(source)) {
      this.#maskLiterals(start, source);
      return;
    }
    if (!isAsked && (isNoSecret(source) || (typeof node.typedValue === 'number' && !isLikePin(source))))
      return;
    if (isAsked && !isSure && node.typedValue === null) return;
    const isBare = node.style === 'plain' && this.#isQuoted;
    this.#spans.push(isBare ? { start, end, isBare } : { start, end });
  }

  /** Of an action of a template: what it writes where nothing else is given. */
  #maskLiterals(at: number, source: string): void {
    for (const { 0: all, 1: literal = '', index } of source.matchAll(LITERAL)) {
      const start = at + index + all.lastIndexOf(literal);
      if (!isNoSecret(literal)) this.#spans.push({ start, end: start + literal.length });
    }
  }

  withTexts(inText: readonly FoundSecret[]): SecretSpan[] {
    this.#leaves.sort((a, b) => a.start - b.start);
    for (const { from, start, end } of inText) {
      const leaf = this.#leafAt(start);
      if (leaf === undefined || from < leaf.start) continue;
      this.#spans.push({
        start,
        end: this.#isWholeAssignment(leaf, from, start) ? endOf(leaf, this.#text) : Math.min(end, leaf.end),
      });
    }
    for (const leaf of this.#leaves) {
      const text = linesIn(this.#text.slice(leaf.start, leaf.end));
      if (text === undefined) continue;
      for (const { start, end } of findInLines(text, { isAsked: this.#isKey }))
        this.#spans.push({ start: leaf.start + start, end: leaf.start + end });
    }
    return this.#spans;
  }

  /** `- DB_PASSWORD=two words; and more`: of a value that is an assignment alone, all of the rest belongs to it. */
  #isWholeAssignment({ start, end }: Span, from: number, at: number): boolean {
    const isFirst = from === start || (from === start + 1 && /["']/u.test(this.#text[start] ?? ''));
    return isFirst && this.#text[at - 1] === '=' && !this.#text.slice(start, end).includes('\n');
  }

  /** The one that holds the offset: leaves do not overlap. */
  #leafAt(offset: number): Span | undefined {
    let [low, high] = [0, this.#leaves.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#leaves[middle]?.start ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    const leaf = this.#leaves[low - 1];
    return leaf !== undefined && offset < leaf.end ? leaf : undefined;
  }
}

/** A number below a name of a secret: `token: 5` counts something. */
function isLikePin(source: string): boolean {
  return /^\d{4,}$/u.test(source);
}

const VALUES = /^(?:value|default|defaultvalue)$/iu;
const ACTION = /^\s*\{\{[^{}]*\}\}\s*$/u;
const LITERAL = /(?:\bdefault\s+|^\s*\{\{-?\s*)"([^"\\]+)"/gu;
