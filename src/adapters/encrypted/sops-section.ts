// The section that SOPS keeps in a file: how it chooses what it encrypts, and what its MAC covers. By getsops/sops
// (stores/metadata.go, sops.go). Of several documents the first one's section counts, and each has a copy.
import { loadPatternEngine, patternEngine } from '../../security/index.ts';
import type { MappingNode, ScalarNode, SpanNode, Stream } from '../tree/span-tree.ts';

export const SECTION = 'sops';
/** How each encrypted value begins. */
export const CIPHERTEXT = 'ENC[AES256_GCM,';

export interface SopsSection {
  /** All values, or only those that are encrypted. */
  readonly isMacOfEncrypted: boolean;
  /** Whether SOPS encrypts what stands under these keys; undefined where comments decide it. */
  readonly isEncrypted: ((keys: readonly string[]) => boolean) | undefined;
  /** Whether what a comment says decides what is encrypted. */
  readonly decides: (comment: string) => boolean;
}

/** Needed before `refuseBroken` looks at files that SOPS may have encrypted: their rules may be patterns. */
export async function loadForSops(texts: readonly string[]): Promise<void> {
  if (texts.some((text) => text.includes(CIPHERTEXT))) await loadPatternEngine();
}

/** Undefined for a file that SOPS has not encrypted. */
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
    // Where comments decide, which of two values is encrypted is not asked: all of them are taken for covered.
    isMacOfEncrypted: comments.length === 0 && macOnly?.value.toLowerCase() === 'true',
    isEncrypted: comments.length === 0 ? ruleOf(text) : undefined,
    decides: comments.length === 0 ? () => false : anyOf(comments.map(matcherOf)),
  };
}

/** As Tree.shouldBeEncrypted: each key on the way is asked. */
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

/** In Go's own syntax and in linear time: the pattern is part of a file that nobody trusts. Each key is looked at once. */
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
