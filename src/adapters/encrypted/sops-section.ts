// The section that SOPS keeps in a file: how it chooses what to encrypt, and what its MAC covers. This follows getsops/sops
// (stores/metadata.go, sops.go). Of several documents the first one's section counts, and each has a copy.
import { loadPatternEngine, patternEngine } from '../../security/index.ts';
import type { MappingNode, ScalarNode, SpanNode, Stream } from '../tree/span-tree.ts';

export const SECTION = 'sops';
/** The beginning of each encrypted value. */
export const CIPHERTEXT = 'ENC[AES256_GCM,';

export interface SopsSection {
  /** True if the MAC covers only the encrypted values. */
  readonly isMacOfEncrypted: boolean;
  /** True if SOPS encrypts the values below these keys; undefined if comments decide it. */
  readonly isEncrypted: ((keys: readonly string[]) => boolean) | undefined;
  /** True if the text of a comment decides what is encrypted. */
  readonly decides: (comment: string) => boolean;
}

/** Loads what `refuseBroken` needs for files that SOPS may have encrypted, because their rules may be patterns. */
export async function loadForSops(texts: readonly string[]): Promise<void> {
  if (texts.some((text) => text.includes(CIPHERTEXT))) await loadPatternEngine();
}

/** Reads the section; undefined for a file that SOPS has not encrypted. */
export function sopsSectionOf({ documents, text }: Stream): SopsSection | undefined {
  // Most files end here.
  if (!text.includes(CIPHERTEXT)) return undefined;
  for (const { root } of documents) {
    const section = sectionIn(root);
    if (section !== undefined) return readSection(section);
  }
  return undefined;
}

export function sectionIn(root: SpanNode): MappingNode | undefined {
  const value = memberOf(root, SECTION);
  return value?.kind === 'mapping' ? value : undefined;
}

function readSection(section: MappingNode): SopsSection {
  const text = (name: string): string => scalarIn(section, name)?.value ?? '';
  const comments = ['unencrypted_comment_regex', 'encrypted_comment_regex'].map(text).filter(Boolean);
  const macOnly = scalarIn(section, 'mac_only_encrypted');
  return {
    // Where comments decide, it is not computed which values are encrypted, and all of them count as covered.
    isMacOfEncrypted: comments.length === 0 && macOnly?.value.toLowerCase() === 'true',
    isEncrypted: comments.length === 0 ? ruleOf(text) : undefined,
    decides: comments.length === 0 ? () => false : anyOf(comments.map(matcherOf)),
  };
}

/** Returns the rule as Tree.shouldBeEncrypted has it: each key on the path is tested. */
function ruleOf(text: (name: string) => string): (keys: readonly string[]) => boolean {
  const plainEnd = text('unencrypted_suffix');
  const end = text('encrypted_suffix');
  const [plainPattern, pattern] = [text('unencrypted_regex'), text('encrypted_regex')];
  const hasRule = [plainEnd, end, plainPattern, pattern].some((rule) => rule !== '');
  const plain = hasRule ? plainEnd : DEFAULT_PLAIN_END;
  const [isPlain, isSecret] = [matcherOf(plainPattern), matcherOf(pattern)];
  return (keys) => {
    let isEncrypted = !(plain !== '' && keys.some((key) => key.endsWith(plain)));
    if (end !== '') isEncrypted = keys.some((key) => key.endsWith(end));
    if (plainPattern !== '' && keys.some(isPlain)) isEncrypted = false;
    if (pattern !== '') isEncrypted = keys.some(isSecret);
    return isEncrypted;
  };
}

const DEFAULT_PLAIN_END = '_unencrypted';

/** Compiles a pattern in Go's own syntax, in linear time, because it is part of a file that nobody trusts. The answer for each key is remembered. */
function matcherOf(pattern: string): (text: string) => boolean {
  const known = new Map<string, boolean>();
  let matches: ((text: string) => boolean) | undefined;
  return (text) => {
    matches ??= compile(pattern);
    const found = known.get(text) ?? matches(text);
    known.set(text, found);
    return found;
  };
}

/** A pattern that cannot be read matches nothing, as in SOPS. Who only reads the file compiles none. */
function compile(pattern: string): (text: string) => boolean {
  const engine = patternEngine();
  try {
    const compiled = engine.compile(pattern);
    return (text) => compiled.matcher(text).find();
  } catch {
    return () => false;
  }
}

function anyOf(tests: readonly ((text: string) => boolean)[]): (text: string) => boolean {
  return (text) => tests.some((test) => test(text));
}

function memberOf(node: SpanNode | undefined, name: string): SpanNode | undefined {
  return node?.kind === 'mapping' ? node.entries.find((entry) => entry.name === name)?.value : undefined;
}

function scalarIn(node: SpanNode | undefined, name: string): ScalarNode | undefined {
  const value = memberOf(node, name);
  return value?.kind === 'scalar' ? value : undefined;
}
