// Refuses edits of encrypted files that could break a MAC or a binding. No one here holds a key, so nothing is weighed: what SOPS
// or ansible-vault has encrypted as a whole stays as it is, and an encrypted value stays to the letter, or goes.

import { Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import { printNodePath } from '../../security/node-paths/node-path.ts';
import type { ConfigFile } from '../formats/registry.ts';
import type { Json } from '../tree/json.ts';
import { visitNodes } from '../tree/keys.ts';
import { propertiesText, type ScalarNode, type Stream } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';

/** Says to a reader what cannot be edited here, and who can, in a sentence; undefined if nothing is encrypted. */
export function encryptionNote(file: ConfigFile, name: string): string | undefined {
  const whole = wholeOf(file, name);
  if (whole !== undefined)
    return `${capitalized(whole.what)}: nothing in it can be edited here. ${whole.instead}`;
  if (file.format.name === 'text') return undefined;
  if (vaultedIn(file.stream).length > 0)
    return `Holds values encrypted with ansible-vault: here a value can be renamed, moved, deleted or replaced by clear text. ${ENCRYPT_ANEW}`;
  if ((sealedIn(file.stream) ?? []).length > 0)
    return `Holds a SealedSecret: its name, namespace, scope and sealed values cannot be edited here. ${sealAnew(name)}`;
  return undefined;
}

/** Throws ENCRYPTED_FILE. Returns whole sentences: what is no longer encrypted with the edit. */
export function refuseBroken(base: ConfigFile, result: ConfigFile, name: string): readonly string[] {
  const [old, next] = [base.stream, result.stream];
  // Creating or deleting a whole file breaks nothing.
  if (old.isAbsent === true || next.isAbsent === true) return [];
  const whole = wholeOf(base, name);
  if (whole !== undefined) throw encryptedFile(name, `is ${whole.what}`, whole.instead);
  const holdsSealed = KIND.test(old.text);
  if (base.format.name === 'text' || !(holdsSealed || old.text.includes(HEADER))) return [];
  const [sealed, after] = holdsSealed ? [sealedIn(old), sealedIn(next)] : [[], []];
  if (old.hasStructure === false || next.hasStructure === false || !sealed || !after)
    throw encryptedFile(
      name,
      'holds encrypted values and cannot be read as a whole, so that any edit could break one',
      `A person mends ${name} by hand`,
    );
  const [bound, kept] = [boundOf(sealed), boundOf(after)];
  const gone = sealed.filter((value) => !kept.has(value.bound));
  const texts = new Set(gone.length === 0 ? [] : scalarsIn(next).map(({ node }) => node.value.trim()));
  if (!after.every((value) => bound.has(value.bound)) || gone.some(({ text }) => texts.has(text)))
    throw encryptedFile(
      name,
      'holds a SealedSecret, whose values are bound to its name, its namespace and its scope: they could no longer be decrypted',
      sealAnew(name),
    );
  return refuseBrokenVault(old, next, name);
}

function refuseBrokenVault(old: Stream, next: Stream, name: string): readonly string[] {
  const [before, after] = [vaultedIn(old), vaultedIn(next)];
  const known = new Set(before.map(({ value }) => value));
  if (!after.every(({ value }) => known.has(value)))
    throw encryptedFile(
      name,
      'holds values that are encrypted with ansible-vault, and one of them would no longer be what it wrote',
      ENCRYPT_ANEW,
    );
  const placeOf = ({ doc, path }: Place) => `${doc} ${path}`;
  const [had, kept] = [new Set(before.map(placeOf)), new Set(after.map(placeOf))];
  return scalarsIn(next)
    .filter((one) => had.has(placeOf(one)) && !kept.has(placeOf(one)))
    .map(
      ({ path }) =>
        `${path}: the value was encrypted with ansible-vault, and is in clear text with this edit.`,
    );
}

function encryptedFile(file: string, why: string, instead: string): Refusal {
  return new Refusal(
    'ENCRYPTED_FILE',
    `Cannot make this edit: the file ${why}`,
    { file },
    { advice: [instead] },
  );
}

const HEADER = '$ANSIBLE_VAULT;';
const KIND = /\bkind["']?\s*:\s*["']?SealedSecret\b/u;
const ENCRYPT_ANEW =
  'A person who knows the password makes new ones with: ansible-vault encrypt_string --stdin-name KEY';

function sealAnew(name: string): string {
  return `A person seals values anew with: kubeseal --format yaml --merge-into ${shellWord(name)}`;
}

/** The MAC in .env and .ini files, and in mappings. */
const MAC_OF_LINES = /^(?:sops_mac|mac\s*)=\s*ENC\[AES256_GCM,/mu;
const MAC_OF_MAPPING = /\bmac["']?\s*:\s*["']?ENC\[AES256_GCM,/u;

/** Returns what a file is that is encrypted as a whole, and the command that edits it. */
function wholeOf({ stream: { text }, format }: ConfigFile, name: string) {
  // A mapping within a plain text is an example, and not encrypted.
  const isMapping = format.name !== 'text' || text.trimStart().startsWith('{');
  if (text.includes('ENC[AES256_GCM,') && (isMapping ? MAC_OF_MAPPING : MAC_OF_LINES).test(text))
    return {
      what: 'encrypted with SOPS, whose MAC covers all of it',
      instead: `A person who holds its keys runs: sops edit ${shellWord(name)}`,
    };
  if (!text.replace('\uFEFF', '').startsWith(HEADER)) return undefined;
  return {
    what: 'encrypted with ansible-vault as a whole',
    instead: `A person who knows its password runs: ansible-vault edit ${shellWord(name)}`,
  };
}

interface Place {
  readonly doc: number;
  readonly path: string;
}

/** Returns the values with the tag of ansible-vault, and those that look encrypted. */
function vaultedIn(stream: Stream): readonly (Place & { readonly value: string })[] {
  if (!stream.text.includes(HEADER)) return [];
  return scalarsIn(stream).flatMap(({ doc, path, node }) => {
    const isTagged = /(?:^|\s)!vault(?:-encrypted)?(?:\s|$)/u.test(propertiesText(stream.text, node));
    if (!isTagged && !node.value.trimStart().startsWith(HEADER)) return [];
    const lines = node.value.split('\n').map((line) => line.trim());
    return [{ doc, path, value: `${isTagged} ${lines.join('\n').trim()}` }];
  });
}

function scalarsIn({ documents, text }: Stream): readonly (Place & { readonly node: ScalarNode })[] {
  const scalars: (Place & { readonly node: ScalarNode })[] = [];
  for (const [doc, { root }] of documents.entries())
    visitNodes(text, root, (node, path) => {
      if (node.kind === 'scalar') scalars.push({ doc, path: printNodePath(path), node });
    });
  return scalars;
}

interface Sealed {
  readonly text: string;
  /** The text with all that a value may be bound to; not with its key, which may be renamed. */
  readonly bound: string;
}

function boundOf(values: readonly Sealed[]): ReadonlySet<string> {
  return new Set(values.map(({ bound }) => bound));
}

/** Returns the values of each SealedSecret, alone or in a list, with those that aliases bring; undefined if that cannot be read. */
function sealedIn({ documents, text }: Stream): readonly Sealed[] | undefined {
  if (!KIND.test(text)) return [];
  return unlessRefused(() =>
    documents.flatMap((document) => {
      const value = toValue(document, document.root);
      return [value, ...Object.values(membersOf(membersOf(value)['items']))].flatMap(valuesOf);
    }),
  );
}

function valuesOf(object: Json): readonly Sealed[] {
  const { kind, metadata, spec } = membersOf(object);
  if (kind !== 'SealedSecret') return [];
  const { name, namespace, annotations } = membersOf(metadata);
  const scopes = ['cluster-wide', 'namespace-wide'].map(
    (scope) => membersOf(annotations)[`sealedsecrets.bitnami.com/${scope}`],
  );
  return Object.values(membersOf(membersOf(spec)['encryptedData'])).map((value) => ({
    text: String(value).trim(),
    bound: JSON.stringify([name, namespace, scopes, value]),
  }));
}

function membersOf(value: Json | undefined): { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** Quotes a text so that it can be typed into a shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
