// Describes what an edit would break in an encrypted file, and who can make the change instead. Nobody here holds a key, so it
// is never claimed that a file can still be decrypted: only that an edit leaves everything unchanged that its MAC or its
// binding covers.
import { type Change, Refusal } from '../../security/index.ts';

export interface Breach {
  /** The text that completes "Cannot make this edit: the file …". */
  readonly why: string;
  readonly path?: string | undefined;
  readonly doc?: number | undefined;
  /** Whole sentences that say what a person does instead, the best first. */
  readonly instead: readonly string[];
}

/** A file as an edit finds it and leaves it. */
export interface EncryptedEdit {
  /** The file as the tools name it. */
  readonly file: string;
  readonly changes: readonly Change[];
  /** True for a file of no other format, and not for one that only cannot be parsed. */
  readonly isPlainText: boolean;
}

export function encryptedFile(file: string, { why, path, doc, instead }: Breach): Refusal {
  return new Refusal(
    'ENCRYPTED_FILE',
    `Cannot make this edit: the file ${why}`,
    { file, path, doc },
    { advice: instead },
  );
}

/** Quotes a text so that it can be typed into a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
