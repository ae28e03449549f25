// Reads the output of `git diff` into whole files before and after; it runs nothing and opens no repository. Git's id proves
// each side, so that a diff with too little context, or one that a filter has changed, is refused.
import { hash } from 'node:crypto';
import { UsageError } from '../settings/usage-error.ts';

/** The command that writes such a diff. */
export const DIFF_COMMAND =
  'git diff --no-ext-diff --no-textconv --no-renames --no-color --text --full-index --src-prefix=a/ --dst-prefix=b/ -U1000000 BASE...HEAD';

export interface DiffedFile {
  readonly path: string;
  /** Undefined where the file does not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The reason why it is not judged by its text: it is no text, or no plain file. */
  readonly problem?: string;
}

/** Reads the files. Throws UsageError for anything but the output of the command above. */
export function readDiff(bytes: Uint8Array): readonly DiffedFile[] {
  const reader = new DiffReader(Buffer.from(bytes).toString('latin1'));
  const files: DiffedFile[] = [];
  for (let file = reader.next(); file !== undefined; file = reader.next()) files.push(file);
  return files;
}

interface Header {
  readonly path: string;
  /** The ids of the old and the new side. */
  readonly ids: readonly [string, string] | undefined;
  readonly modes: readonly string[];
  readonly isNew: boolean;
  readonly isGone: boolean;
}

const START = 'diff --git ';
const PLAIN_MODES = ['100644', '100755'];

class DiffReader {
  /** The lines, with one character for each byte. */
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  next(): DiffedFile | undefined {
    if (this.#at >= this.#lines.length || (this.#at === this.#lines.length - 1 && this.#line === ''))
      return undefined;
    const { path, ids, modes, isNew, isGone } = this.#header();
    const [old, fresh] = this.#hunks();
    if (modes.some((mode) => !PLAIN_MODES.includes(mode)))
      return { path, before: undefined, after: undefined, problem: 'it is, or was, no plain file' };
    // Only the permissions differ.
    if (ids === undefined) return { path, before: '', after: '' };
    requireWhole(path, old, isNew ? undefined : ids[0]);
    requireWhole(path, fresh, isGone ? undefined : ids[1]);
    const [before, after] = [isNew ? undefined : textOf(old), isGone ? undefined : textOf(fresh)];
    if (before === null || after === null)
      return { path, before: undefined, after: undefined, problem: 'it is, or was, no UTF-8 text' };
    return { path, before, after };
  }

  get #line(): string {
    return this.#lines[this.#at] ?? '';
  }

  #header(): Header {
    if (!this.#line.startsWith(START)) throw unreadable(`line ${this.#at + 1} begins no file`);
    const path = pathIn(this.#line.slice(START.length));
    const modes: string[] = [];
    let ids: Header['ids'];
    let [isNew, isGone] = [false, false];
    for (this.#at += 1; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#line;
      const [, what = '', mode = ''] =
        /^(old mode|new mode|new file mode|deleted file mode) (\d{6})$/.exec(line) ?? [];
      const [, old, fresh, kept] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d{6}))?$/.exec(line) ?? [];
      if (mode !== '') {
        modes.push(mode);
        isNew ||= what === 'new file mode';
        isGone ||= what === 'deleted file mode';
      } else if (old !== undefined && fresh !== undefined) {
        ids = [old, fresh];
        if (kept !== undefined) modes.push(kept);
      } else if (/^(?:similarity|dissimilarity|rename|copy) /.test(line))
        throw unreadable(`${path} was renamed or copied in it`);
      else if (/^(?:Binary files |GIT binary patch)/.test(line)) throw unreadable(`${path} is binary in it`);
      else if (!/^(?:---|\+\+\+) /.test(line)) break;
    }
    return { path, ids, modes, isNew, isGone };
  }

  /** Answers the bytes of both sides. */
  #hunks(): readonly [string, string] {
    const sides: [string[], string[]] = [[], []];
    for (;;) {
      const [, old, fresh] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(this.#line) ?? [];
      if (!this.#line.startsWith('@@ ')) return [sides[0].join(''), sides[1].join('')];
      const left = [Number(old ?? 1), Number(fresh ?? 1)] as const;
      this.#at += 1;
      this.#hunk(left, sides);
    }
  }

  /** Reads a hunk by its counts alone, because a line of the file may look like a header. */
  #hunk([oldCount, newCount]: readonly [number, number], [old, fresh]: [string[], string[]]): void {
    let [oldLeft, newLeft] = [oldCount, newCount];
    while (oldLeft > 0 || newLeft > 0 || this.#line.startsWith('\\')) {
      const [sign, text] = [this.#line.slice(0, 1), `${this.#line.slice(1)}\n`];
      if (this.#at >= this.#lines.length - 1 && sign === '') throw unreadable('it ends within a file');
      this.#at += 1;
      if (sign === '\\') {
        const previous = this.#lines[this.#at - 2] ?? '';
        if (previous.startsWith(' ') || previous.startsWith('-')) withoutEnd(old);
        if (previous.startsWith(' ') || previous.startsWith('+')) withoutEnd(fresh);
        continue;
      }
      // Some tools remove the space of an empty line.
      if (sign === ' ' || sign === '' || sign === '-') {
        old.push(text);
        oldLeft -= 1;
      }
      if (sign === ' ' || sign === '' || sign === '+') {
        fresh.push(text);
        newLeft -= 1;
      }
      if (!/^[ +-]?$/.test(sign) || oldLeft < 0 || newLeft < 0)
        throw unreadable(`line ${this.#at} is none of a diff`);
    }
  }
}

function withoutEnd(lines: string[]): void {
  lines.push((lines.pop() ?? '').replace(/\n$/, ''));
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

/** Throws where the content is not the whole file; with an undefined `id` there is no file, and there must be no content. */
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

/** Decodes the text; null where it is not UTF-8. */
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
