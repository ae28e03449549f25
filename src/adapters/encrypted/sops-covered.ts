// Lists what SOPS authenticates in a file, in order: each encrypted value with its key path, which is additional data of the
// cipher, and each value that the MAC covers. SOPS opens two texts with the same list alike.
import { type NodePath, printNodePath, type Segment } from '../../security/index.ts';
import { keyName, keyText, visitNodes } from '../tree/keys.ts';
import {
  type AliasTargets,
  isNull,
  propertiesText,
  type ScalarNode,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { CIPHERTEXT, SECTION, type SopsSection, sectionIn } from './sops-section.ts';

export interface Covered {
  /** A text that is equal where SOPS sees the same. */
  readonly what: string;
  readonly kind: 'encrypted' | 'to be encrypted' | 'plain' | 'shape';
  readonly doc: number;
  readonly path: NodePath;
  readonly start: number;
}

/** The most values behind aliases, which SOPS follows; a file with more was not written by it. */
const MAX_BEHIND_ALIASES = 2_000;

/** Returns the list in the order in which SOPS walks. */
export function coveredBy(section: SopsSection, stream: Stream): readonly Covered[] {
  const { text } = stream;
  const covered: Covered[] = [];
  const path: Segment[] = [];
  const keys: string[] = [];
  let behindAliases = 0;
  for (const [doc, { root, aliasTargets }] of stream.documents.entries()) {
    if (root.kind === 'mapping' || isNull(root))
      visit(root, { doc, targets: aliasTargets, isBehindAlias: false });
    // SOPS refuses to read such a document at all.
    else add(root, 'shape', `root ${text.slice(root.start, root.end)}`, doc);
  }
  return covered;

  function visit(node: SpanNode, at: Walk): void {
    if (at.isBehindAlias && ++behindAliases > MAX_BEHIND_ALIASES) {
      // The random text equals nothing, so that no edit passes.
      if (behindAliases === MAX_BEHIND_ALIASES + 1) add(node, 'shape', `aliases ${Math.random()}`, at.doc);
      return;
    }
    if (node.kind === 'scalar') addScalar(node, at.doc);
    else if (node.kind === 'alias') {
      const target = at.targets.get(node);
      if (target !== undefined) visit(target, { ...at, isBehindAlias: true });
    } else if (node.kind === 'sequence')
      for (const [index, { value }] of node.items.entries()) {
        path.push(index);
        visit(value, at);
        path.pop();
      }
    else
      for (const { key, value, name } of node.entries) {
        if (path.length === 0 && name === SECTION) continue;
        path.push(keyName(text, key));
        keys.push(keyText(key) ?? '');
        // SOPS refuses to read such a key as well.
        if (key.kind !== 'scalar' || typeof key.typedValue !== 'string')
          add(key, 'shape', `key ${text.slice(key.start, key.end)}`, at.doc);
        visit(value, at);
        keys.pop();
        path.pop();
      }
  }

  function addScalar(node: ScalarNode, doc: number): void {
    const bytes = bytesOf(text, node);
    const isCiphertext = bytes.startsWith(`text ${CIPHERTEXT}`);
    const isEncrypted = section.isEncrypted?.(keys) ?? isCiphertext;
    // Where comments decide, even an empty value ends the range of a comment.
    if (bytes === NOTHING) {
      if (section.isEncrypted === undefined) add(node, 'shape', `nothing ${keys.join(':')}`, doc);
    } else if (isEncrypted) {
      const kind = isCiphertext ? 'encrypted' : 'to be encrypted';
      add(node, kind, `${keys.join(':')}: ${bytes}`, doc);
    } else if (!section.isMacOfEncrypted) add(node, 'plain', bytes, doc);
  }

  function add(node: SpanNode, kind: Covered['kind'], what: string, doc: number): void {
    covered.push({ what: `${kind} ${what}`, kind, doc, path: [...path], start: node.start });
  }
}

interface Walk {
  readonly doc: number;
  readonly targets: AliasTargets;
  readonly isBehindAlias: boolean;
}

/** Nulls and empty texts, which SOPS does not encrypt, and which add nothing to the MAC. */
const NOTHING = 'text ';

/**
 * Returns what goes into the MAC, by sops.ToBytes: the text, and numbers and booleans as Go prints them. Where that depends on
 * how Go's YAML reads a scalar (dates, octal numbers, tags), the source text is used, which equals only itself.
 */
function bytesOf(text: string, node: ScalarNode): string {
  const source = text.slice(node.start, node.end);
  const properties = propertiesText(text, node).replace(/&\S+/u, '').trim();
  if (properties !== '') return `source ${properties} ${source}`;
  if (isNull(node)) return NOTHING;
  if (node.style !== 'plain') return `text ${node.value}`;
  if (typeof node.typedValue === 'boolean') return node.typedValue ? 'text True' : 'text False';
  if (/^(?:0|-?[1-9]\d{0,14})$/u.test(node.value)) return `text ${node.value}`;
  return /^[-+.\d]/u.test(node.value) || typeof node.typedValue !== 'string'
    ? `source ${source}`
    : `text ${node.value}`;
}

/** Returns the comments that decide what is encrypted, each with the number of covered values before it. */
export function decidingComments(
  { decides }: SopsSection,
  { comments, text }: Stream,
  covered: readonly Covered[],
): readonly string[] {
  const starts = covered.map(({ start }) => start).sort((a, b) => a - b);
  let before = 0;
  return comments.flatMap(({ start, end }) => {
    while ((starts[before] ?? start) < start) before += 1;
    const comment = text.slice(start + 1, end).trimEnd();
    return decides(comment) ? [`${before} ${comment}`] : [];
  });
}

/** Returns the encrypted comments. */
export function encryptedComments({ comments, text }: Stream): readonly string[] {
  return comments
    .map(({ start, end }) => text.slice(start + 1, end).trim())
    .filter((comment) => comment.startsWith(CIPHERTEXT));
}

/** Returns all data of the section, whatever its layout. */
export function sectionData({ documents, text }: Stream): readonly string[] {
  const section = documents.map(({ root }) => sectionIn(root)).find((found) => found !== undefined);
  const data: string[] = [];
  if (section !== undefined)
    visitNodes(text, section, (node, path) => {
      const value =
        node.kind === 'scalar' ? bytesOf(text, node) : node.kind === 'alias' ? `*${node.name}` : node.kind;
      data.push(`${printNodePath(path)} ${value}`);
    });
  return data;
}
