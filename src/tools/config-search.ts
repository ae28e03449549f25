// config_search: where a key or a value stands, over all files. It answers with places, not with contents.
import { z } from 'zod';
import { type SearchTerms, searchFile } from '../adapters/index.ts';
import { Refusal, visibleLine } from '../security/index.ts';
import { readFile } from './read-file.ts';
import { type CallContext, cutPath, type Reply, runEvenIfInvalid, takeWithinBudget, tool } from './tool.ts';

const DEFAULT_LIMIT = 50;
/** A call ends early after so much, with a cursor: no call holds the server for long. */
const MAX_BYTES_A_CALL = 4_000_000;
const MAX_FILES_A_CALL = 1_000;

interface Place {
  readonly file: string;
  readonly doc: number;
  readonly path: string;
  readonly line: number;
}

export const configSearch = tool({
  name: 'config_search',
  title: 'Search keys and values',
  description:
    'Finds where a key, key path or value stands across files: file, doc, path, line. Patterns are literal, with * and ?.',
  input: z
    .strictObject({
      pattern: z.string().optional().describe('Files: a glob, as in config_list'),
      key: z.string().min(1).optional().describe('image, *image*, or a path: spec.*.image'),
      value: z.string().optional().describe('The whole decoded value: nginx:*'),
      limit: z.number().int().min(1).max(500).default(DEFAULT_LIMIT),
      cursor: z.string().max(8_192).optional(),
    })
    .refine(({ key, value }) => key !== undefined || value !== undefined, {
      message: 'give key, value or both',
      path: ['key'],
      ...runEvenIfInvalid,
    }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  writes: () => false,
  async run({ pattern, key, value, limit, cursor }, context) {
    return replyOf(
      await search({ pattern, terms: { key, value }, limit, from: readCursor(cursor) }, context),
    );
  },
});

const CursorShape = z.strictObject({
  /** The last file that is done with, or the one before the file that is not. */
  after: z.string().optional(),
  /** Matches of the next file that were returned already. */
  skip: z.number().int().min(0),
});

type Cursor = z.infer<typeof CursorShape>;

interface Search {
  readonly pattern: string | undefined;
  readonly terms: SearchTerms;
  readonly limit: number;
  readonly from: Cursor;
}

interface Result {
  readonly matches: readonly Place[];
  /** Files that cannot be searched. */
  readonly unreadable: readonly { readonly file: string; readonly code: string }[];
  /** Where the next call goes on; undefined where nothing is left. */
  readonly next: Cursor | undefined;
  readonly isTruncated: boolean;
}

async function search({ pattern, terms, limit, from }: Search, context: CallContext): Promise<Result> {
  const matches: Place[] = [];
  const unreadable: { file: string; code: string }[] = [];
  let chars = context.policy.limits.replyChars / 2;
  let [at, bytes, filesRead, isTruncated] = [from, 0, 0, false];
  for (;;) {
    const page = context.sandbox.list({ pattern, after: at.after, limit: 100 });
    isTruncated ||= page.truncated;
    for (const { path, sizeBytes } of page.files) {
      // Between files the event loop turns, so that a cancellation can arrive.
      await context.pause();
      context.progress(filesRead);
      const file = path.toString();
      const found = matchesOf(file, terms, context);
      filesRead += 1;
      bytes += sizeBytes;
      if (typeof found === 'string') unreadable.push({ file, code: found });
      else {
        const wanted = found.slice(at.skip);
        const most = chars <= 0 ? 0 : limit - matches.length;
        const taken = takeWithinBudget(wanted, { most, chars }, lengthOf);
        matches.push(...taken);
        chars -= taken.reduce((sum, place) => sum + lengthOf(place), 0);
        const next = { after: at.after, skip: at.skip + taken.length };
        if (wanted.length > taken.length) return { matches, unreadable, next, isTruncated };
      }
      at = { after: file, skip: 0 };
      if (bytes >= MAX_BYTES_A_CALL || filesRead >= MAX_FILES_A_CALL)
        return { matches, unreadable, next: at, isTruncated };
    }
    if (page.next === undefined) return { matches, unreadable, next: undefined, isTruncated };
  }
}

function lengthOf({ file, path }: Place): number {
  return file.length + path.length;
}

/** The code of a file that cannot be searched, instead of its matches. */
function matchesOf(file: string, terms: SearchTerms, context: CallContext): readonly Place[] | string {
  try {
    return searchFile(readFile(file, context).stream, terms).map(({ doc, path, line }) => {
      return { file, doc, path: cutPath(path), line };
    });
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'ARGUMENT_INVALID') return error.code;
    throw error;
  }
}

function replyOf({ matches, unreadable, next, isTruncated }: Result): Reply {
  const cursor = next === undefined ? undefined : JSON.stringify(next);
  const lines = [
    ...(matches.length === 0 ? [nothing(cursor !== undefined)] : matches.map(placeLine)),
    ...unreadable.map(({ file, code }) => `not searched: ${visibleLine(file)} (${code})`),
    ...(cursor === undefined ? [] : [`More: repeat with cursor ${JSON.stringify(cursor)}`]),
    ...(isTruncated ? ['The tree is too large to search whole: narrow with pattern.'] : []),
  ];
  const more = cursor === undefined ? {} : { next_cursor: cursor };
  const data = { ok: true, matches, ...more, unreadable, truncated: isTruncated } as const;
  return { text: lines.join('\n'), data };
}

function placeLine({ file, doc, path, line }: Place): string {
  return `${visibleLine(file)}:${line}  ${visibleLine(path)}${doc === 0 ? '' : `  (doc ${doc})`}`;
}

function nothing(isMoreToCome: boolean): string {
  return isMoreToCome
    ? 'Nothing found so far.'
    : 'Nothing found. A pattern matches a whole key, path or value: *part* finds a part.';
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
