// Reads the output of `git diff` into whole files before and after; it runs nothing and opens no repository. Git's id proves
// each side, so that a diff with too little context, or one that a filter has changed, is refused.
import { hash } from 'node:crypto';
import { parsePatch, type StructuredPatch } from 'diff';
import { ignoring } from '../../security/errors/refusal.ts';
import { UsageError } from '../settings/usage-error.ts';

/** The command that writes such a diff. */
export const DIFF_COMMAND =
  'git diff --no-ext-diff --no-textconv --no-renames --no-color --text --full-index --src-prefix=a/ --dst-prefix=b/ -U1000000 BASE...HEAD';

export interface DiffedFile {
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The reason why it is not judged by its text: it is no text, or no plain file. */
  readonly problem?: string;
}

const START = 'diff --git ';
const PLAIN_MODES = ['100644', '100755'];

/** Reads the files. Throws UsageError for anything but the output of the command above. */
export function readDiff(bytes: Uint8Array): readonly DiffedFile[] {
  // One character stands for each byte. A line of a file begins with a sign, so that none looks like the start of another file.
  const [before, ...files] = Buffer.from(bytes)
    .toString('latin1')
    .split(/(?<![^\n])diff --git /);
  if (before !== '') throw unreadable('line 1 begins no file');
  return files.map(readFile);
}

function readFile(lines: string): DiffedFile {
  const path = pathIn(lines.slice(0, lines.indexOf('\n')));
  const patch = parsed(`${START}${lines}`, path);
  const [, first = '', second = '', kept] =
    /\nindex ([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d{6}))?\n/.exec(lines) ?? [];
  const modes = [patch.oldMode, patch.newMode, kept].filter((mode) => mode !== undefined);
  if (modes.some((mode) => !PLAIN_MODES.includes(mode)))
    return { path, before: undefined, after: undefined, problem: 'it is, or was, no plain file' };
  // Only the permissions differ.
  if (first === '' && patch.hunks.length === 0) return { path, before: '', after: '' };
  const { isCreate: isNew = false, isDelete: isGone = false } = patch;
  const [old, fresh] = [sideOf(patch, '-'), sideOf(patch, '+')];
  requireWhole(path, old, isNew ? undefined : first);
  requireWhole(path, fresh, isGone ? undefined : second);
  const [before, after] = [isNew ? undefined : textOf(old), isGone ? undefined : textOf(fresh)];
  if (before === null || after === null)
    return { path, before: undefined, after: undefined, problem: 'it is, or was, no UTF-8 text' };
  return { path, before, after };
}

const HEADER =
  /^(?:(?:old|new|new file|deleted file) mode \d{6}|index [0-9a-f]+\.\.[0-9a-f]+(?: \d{6})?|(?:---|\+\+\+) .*)$/;

/** Parses the part of one file. The parser skips lines that it does not know, so that they are counted and refused here. */
function parsed(text: string, path: string): StructuredPatch {
  const lines = text.replace(/\n$/, '').split('\n');
  const firstHunk = lines.findIndex((line) => line.startsWith('@@ '));
  const header = lines.slice(1, firstHunk === -1 ? undefined : firstHunk);
  const [other] = header.filter((line) => !HEADER.test(line));
  if (other?.match(/^(?:Binary files |GIT binary patch)/)) throw unreadable(`${path} is binary in it`);
  if (other?.match(/^(?:similarity|dissimilarity|rename|copy) /))
    throw unreadable(`${path} was renamed or copied in it`);
  const patch = ignoring('all', () => parsePatch(text)[0]);
  const read = patch?.hunks.reduce((sum, hunk) => sum + 1 + hunk.lines.length, 1 + header.length);
  if (patch === undefined || other !== undefined || read !== lines.length)
    throw unreadable(`it ends within a file, or a line behind ${path} begins no file`);
  return patch;
}

/** Returns the bytes of one side. */
function sideOf({ hunks }: StructuredPatch, sign: '-' | '+'): string {
  const side: string[] = [];
  let isOfSide = false;
  for (const line of hunks.flatMap((hunk) => hunk.lines)) {
    // The line before it has no end.
    if (line.startsWith('\\') && isOfSide) side.push((side.pop() ?? '').slice(0, -1));
    // Some tools remove the blank of an empty line.
    isOfSide = line === '' || line.startsWith(' ') || line.startsWith(sign);
    if (isOfSide) side.push(`${line.slice(1)}\n`);
  }
  return side.join('');
}

/** Reads the path from `a/NAME b/NAME`, in quotes where Git writes them. */
function pathIn(names: string): string {
  const half = (names.length - 1) / 2;
  const [old, fresh] = [names.slice(0, half), names.slice(half + 1)];
  const [first, second] = [old, fresh].map((name) => (name.startsWith('"') ? unquoted(name) : name));
  if (names[half] === ' ' && first?.startsWith('a/') && second === `b/${first.slice(2)}`)
    return Buffer.from(first.slice(2), 'latin1').toString('utf8');
  throw unreadable(`${names.slice(0, 200)} are not a/NAME and b/NAME of one file`);
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

function unquoted(name: string): string {
  return name
    .slice(1, -1)
    .replaceAll(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
    );
}

/** Throws if the content is not the whole file; with an undefined `id` there is no file, and there must be no content. */
function requireWhole(path: string, content: string, id: string | undefined): void {
  if (id === undefined ? content === '' : id === blobId(content, id.length)) return;
  throw unreadable(`it does not hold the whole of ${path}`);
}

/** Computes Git's id of a content. */
function blobId(content: string, length: number): string | undefined {
  const bytes = Buffer.from(`blob ${content.length}\0${content}`, 'latin1');
  return length === 40
    ? hash('sha1', bytes, 'hex')
    : length === 64
      ? hash('sha256', bytes, 'hex')
      : undefined;
}

/** Decodes the text; null if it is not UTF-8. */
function textOf(content: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(content, 'latin1'));
  } catch {
    return null;
  }
}

function unreadable(reason: string): UsageError {
  return new UsageError(`cannot use the diff on stdin: ${reason}; it has to come from: ${DIFF_COMMAND}`);
}
