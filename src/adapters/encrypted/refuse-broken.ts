// Refuses edits of encrypted files with ENCRYPTED_FILE where they would break what a MAC or a binding covers, which nobody can
// verify here. Creating or deleting a whole file breaks nothing.
import type { ConfigFile } from '../formats/registry.ts';
import { isTemplate } from '../tree/actions.ts';
import type { Stream } from '../tree/span-tree.ts';
import { HEADER, unsealed, vaultBreach } from './ansible-vault.ts';
import { type Breach, type EncryptedEdit, encryptedFile } from './breach.ts';
import { holdsSealed, KIND, sealedBreach } from './sealed-secret.ts';
import { sopsBreach } from './sops.ts';
import { CIPHERTEXT, sopsSectionOf } from './sops-section.ts';

/** Neither sops nor kubectl knows templates. */
const UNREADABLE: Breach = {
  why: 'holds encrypted values, and with an action of a template ({{ … }}) whoever decrypts it could no longer read it',
  instead: ['Leave the action out, or write it as a comment: # …'],
};

const MARKS = [CIPHERTEXT, KIND, HEADER, '!vault'];
const known = new WeakMap<Stream, boolean>();

/** Most files end here. */
function mayBeEncrypted(stream: Stream): boolean {
  const is = known.get(stream) ?? MARKS.some((mark) => stream.text.includes(mark));
  known.set(stream, is);
  return is;
}

/** Throws ENCRYPTED_FILE. Returns whole sentences: what is no longer encrypted with the edit. */
export function refuseBroken(
  base: ConfigFile,
  result: ConfigFile,
  edit: Omit<EncryptedEdit, 'isPlainText'>,
): readonly string[] {
  const [old, next] = [base.stream, result.stream];
  if (old.isAbsent === true || next.isAbsent === true) return [];
  if (!mayBeEncrypted(old) && !mayBeEncrypted(next)) return [];
  const isSealed = sopsSectionOf(old) !== undefined || holdsSealed(old);
  if (isSealed && isTemplate(next) && !isTemplate(old)) throw encryptedFile(edit.file, UNREADABLE);
  for (const find of [sopsBreach, sealedBreach, vaultBreach]) {
    const breach = find(old, next, { ...edit, isPlainText: base.format.name === 'text' });
    if (breach !== undefined) throw encryptedFile(edit.file, breach);
  }
  return unsealed(old, next).map(
    (path) => `${path}: the value was encrypted with ansible-vault, and is in clear text with this edit.`,
  );
}
