// What a commit is about to write, as its locks and its journal say it, so that others can tell what was
// left if it dies. Parsed as hostile: a repository can bring such files along. What parses is well formed
// and names single components only; it does NOT promise that anything of it is true or allowed.
import { isBatchId, isOwnName } from '../paths/denylist.ts';

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

export function parseIntent(value: unknown): Intent | undefined {
  const part = parseFolderIntent(value);
  const batch = field(value, 'batch');
  const journal = field(value, 'journal');
  if (part === undefined || typeof batch !== 'string' || !isBatchId(batch)) return undefined;
  if (journal === undefined) return { ...part, batch, journal };
  const folder = parseFolder(field(journal, 'folder'));
  const ino = field(journal, 'ino');
  if (folder === undefined || typeof ino !== 'string') return undefined;
  return { ...part, batch, journal: { folder, ino } };
}

export function parseFolderIntent(value: unknown): FolderIntent | undefined {
  const folder = parseFolder(field(value, 'folder'));
  const files = everyOf(field(value, 'files'), parseFile);
  if (folder === undefined || files === undefined || files.length === 0) return undefined;
  const isDistinct = new Set(files.map(({ name }) => name)).size === files.length;
  return isDistinct ? { folder, files } : undefined;
}

/** The list with each item parsed; undefined unless it is one and all of its items are good. */
export function everyOf<T>(value: unknown, parse: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  const parsed = items.map(parse).filter((item) => item !== undefined);
  return parsed.length === items.length ? parsed : undefined;
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function parseFolder(value: unknown): FolderName | undefined {
  const root = field(value, 'root');
  const path = everyOf(field(value, 'path'), parseComponent);
  if (path === undefined || !(root === undefined || typeof root === 'string')) return undefined;
  return { root, path };
}

function parseFile(value: unknown): IntendedFile | undefined {
  const name = parseComponent(field(value, 'name'));
  const base = parseSha256(field(value, 'base'));
  const result = parseSha256(field(value, 'result'));
  // A lock or a journal that names one of our own files would have us rename over it.
  if (name === undefined || base === undefined || result === undefined || isOwnName(name)) return undefined;
  return base === result ? undefined : { name, base, result };
}

function parseComponent(value: unknown): string | undefined {
  if (typeof value !== 'string' || /^(?:\.{0,2}|.*[/\\\0].*)$/su.test(value)) return undefined;
  return Buffer.byteLength(value) <= 255 ? value : undefined;
}

function parseSha256(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{64}$/u.test(value) ? value : undefined;
}
