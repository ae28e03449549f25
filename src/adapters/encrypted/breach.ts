// What an edit would break of an encrypted file, and who can make the change instead. Nobody here holds a key: that a file
// can still be decrypted is never claimed, only that an edit leaves all alone that its MAC or its binding covers.
import { type Change, Refusal } from '../../security/index.ts';

export interface Breach {
  /** Completes "Cannot make this edit: the file …". */
  readonly why: string;
  readonly path?: string | undefined;
  readonly doc?: number | undefined;
  /** Whole sentences: what a person does instead, the best first. */
  readonly instead: readonly string[];
}

/** A file as an edit finds it and leaves it. */
export interface EncryptedEdit {
  /** As the tools name it. */
  readonly file: string;
  readonly changes: readonly Change[];
  /** Whether it is of no other format, or only cannot be read in its own. */
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

/** To be typed into a shell as it stands. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
