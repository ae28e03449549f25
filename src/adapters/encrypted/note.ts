// Tells a reader about an encrypted file before an edit is refused: what cannot be edited here, and who can.
import type { Stream } from '../tree/span-tree.ts';
import { holdsVault, isVaultWhole } from './ansible-vault.ts';
import { shellWord } from './breach.ts';
import { holdsSealed } from './sealed-secret.ts';
import { sopsSectionOf } from './sops-section.ts';

/** A whole sentence; undefined for a file in which nothing is encrypted. */
export function encryptionNote(stream: Stream, file: string): string | undefined {
  const name = shellWord(file);
  const sops = sopsSectionOf(stream);
  if (sops !== undefined) {
    const what = sops.isMacOfEncrypted ? 'its encrypted values' : 'its values, also those in clear text,';
    return `Encrypted with SOPS: ${what} cannot be edited here; a person who holds its keys runs: sops edit ${name}`;
  }
  if (isVaultWhole(stream))
    return `Encrypted with ansible-vault as a whole: nothing in it can be edited here; a person who knows its password runs: ansible-vault edit ${name}`;
  if (holdsVault(stream))
    return 'Holds values encrypted with ansible-vault: here they can only be moved or deleted whole; a person who knows the password makes new ones with ansible-vault encrypt_string.';
  if (holdsSealed(stream))
    return 'Holds a SealedSecret: its name, namespace, scope and sealed values cannot be edited here; a person seals it anew with kubeseal.';
  return undefined;
}
