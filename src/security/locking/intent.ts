// What a commit is about to write, as its locks and its journal say it, so that others can tell what was
// left if it dies. Read as hostile: a repository can bring such files along. What is read is well formed
// and names single components only; it does NOT promise that anything of it is true or allowed.
import { BATCH_ID, isOwnName } from '../paths/denylist.ts';
import { Fields, Malformed, SHA256 } from '../records/fields.ts';

/** A folder as the server that wrote it addresses it. */
export interface FolderName {
  readonly root: string | undefined;
  readonly path: readonly string[];
}

/** A file of the folder. Its place in the list is part of the names of its temporary files. */
export interface IntendedFile {
  readonly name: string;
  readonly base: string;
  readonly result: string;
}

export interface FolderIntent {
  readonly folder: FolderName;
  readonly files: readonly IntendedFile[];
}

/** The part of one folder, which its lock carries. */
export interface Intent extends FolderIntent {
  readonly batch: string;
  /** Where the journal of the batch is; a single file needs none, for a rename is all or nothing. */
  readonly journal: { readonly folder: FolderName; readonly ino: string } | undefined;
}

/** Longest text of a lock or journal; a batch has at most some hundred files. */
export const MAX_TEXT_BYTES = 4_000_000;

/** Throws Malformed. */
export function readIntent(value: unknown): Intent {
  const fields = new Fields(value);
  const journal = fields.has('journal') ? new Fields(fields.raw('journal')) : undefined;
  return {
    ...readFolderIntent(value),
    batch: fields.text('batch', BATCH_ID),
    journal: journal && { folder: readFolder(journal), ino: journal.text('ino') },
  };
}

/** Throws Malformed. */
export function readFolderIntent(value: unknown): FolderIntent {
  const fields = new Fields(value);
  const files = fields.list('files', readFile);
  if (files.length === 0 || new Set(files.map(({ name }) => name)).size !== files.length)
    throw new Malformed('files');
  return { folder: readFolder(fields), files };
}

function readFolder(fields: Fields): FolderName {
  const folder = new Fields(fields.raw('folder'));
  const path = folder.list('path', readComponent);
  return { root: folder.has('root') ? folder.text('root') : undefined, path };
}

function readFile(value: unknown): IntendedFile {
  const fields = new Fields(value);
  const name = readComponent(fields.raw('name'));
  const [base, result] = [fields.text('base', SHA256), fields.text('result', SHA256)];
  // A lock or a journal that names one of our own files would have us rename over it.
  if (isOwnName(name) || base === result) throw new Malformed('name');
  return { name, base, result };
}

function readComponent(value: unknown): string {
  if (typeof value !== 'string' || /^(?:\.{0,2}|.*[/\\\0].*)$/su.test(value)) throw new Malformed('name');
  if (Buffer.byteLength(value) > 255) throw new Malformed('name');
  return value;
}
