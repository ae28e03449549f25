// Finds the secrets of a file with a structure: values below secret keys, pairs of a name and a value, the data of a Secret,
// and what the operator names. In texts and comments it finds what a text alone shows.

import type { PathWord } from '../../security/node-paths/node-path.ts';
import { isConfigText } from '../../security/secrets/config-text.ts';
import { PAIR_NAME_KEYS, PAIR_VALUE_KEYS } from '../../security/secrets/find-in-lines.ts';
import type { MaskedBy } from '../../security/secrets/found-secret.ts';
import type { IsSecretName } from '../../security/secrets/key-names.ts';
import type { SecretSpan } from '../../security/secrets/masked-text.ts';
import { isReference } from '../../security/secrets/references.ts';
import type { TextSearch } from '../../security/secrets/search-text.ts';
import { isOrdinary, kindsShownFor, secretPartsOf } from '../../security/secrets/secret-name.ts';
import { isEncrypted, isStandIn } from '../../security/secrets/secret-values.ts';
import type { ConfigFile } from '../formats/registry.ts';
import type { ScalarPlace } from '../tree/format.ts';
import { firstFrom } from '../tree/lines.ts';
import { targetOf } from '../tree/resolved.ts';
import type {
  DocumentSpans,
  MappingNode,
  ScalarNode,
  SequenceNode,
  Span,
  SpanNode,
} from '../tree/span-tree.ts';
import { contentOf, findInLeaves, groupsOf, leafOf } from './find-in-leaves.ts';
import { type Member, membersOf, ownMembers, scalarText } from './masking-rules.ts';
import { nodesAtMaskedPath } from './nodes-at-masked-path.ts';

export interface TreeRules {
  /** The test for secret names, without those that the operator wants to be shown. */
  readonly isSecret: IsSecretName;
  /** The test for names that the operator wants to be shown, where there are any. */
  readonly isShown?: ((name: string) => boolean) | undefined;
  /** The operator's names of keys, where there are any. */
  readonly isAsked: ((name: string) => boolean) | undefined;
  /** The operator's paths. */
  readonly paths: readonly (readonly PathWord[])[];
}

/** The reason why a value counts as a secret. */
interface Said {
  readonly by: MaskedBy;
  /** The key, where that tells it. */
  readonly name?: string;
  /** The text after which the secret begins, where the value contains it. */
  readonly from?: string;
  /** True if the key is a plural. */
  readonly isMany?: boolean;
}

/** Takes time for what may be secret, not for all of a file. */
export function findInTree(file: ConfigFile, rules: TreeRules, inText: TextSearch): SecretSpan[] {
  const { isAsked, isSecret, paths } = rules;
  const finder = new SecretFinder(file, rules, inText);
  for (const document of file.stream.documents) {
    finder.visit(document, document.root);
    for (const words of paths)
      for (const node of nodesAtMaskedPath(file.stream.text, document, words))
        finder.maskAsked(document, node);
  }
  return [
    ...finder.spans,
    ...findInLeaves(file.stream.text, finder.leaves, { found: inText.found, isAsked, isSecret }),
  ];
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const ANYWHERE: ScalarPlace = { style: 'empty', isFlow: false, quotes: () => 'double', unit: () => 2 };

class SecretFinder {
  readonly #text: string;
  readonly #isKey: TreeRules['isAsked'];
  readonly #isSecret: IsSecretName;
  readonly #isShown: (name: string) => boolean;
  /** The places of secrets in the text, and of names that may be secret, in order. */
  readonly #inText: readonly { readonly start: number }[];
  /** True if a text always needs quotes, as in JSON. */
  readonly #isQuoted: boolean;
  readonly #spans: SecretSpan[] = [];
  /** Values and comments in which a text can be found. */
  readonly #leaves: Span[];
  /** The aliases and nodes that were followed already. */
  readonly #masked = new Set<SpanNode>();
  readonly #asked = new Set<SpanNode>();

  constructor(
    { stream, format }: ConfigFile,
    { isAsked, isSecret, isShown = () => false }: TreeRules,
    { found, nameCandidates: named }: TextSearch,
  ) {
    this.#text = stream.text;
    this.#isKey = isAsked;
    this.#isSecret = isSecret;
    this.#isShown = isShown;
    this.#inText = [...found, ...named.map((start) => ({ start }))].sort((a, b) => a.start - b.start);
    const actions = stream.actions ?? [];
    const hidden = [...actions.filter(({ isHidden }) => isHidden), ...(stream.unseen ?? [])];
    const texts = [...groupsOf(stream.comments, this.#text), ...hidden];
    this.#leaves = texts.filter((leaf) => this.#mayHoldAny(leaf));
    this.#isQuoted = format.writeScalar('a', ANYWHERE) !== 'a';
  }

  /** True if the span may hold a secret; always where the operator has named keys, which may be anywhere. */
  #mayHoldAny({ start, end }: Span): boolean {
    const first = this.#inText[firstFrom(this.#inText, start)];
    return this.#isKey !== undefined || (first !== undefined && first.start < end);
  }

  get spans(): SecretSpan[] {
    return this.#spans;
  }

  /** Values and comments, in no order. */
  get leaves(): readonly Span[] {
    return this.#leaves;
  }

  visit(document: DocumentSpans, node: SpanNode): void {
    // Aliases bring nodes from elsewhere, and the parts of a table may be in several places.
    const isElsewhere =
      document.aliasTargets.size > 0 || (node.kind === 'mapping' && node.style === 'sections');
    if (!isElsewhere && !this.#mayHoldAny(node)) return;
    if (node.kind === 'scalar') {
      const leaf = leafOf(node);
      if (!isEncrypted(this.#text.slice(leaf.start, leaf.end))) this.#leaves.push(leaf);
    } else if (node.kind === 'sequence') this.#visitSequence(document, node);
    else if (node.kind === 'mapping') this.#visitMapping(document, node);
  }

  /** Masks the item after a flag with a secret name: `["--requirepass", "x"]`. */
  #visitSequence(document: DocumentSpans, { items }: SequenceNode): void {
    for (const [index, { value }] of items.entries()) {
      this.visit(document, value);
      const previous = items[index - 1]?.value;
      const before = previous && targetOf(document, previous);
      const isFlag = before?.kind === 'scalar' && /^--?[A-Za-z][\w-]*$/u.test(before.value);
      if (isFlag && this.#isSecret(before.value) && value.kind === 'scalar' && !value.value.startsWith('-'))
        this.#maskScalar(value, { by: 'key' });
    }
  }

  #visitMapping(document: DocumentSpans, mapping: MappingNode): void {
    const members = membersOf(this.#text, document, mapping);
    const isSecret = members.some(
      ({ name, value }) => name === 'kind' && scalarText(document, value) === 'Secret',
    );
    const isPair = members.some(
      ({ name = '', value }) =>
        PAIR_NAME_KEYS.test(name) && this.#isSecret(scalarText(document, value) ?? ''),
    );
    if (isSecret)
      for (const { name, value } of members)
        if (name === 'data' || name === 'stringData') this.#maskData(document, value);
    const isReference = mapping.entries.some(({ name }) => name === 'remoteRef');
    const isSaid = isPair || members.some((member) => isMarked(document, member));
    for (const { name = '', value } of ownMembers(document, mapping)) {
      // A SealedSecret: only its controller can read it.
      if (name === 'encryptedData') continue;
      this.visit(document, value);
      if (this.#isKey?.(name) === true) this.maskAsked(document, value);
      else if (this.#isShown(name)) continue;
      else if (name === LAST_APPLIED) this.#maskValue(document, value, { by: 'structure' });
      else if (isSaid && PAIR_VALUE_KEYS.test(name))
        this.#maskValue(document, value, { by: isPair ? 'key' : 'structure' });
      else if (name === 'auths') this.#maskAuths(document, value);
      else if (name === 'secretGenerator') this.#maskLiterals(document, value);
      else if (!isReference && this.#isSecret(name))
        this.#maskValue(document, value, { by: 'key', name, isMany: MANY.test(name) });
    }
  }

  /** Masks the part after `=` in `literals` of kustomize. */
  #maskLiterals(document: DocumentSpans, generators: SpanNode): void {
    if (generators.kind !== 'sequence') return;
    for (const { value: generator } of generators.items)
      for (const { name, value } of generator.kind === 'mapping' ? ownMembers(document, generator) : [])
        if (name === 'literals' && value.kind === 'sequence')
          for (const { value: item } of value.items) {
            const literal = targetOf(document, item);
            if (literal?.kind === 'scalar') this.#maskScalar(literal, { by: 'structure', from: '=' });
          }
  }

  /** The registries of a Docker configuration. */
  #maskAuths(document: DocumentSpans, registries: SpanNode): void {
    if (registries.kind !== 'mapping') return;
    for (const { value } of registries.entries)
      if (value.kind === 'mapping')
        for (const entry of ownMembers(document, value))
          if (entry.name === 'auth') this.#maskValue(document, entry.value, { by: 'structure' });
  }

  /**
   * A scalar or a list of them, or the `value` of a mapping, in which each other key says for itself what it holds; unless
   * the name says that there are many: `passwords: {ann: x}`.
   */
  #maskValue(document: DocumentSpans, node: SpanNode, { isMany = false, ...said }: Said): void {
    if (this.#isFetched(node)) return;
    const target = targetOf(document, node);
    if (target?.kind === 'scalar') this.#maskScalar(target, said);
    else if (node.kind === 'sequence')
      for (const { value } of node.items) this.#maskValue(document, value, { isMany, ...said });
    else if (node.kind === 'mapping')
      for (const { name = '', value } of ownMembers(document, node))
        if (PAIR_VALUE_KEYS.test(name) || (isMany && value.kind !== 'mapping' && !PLAIN.test(name)))
          this.#maskValue(document, value, said);
  }

  /** Masks the data of a Secret below keys that are not ordinary. In a configuration within it, each line is checked by itself. */
  #maskData(document: DocumentSpans, node: SpanNode): void {
    if (this.#masked.has(node)) return;
    this.#masked.add(node);
    const target = targetOf(document, node);
    if (target !== undefined && target !== node) this.#maskData(document, target);
    else if (node.kind === 'sequence') for (const { value } of node.items) this.#maskData(document, value);
    else if (node.kind === 'mapping') {
      for (const { name = '', value } of ownMembers(document, node))
        if (!isOrdinary(name) && !this.#isShown(name)) this.#maskData(document, value);
    } else if (node.kind === 'scalar' && !this.#isFetched(node)) {
      const { start, end } = leafOf(node);
      if (node.block === undefined || !isConfigText(this.#text.slice(start, end)))
        this.#maskScalar(node, { by: 'structure' });
    }
  }

  /** Masks everything below a node that the operator names. */
  maskAsked(document: DocumentSpans, node: SpanNode): void {
    if (this.#asked.has(node)) return;
    this.#asked.add(node);
    const target = targetOf(document, node);
    if (target !== undefined && target !== node) this.maskAsked(document, target);
    else if (node.kind === 'scalar') this.#maskScalar(node, { by: 'operator' });
    else if (node.kind === 'sequence') for (const { value } of node.items) this.maskAsked(document, value);
    else if (node.kind === 'mapping') for (const { value } of node.entries) this.maskAsked(document, value);
  }

  #isFetched({ properties }: SpanNode): boolean {
    // `!secret name` of Home Assistant, `!Env NAME` of authentik: the value is read from elsewhere.
    return (
      properties?.tag !== undefined && isReference(this.#text.slice(properties.tag.start, properties.tag.end))
    );
  }

  #maskScalar(node: ScalarNode, { by, name = '', from = '' }: Said): void {
    if (by !== 'operator' && this.#isFetched(node)) return;
    const content = contentOf(node, this.#text);
    const { end } = content;
    const start = content.start + this.#text.slice(content.start, end).indexOf(from) + from.length;
    const source = this.#text.slice(start, end);
    if (start < content.start + from.length || source.trim() === '') return;
    if (isStandIn(source) || isEncrypted(source)) return;
    if (by === 'operator' && node.typedValue === null) return;
    const all = [{ start: 0, end: source.length }];
    // What is a configuration itself is no data of a Secret as a whole.
    const isOfLines = by === 'structure' && node.block !== undefined;
    const shows = by === 'operator' ? [] : [...kindsShownFor(name), ...(isOfLines ? ['configuration'] : [])];
    for (const part of by === 'operator' ? all : secretPartsOf(name, source)) {
      const span = { start: start + part.start, end: start + part.end, by, shows };
      const isBare = this.#isQuoted && node.style === 'plain';
      this.#spans.push(isBare ? { ...span, isBare } : span);
    }
  }
}

/** True for a member that marks its mapping's value as secret: `sensitive: true` of Terraform, `type: securestring` of Azure. */
function isMarked(document: DocumentSpans, { name, value }: Member): boolean {
  const text = scalarText(document, value)?.toLowerCase();
  return (name === 'sensitive' && text === 'true') || (name === 'type' && text === 'securestring');
}

const MANY = /(?:passwords|passphrases|keys|secrets)$/iu;
/** Keys of ordinary members in a mapping of several secrets. */
const PLAIN =
  /^(?:name|type|enabled|create|kind|file|path|mode|length|namespace|user|username|url|host|description|items|properties|required|format|title|pattern)$/iu;
