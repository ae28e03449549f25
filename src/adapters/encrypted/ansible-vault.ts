// Protects what ansible-vault has encrypted: values and files of a salt, an HMAC and a ciphertext, of which no byte can be
// edited. A `!vault` value is not bound to its key: it may be moved, replaced by another one, or deleted whole. This follows ansible
// (parsing/vault/__init__.py, VaultAES256).

import { printNodePath } from '../../security/index.ts';
import { visitNodes } from '../tree/keys.ts';
import { propertiesText, type ScalarNode, type Stream } from '../tree/span-tree.ts';
import { type Breach, type EncryptedEdit, shellWord } from './breach.ts';

export const HEADER = '$ANSIBLE_VAULT;';

export function vaultBreach(
  base: Stream,
  result: Stream,
  { file, isPlainText }: EncryptedEdit,
): Breach | undefined {
  if (isVaultWhole(base))
    return {
      why: 'is encrypted with ansible-vault as a whole, so that no part of it can be edited',
      instead: [`A person who knows its password runs: ansible-vault edit ${shellWord(file)}`],
    };
  if (!base.text.includes(HEADER) && !result.text.includes('!vault')) return undefined;
  if (isPlainText) return undefined;
  if (base.hasStructure === false) return asText(base, result, file);
  const old = new Map(valuesIn(base).map((value) => [value.text, value]));
  const parts = new Set([...old.keys()].flatMap(partsOf));
  for (const value of valuesIn(result)) {
    if (old.get(value.text)?.isTagged === value.isTagged) continue;
    const isWhole =
      value.isTagged && isPlausible(value.text) && !partsOf(value.text).some((part) => parts.has(part));
    // Without its tag it is a plain text, which nobody decrypts.
    const isKnown = old.has(value.text);
    if (isWhole || (!value.isTagged && !isKnown && !value.text.startsWith(HEADER))) continue;
    return {
      why: `holds a value that is encrypted with ansible-vault, ${isKnown ? 'which would lose its tag !vault' : 'and what would stand there was not made by it'}`,
      path: value.path,
      doc: value.doc,
      instead: [
        `A person who knows the password runs: ansible-vault encrypt_string --stdin-name ${shellWord(lastKey(value.path))}, and its output replaces the whole value`,
      ],
    };
  }
  return undefined;
}

export function isVaultWhole({ text }: Stream): boolean {
  return text.replace('\uFEFF', '').startsWith(HEADER);
}

/** True if one of its values is encrypted. */
export function holdsVault(stream: Stream): boolean {
  return stream.text.includes(HEADER) && valuesIn(stream).some(({ isTagged }) => isTagged);
}

/** Returns the paths of values that were encrypted and are in clear text now. */
export function unsealed(base: Stream, result: Stream): readonly string[] {
  if (!base.text.includes(HEADER) || result.hasStructure === false) return [];
  const before = new Set(
    valuesIn(base).flatMap(({ isTagged, path, doc }) => (isTagged ? [`${doc} ${path}`] : [])),
  );
  const after: string[] = [];
  for (const [doc, { root }] of result.documents.entries())
    visitNodes(result.text, root, (node, path) => {
      if (before.size === 0 || node.kind !== 'scalar' || isVault(result.text, node)) return;
      const name = printNodePath(path);
      if (before.has(`${doc} ${name}`)) after.push(name);
    });
  return after;
}

interface VaultValue {
  /** The text without its layout. */
  readonly text: string;
  readonly isTagged: boolean;
  readonly doc: number;
  readonly path: string;
}

/** Returns the values with the tag, and those that look encrypted. */
function valuesIn({ documents, text }: Stream): readonly VaultValue[] {
  const values: VaultValue[] = [];
  for (const [doc, { root }] of documents.entries())
    visitNodes(text, root, (node, path) => {
      if (node.kind !== 'scalar') return;
      const isTagged = isVault(text, node);
      if (!isTagged && !node.value.trimStart().startsWith(HEADER)) return;
      values.push({ text: linesOf(node.value), isTagged, doc, path: printNodePath(path) });
    });
  return values;
}

function isVault(text: string, node: ScalarNode): boolean {
  return /(?:^|\s)!vault(?:-encrypted)?(?:\s|$)/u.test(propertiesText(text, node));
}

/** Joins the lines as Ansible reads them, without the spaces around them. */
function linesOf(value: string): string {
  return value
    .trim()
    .split(/\s*\n\s*/u)
    .join('\n');
}

/** Returns the hexadecimal text behind the header: salt, HMAC and ciphertext, each in hexadecimal once more. */
function partsOf(value: string): readonly string[] {
  const [, ...lines] = value.split('\n');
  return Buffer.from(lines.join(''), 'hex').toString('latin1').split('\n');
}

function isPlausible(value: string): boolean {
  const parts = partsOf(value);
  const isHex = parts.every((part) => /^(?:[0-9a-f]{2})+$/u.test(part));
  return (
    /^\$ANSIBLE_VAULT;1\.[12];AES256(?:;[^\n;]+)?\n[0-9a-f\n]+$/u.test(value) && parts.length === 3 && isHex
  );
}

/** Checks a file that cannot be parsed: it may be edited outside of encrypted values. */
function asText(base: Stream, result: Stream, file: string): Breach | undefined {
  const blocks = ({ text }: Stream) => text.match(/\$ANSIBLE_VAULT;[^\n]*(?:\n\s*[0-9a-f]+)*/gu) ?? [];
  const old = blocks(base).map(linesOf);
  return blocks(result)
    .map(linesOf)
    .every((block) => old.includes(block))
    ? undefined
    : {
        why: 'holds a value that is encrypted with ansible-vault, which would change',
        instead: [`A person who knows its password runs: ansible-vault edit ${shellWord(file)}`],
      };
}

function lastKey(path: string): string {
  return /[^.[\]"]+(?=[\]"]*$)/u.exec(path)?.[0] ?? 'name';
}
