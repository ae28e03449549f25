// config_search: where keys, paths, values and texts stand over all files, with the value, one line each.
import { z } from 'zod';
import {
  counted,
  type Match,
  readConfigFile,
  type SearchTerms,
  searchFile,
  searchText,
} from '../adapters/index.ts';
import { type ErrorCode, Refusal, visibleLine } from '../security/index.ts';
import { noFiles } from './config-list.ts';
import { filesBelow, readSnapshot } from './read-file.ts';
import {
  type CallContext,
  cutPath,
  cutSentence,
  type Reply,
  runEvenIfInvalid,
  takeWithinBudget,
  tool,
} from './tool.ts';

const DEFAULT_LIMIT = 50;
/** A call ends early after so much, with a cursor: no call holds the server for long. */
const MAX_BYTES_A_CALL = 4_000_000;
const MAX_FILES_A_CALL = 1_000;

export const configSearch = tool({
  name: 'config_search',
  title: 'Search keys, values and text',
  description:
    'Finds keys, paths, values or text across files, one line each with the value. * and ? are wildcards.',
  input: z
    .strictObject({
      pattern: z.string().optional().describe('Files, as in config_list'),
      key: z.string().min(1).optional().describe('image, *image*, or the end of a path: containers[*].image'),
      value: z.string().optional().describe('The whole value: nginx:*'),
      text: z.string().min(1).optional().describe('Part of a line, comments included, in any file'),
      where: z.string().optional().describe('<2, >=2, !=x, or missing (with key)'),
      limit: z.number().int().min(1).max(500).default(DEFAULT_LIMIT),
      cursor: z.string().max(8_192).optional(),
    })
    .superRefine(({ key, value, text, where }, context) => {
      const message = faultOf({ key, value, where }, text);
      if (message !== undefined) context.addIssue({ code: 'custom', message, path: ['key'] });
    }, runEvenIfInvalid),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ pattern, key, value, text, where, limit, cursor }, context) {
    const terms = { key, value, where };
    const find: Find =
      text === undefined ? (file) => matchesOf(file, terms, context) : (file) => linesOf(file, text, context);
    const result = await search({ pattern, find, limit, from: readCursor(cursor) }, context);
    const files = pattern === undefined ? undefined : filesBelow(pattern);
    const isNowhere =
      result.matches.length === 0 && context.sandbox.list({ pattern: files, limit: 1 }).files.length === 0;
    return replyOf(result, isNowhere ? noFiles(pattern, context) : nothing(result.next !== undefined, terms));
  },
});

function faultOf({ key, value, where }: SearchTerms, text: string | undefined): string | undefined {
  const hasTerms = key !== undefined || value !== undefined || where !== undefined;
  if (text === undefined) return hasTerms ? undefined : 'give key, value, where or text';
  return hasTerms ? 'text is searched for alone: give it without key, value and where' : undefined;
}

const CursorShape = z.strictObject({
  /** The last file that is done with, or the one before the file that is not. */
  after: z.string().optional(),
  /** Matches of the next file that were returned already. */
  skip: z.number().int().min(0),
});

type Cursor = z.infer<typeof CursorShape>;

/** Lines for a reply, or why the file cannot be searched. */
type Find = (file: string) => readonly string[] | Unsearched;

/** As a count of them is called. */
type Unsearched =
  | 'template'
  | 'not valid'
  | 'too large'
  | 'not UTF-8'
  | 'without a structure'
  | 'not readable';

interface Search {
  readonly pattern: string | undefined;
  readonly find: Find;
  readonly limit: number;
  readonly from: Cursor;
}

interface Result {
  readonly matches: readonly string[];
  readonly unsearched: readonly Unsearched[];
  /** Where the next call goes on; undefined where nothing is left. */
  readonly next: Cursor | undefined;
  readonly isTruncated: boolean;
}

async function search({ pattern, find, limit, from }: Search, context: CallContext): Promise<Result> {
  const matches: string[] = [];
  const unsearched: Unsearched[] = [];
  let chars = context.policy.limits.replyChars / 2;
  const files = pattern === undefined ? undefined : filesBelow(pattern);
  let [at, bytes, filesRead, isTruncated] = [from, 0, 0, false];
  for (;;) {
    const page = context.sandbox.list({ pattern: files, after: at.after, limit: 100 });
    isTruncated ||= page.truncated;
    for (const { path, sizeBytes } of page.files) {
      // Between files the event loop turns, so that a cancellation can arrive.
      await context.pause();
      context.progress(filesRead);
      const file = path.toString();
      const found = find(file);
      filesRead += 1;
      bytes += sizeBytes;
      if (typeof found === 'string') unsearched.push(found);
      else {
        const wanted = found.slice(at.skip);
        const most = chars <= 0 ? 0 : limit - matches.length;
        const taken = takeWithinBudget(wanted, { most, chars }, ({ length }) => length);
        matches.push(...taken);
        chars -= taken.reduce((sum, { length }) => sum + length, 0);
        const next = { after: at.after, skip: at.skip + taken.length };
        if (wanted.length > taken.length) return { matches, unsearched, next, isTruncated };
      }
      at = { after: file, skip: 0 };
      if (bytes >= MAX_BYTES_A_CALL || filesRead >= MAX_FILES_A_CALL)
        return { matches, unsearched, next: at, isTruncated };
    }
    if (page.next === undefined) return { matches, unsearched, next: undefined, isTruncated };
  }
}

function linesOf(file: string, text: string, context: CallContext): readonly string[] | Unsearched {
  return unlessUnreadable(() =>
    searchText(readSnapshot(file, context).text, text).map((match) => matchLine(file, match)),
  );
}

function matchesOf(file: string, terms: SearchTerms, context: CallContext): readonly string[] | Unsearched {
  return unlessUnreadable(() => {
    const { path, text } = readSnapshot(file, context);
    try {
      const { stream } = readConfigFile(path, text, context.policy.limits);
      if (stream.hasStructure === false) return 'without a structure';
      return searchFile(stream, terms).map((match) => matchLine(file, match));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'SYNTAX_INVALID' && text.includes('{{'))
        return 'template';
      throw error;
    }
  });
}

const UNSEARCHED: Partial<Readonly<Record<ErrorCode, Unsearched>>> = {
  SYNTAX_INVALID: 'not valid',
  LIMIT_EXCEEDED: 'too large',
  FILE_TOO_LARGE: 'too large',
  NOT_UTF8: 'not UTF-8',
};

function unlessUnreadable(find: () => readonly string[] | Unsearched): readonly string[] | Unsearched {
  try {
    return find();
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'ARGUMENT_INVALID')
      return UNSEARCHED[error.code] ?? 'not readable';
    throw error;
  }
}

function matchLine(file: string, { line, doc, path, shown }: Match): string {
  const where = path === undefined ? [] : [path === '' ? '(root)' : cutPath(path)];
  const what = [...where, cutSentence(visibleLine(shown))].join(' ');
  return [`${visibleLine(file)}:${line}`, ...(doc === undefined ? [] : [doc]), what].join('  ');
}

/** `none`: what is said where nothing was found. */
function replyOf({ matches, unsearched, next, isTruncated }: Result, none: string): Reply {
  const cursor = next === undefined ? undefined : JSON.stringify(next);
  const notSearched = unsearched.length === 0 ? undefined : unsearchedLine(unsearched);
  const lines = [
    ...(matches.length === 0 ? [none] : matches),
    ...(notSearched === undefined ? [] : [notSearched]),
    ...(cursor === undefined ? [] : [`More: repeat with cursor ${JSON.stringify(cursor)}`]),
    ...(isTruncated ? ['The tree is too large to search whole: narrow with pattern.'] : []),
  ];
  return {
    text: lines.join('\n'),
    data: {
      ok: true,
      matches,
      ...(notSearched === undefined ? {} : { not_searched: notSearched }),
      ...(cursor === undefined ? {} : { next_cursor: cursor }),
      ...(isTruncated ? { truncated: true } : {}),
    },
  };
}

/** However many there are, one line. */
function unsearchedLine(unsearched: readonly Unsearched[]): string {
  const kinds = [...new Set(unsearched)].map((kind) => {
    const count = unsearched.filter((one) => one === kind).length;
    return kind === 'template' ? counted(count, kind) : `${count} ${kind}`;
  });
  return `${counted(unsearched.length, 'file')} not searched (${kinds.join(', ')}): config_validate {"pattern":"**"} lists them, "text" searches any file`;
}

function nothing(isMoreToCome: boolean, { value = '' }: SearchTerms): string {
  if (isMoreToCome) return 'Nothing found so far.';
  const comparison = /^[<>=!]/.test(value)
    ? ` For a comparison give it as "where": ${JSON.stringify(value)}.`
    : '';
  return `Nothing found. A pattern matches a whole key, path or value: *part* finds a part.${comparison}`;
}

function readCursor(cursor: string | undefined): Cursor {
  if (cursor === undefined) return { skip: 0 };
  try {
    return CursorShape.parse(JSON.parse(cursor));
  } catch (cause) {
    throw new Refusal(
      'ARGUMENT_INVALID',
      'Cannot use this cursor: it is not the next_cursor of an earlier reply',
      {},
      {},
      cause,
    );
  }
}
