// One page of a search over many files: its matches, and what the reply has to note about files.
import {
  type ConfigFile,
  forOneOfMany,
  isPlainText,
  readConfigFile,
  toKnowWhether,
} from '../adapters/formats/registry.ts';
import {
  compileSearch,
  compileTextSearch,
  type Match,
  NOT_NEAR,
  type Search,
  type Searched,
  type TextSearch,
} from '../adapters/search/search-file.ts';
import type { SearchTerms } from '../adapters/search/terms.ts';
import { Refusal } from '../security/errors/refusal.ts';
import type { ErrorCode } from '../security/errors/refusals.ts';
import type { FileOpener } from '../security/sandbox/file-opener.ts';
import type { Snapshot } from '../security/sandbox/snapshot.ts';
import { holdsPlaceholder } from '../security/text/placeholders.ts';
import { visibleLine } from '../security/text/visible.ts';
import { sha256Hex } from '../state/canonical.ts';
import { readSought } from './read-file.ts';
import { type CallContext, cutPath, cutSentence, takeWithinBudget } from './tool.ts';

export type Terms = SearchTerms & { readonly text?: string | undefined };

/** The reasons why files were not searched, worded for a count. */
type Unsearched =
  | 'template'
  | 'not valid'
  | 'text only'
  | 'too large'
  | 'not UTF-8'
  | NonNullable<ConfigFile['isNot']>
  | 'too slow'
  | 'not readable';

/** A file that was not searched, and the reason. */
export interface Skipped {
  readonly file: string;
  readonly why: Unsearched;
}

/** The number of values that could not be compared, and some of them. */
export interface Tally {
  readonly count: number;
  readonly some: readonly string[];
}

const NONE: Tally = { count: 0, some: [] };
const MOST_VALUES = 5;

export class SearchPage {
  readonly #search: Search | TextSearch;
  readonly #opener: FileOpener;
  readonly #context: CallContext;
  readonly #limit: number;
  readonly #found: number;
  /** The number of files that earlier pages left out; see `FileCursor`. */
  readonly earlierLeft: number;
  readonly matches: string[] = [];
  readonly unsearched: Skipped[] = [];
  /** The values, if they are counted instead of listing matches. */
  readonly counts: ValueCounts | undefined;
  notCompared = NONE;
  asNumbers = NONE;
  asLowest = NONE;
  near = NOT_NEAR;
  /** The numbers for the files of this page; see `Searched`. */
  otherCase = 0;
  exact = 0;
  /** The number of files that have the missing key, but not at the root. */
  deeper = 0;
  /** True if values of the searched files are masked, on earlier pages as well. */
  hasMasked: boolean;
  /** The number of matches of the next file that earlier pages returned. */
  skip: number;
  #chars: number;

  /** Starts a page after earlier ones. Throws ARGUMENT_INVALID. */
  constructor(
    terms: Terms,
    { skip, found, left, hasMasked = false }: Omit<FileCursor, 'file'>,
    { limit, isCounted }: { readonly limit: number; readonly isCounted: boolean },
    context: CallContext,
  ) {
    this.#search = terms.text === undefined ? compileSearch(terms) : compileTextSearch(terms.text);
    this.#opener = context.sandbox.opener();
    this.#context = context;
    this.#limit = limit;
    this.#found = found;
    this.earlierLeft = left;
    this.skip = skip;
    this.hasMasked = hasMasked;
    this.counts = isCounted ? new ValueCounts() : undefined;
    this.#chars = context.policy.limits.replyChars / 2;
  }

  /** Releases the open folders. To be called before other calls get their turn. */
  close(): void {
    this.#opener.close();
  }

  /** The number of files that were left out and of values that were not compared, on all pages so far. */
  get left(): number {
    return this.earlierLeft + this.unsearched.length + this.notCompared.count;
  }

  /** The number of matches on all pages so far. */
  get found(): number {
    return this.#found + this.matches.length + (this.counts?.found ?? 0);
  }

  /** Adds the matches of a file. Returns true if the page is full before all of them are on it. */
  take(file: string): boolean {
    const found = this.#matchesIn(file);
    if (typeof found === 'string') {
      this.unsearched.push({ file, why: found });
      this.skip = 0;
      return false;
    }
    if (this.counts !== undefined) {
      this.counts.add(found, (match) => matchLine(file, match));
      return false;
    }
    const wanted = found.slice(this.skip).map((match) => matchLine(file, match));
    const most = this.#chars <= 0 ? 0 : this.#limit - this.matches.length;
    const taken = takeWithinBudget(wanted, { most, chars: this.#chars }, ({ length }) => length);
    this.matches.push(...taken);
    this.#chars -= taken.reduce((sum, { length }) => sum + length, 0);
    const isFull = wanted.length > taken.length;
    this.skip = isFull ? this.skip + taken.length : 0;
    return isFull;
  }

  #matchesIn(file: string): readonly Match[] | Unsearched {
    try {
      const search = this.#search;
      const { sought } = search;
      if (!('findText' in search) && isPlainText(this.#context.sandbox.parse(file))) return [];
      const snapshot = readSought(file, { opener: this.#opener, sought }, this.#context);
      if (snapshot === undefined) return [];
      const { text } = snapshot;
      this.hasMasked ||= holdsPlaceholder(text);
      if (!sought.every((test) => test(text))) return [];
      return 'findText' in search ? this.#linesIn(search.findText(text)) : this.#nodesIn(snapshot, search);
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'ARGUMENT_INVALID')
        return UNSEARCHED[error.code] ?? 'not readable';
      throw error;
    }
  }

  #linesIn({ matches, otherCase }: Pick<Searched, 'matches' | 'otherCase'>): readonly Match[] {
    if (this.skip === 0) this.otherCase += otherCase;
    return matches;
  }

  #nodesIn({ path, text, notes }: Snapshot, { find }: Search): readonly Match[] | Unsearched {
    const known = UNSEARCHABLE.find((why) => why === notes.get(NOTE));
    if (known !== undefined) return known;
    try {
      const { stream, isNot } = readConfigFile(
        path,
        text,
        forOneOfMany(toKnowWhether(this.#context.policy.limits)),
      );
      if (isNot !== undefined) return isNot;
      const found = find(stream, this.found === 0);
      this.#note(found);
      return found.matches;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'SYNTAX_INVALID') throw error;
      const why = text.includes('{{') ? 'template' : 'not valid';
      notes.set(NOTE, why);
      return why;
    }
  }

  #note({ matches, notCompared, by, near, otherCase, exact, isDeeper }: Searched): void {
    // An earlier page already noted this about the same file.
    if (this.skip > 0) return;
    this.otherCase += otherCase;
    this.exact += exact;
    if (isDeeper && matches.length === 0) this.deeper += 1;
    this.notCompared = added(this.notCompared, notCompared);
    this.asNumbers = added(this.asNumbers, by.number);
    this.asLowest = added(this.asLowest, by.lowest);
    this.near = { otherPlace: this.near.otherPlace + near.otherPlace, part: this.near.part + near.part };
  }
}

/** The key under which it is remembered why a content cannot be searched. */
const NOTE = 'search';
const UNSEARCHABLE = ['template', 'not valid'] as const;

function added({ count, some }: Tally, more: readonly string[]): Tally {
  const all = some.length < MOST_VALUES ? [...new Set([...some, ...more])].slice(0, MOST_VALUES) : some;
  return { count: count + more.length, some: all };
}

const UNSEARCHED: Partial<Readonly<Record<ErrorCode, Unsearched>>> = {
  SYNTAX_INVALID: 'not valid',
  UNSUPPORTED_FORMAT: 'text only',
  LIMIT_EXCEEDED: 'too large',
  FILE_TOO_LARGE: 'too large',
  NOT_UTF8: 'not UTF-8',
  TIMEOUT: 'too slow',
};

function matchLine(file: string, { line, doc, path, shown }: Match): string {
  const where = path === undefined ? [] : [path === '' ? '(root)' : cutPath(path)];
  const what = [...where, cutSentence(shown)].join(' ');
  return [`${visibleLine(file)}:${line}`, ...(doc === undefined ? [] : [doc]), what].join('  ');
}

interface ValueCount {
  readonly value: string;
  readonly count: number;
  /** The first match with it, as a search shows it. */
  readonly example: string;
}

/** Further values are only counted together: no one reads them, and each takes memory. */
const MAX_VALUES = 10_000;

export class ValueCounts {
  readonly #values = new Map<string, { count: number; readonly example: string }>();
  found = 0;

  add(matches: readonly Match[], lineOf: (match: Match) => string): void {
    for (const match of matches) {
      this.found += 1;
      const value = cutSentence(match.value);
      const known = this.#values.get(value);
      if (known !== undefined) known.count += 1;
      else if (this.#values.size < MAX_VALUES) this.#values.set(value, { count: 1, example: lineOf(match) });
    }
  }

  /** Returns the most frequent values, and how many are left out. */
  top(most: number): { readonly values: readonly ValueCount[]; readonly left: number } {
    const all = [...this.#values].map(([value, counted]) => ({ value, ...counted }));
    const values = all.sort((a, b) => b.count - a.count).slice(0, most);
    return { values, left: all.length - values.length };
  }
}

/**
 * Where a call over many files goes on, in a text short enough to be sent back. Its hash of the path tells whether files have
 * come or gone between two pages.
 */
interface FileCursor {
  /** The index of the file to go on with. */
  readonly file: number;
  /** The number of its matches that were returned already. */
  readonly skip: number;
  /** The number of matches on all earlier pages. */
  readonly found: number;
  /** The number of files that earlier pages left out, and of values that they could not compare. */
  readonly left: number;
  /** True if files of earlier pages have masked values. */
  readonly hasMasked?: boolean;
}

const FIRST_PAGE: FileCursor = { file: 0, skip: 0, found: 0, left: 0 };

const HASH_LETTERS = 6;

/** Prints the cursor; `files` is the list that its index is in. */
export function printCursor(
  { file, skip, found, left, hasMasked = false }: FileCursor,
  files: readonly string[],
): string {
  const counts = [file, skip, found, ...(left === 0 ? [] : [left])].join('.');
  return `${counts}${hasMasked ? 'm' : ''}.${letters(files[file])}`;
}

/** Finds the place in the current list; if the file is gone, the one that now has its index. Throws ARGUMENT_INVALID. */
export function readCursor(cursor: string | undefined, files: readonly string[]): FileCursor {
  if (cursor === undefined) return FIRST_PAGE;
  const [, file, skip, found, left = 0, masked, hash = ''] =
    /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(m?)\.([0-9a-f]{6})$/u.exec(cursor) ?? [];
  if (hash === '')
    throw new Refusal(
      'ARGUMENT_INVALID',
      'Cannot use this cursor: it is not the next_cursor of an earlier reply',
    );
  const place = Number(file);
  const isSame = letters(files[place]) === hash;
  const moved = isSame ? place : files.findIndex((one) => letters(one) === hash);
  const at = moved === -1 ? { file: place, skip: 0 } : { file: moved, skip: Number(skip) };
  return { ...at, found: Number(found), left: Number(left), hasMasked: masked === 'm' };
}

function letters(file: string | undefined): string {
  return sha256Hex(file ?? '').slice(0, HASH_LETTERS);
}
