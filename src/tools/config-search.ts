// config_search: where a key or a value stands, over all files. It answers with places, not with contents.
import { z } from 'zod';
import { searchFile } from '../adapters/index.ts';
import { Refusal, type SafePath, visibleLine } from '../security/index.ts';
import { runEvenIfInvalid } from './fields.ts';
import { readFile } from './read-file.ts';
import { cutPath, takeWithinBudget } from './take-within-budget.ts';
import { type CallContext, tool } from './tool.ts';

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
  output: z.object({
    ok: z.literal(true),
    matches: z.array(z.object({})),
    next_cursor: z.string().optional(),
    unreadable: z.array(z.object({})),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  writes: () => false,
  async run({ pattern, key, value, limit, cursor }, context) {
    const search = new Search(limit, context.policy.limits.replyChars / 2, readCursor(cursor));
    let isTruncated = false;
    while (!search.isOver) {
      const page = context.sandbox.list({ pattern, after: search.lastFile, limit: 100 });
      isTruncated ||= page.truncated;
      for (const { path, sizeBytes } of page.files) {
        if (search.isOver) break;
        // Between files the event loop turns, so that a cancellation can arrive.
        await context.pause();
        context.progress(search.filesRead);
        search.take(path, sizeBytes, matchesOf(path, { key, value }, context));
      }
      if (page.next === undefined && !search.isOver) search.finish();
    }
    return search.reply(isTruncated);
  },
});

/** The code of a file that cannot be searched, instead of its matches. */
function matchesOf(
  path: SafePath,
  terms: Parameters<typeof searchFile>[1],
  context: CallContext,
): readonly Omit<Place, 'file'>[] | string {
  try {
    return searchFile(readFile(path.toString(), context).stream, terms);
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'ARGUMENT_INVALID') return error.code;
    throw error;
  }
}

interface Cursor {
  /** The last file that is done with, or the one before the file that is not. */
  readonly after: string | undefined;
  /** Matches of the next file that were returned already. */
  readonly skip: number;
}

class Search {
  readonly #limit: number;
  readonly #matches: Place[] = [];
  readonly #unreadable: { file: string; code: string }[] = [];
  #after: string | undefined;
  #skip: number;
  /** How many characters of places the reply still has room for. */
  #chars: number;
  #bytes = 0;
  #next: Cursor | undefined;
  isOver = false;
  filesRead = 0;

  constructor(limit: number, chars: number, { after, skip }: Cursor) {
    this.#limit = limit;
    this.#chars = chars;
    this.#after = after;
    this.#skip = skip;
  }

  get lastFile(): string | undefined {
    return this.#after;
  }

  take(path: SafePath, sizeBytes: number, found: readonly Omit<Place, 'file'>[] | string): void {
    const file = path.toString();
    this.filesRead += 1;
    this.#bytes += sizeBytes;
    if (typeof found === 'string') {
      this.#unreadable.push({ file, code: found });
    } else {
      const wanted = found
        .slice(this.#skip)
        .map(({ doc, path: node, line }) => ({ file, doc, path: cutPath(node), line }));
      const lengthOf = ({ path: node }: Place): number => file.length + node.length;
      const most = this.#chars <= 0 ? 0 : this.#limit - this.#matches.length;
      const taken = takeWithinBudget(wanted, { most, chars: this.#chars }, lengthOf);
      this.#matches.push(...taken);
      this.#chars -= taken.reduce((sum, place) => sum + lengthOf(place), 0);
      if (wanted.length > taken.length) {
        this.#next = { after: this.#after, skip: this.#skip + taken.length };
        this.isOver = true;
        return;
      }
    }
    this.#skip = 0;
    this.#after = file;
    if (this.#bytes >= MAX_BYTES_A_CALL || this.filesRead >= MAX_FILES_A_CALL) {
      this.#next = { after: file, skip: 0 };
      this.isOver = true;
    }
  }

  finish(): void {
    this.isOver = true;
  }

  reply(isTruncated: boolean) {
    const lines = this.#matches.map(
      ({ file, doc, path, line }) =>
        `${visibleLine(file)}:${line}  ${visibleLine(path)}${doc === 0 ? '' : `  (doc ${doc})`}`,
    );
    const cursor = this.#next === undefined ? undefined : JSON.stringify(this.#next);
    const notes = [
      ...(lines.length === 0 ? [nothing(cursor !== undefined)] : []),
      ...this.#unreadable.map(({ file, code }) => `not searched: ${visibleLine(file)} (${code})`),
      ...(cursor === undefined ? [] : [`More: repeat with cursor ${JSON.stringify(cursor)}`]),
      ...(isTruncated ? ['The tree is too large to search whole: narrow with pattern.'] : []),
    ];
    const next = cursor === undefined ? {} : { next_cursor: cursor };
    const data = {
      ok: true,
      matches: this.#matches,
      ...next,
      unreadable: this.#unreadable,
      truncated: isTruncated,
    } as const;
    return { text: [...lines, ...notes].join('\n'), data };
  }
}

function nothing(isMoreToCome: boolean): string {
  return isMoreToCome
    ? 'Nothing found so far.'
    : 'Nothing found. A pattern matches a whole key, path or value: *part* finds a part.';
}

const CursorShape = z.strictObject({ after: z.string().optional(), skip: z.number().int().min(0) });

function readCursor(cursor: string | undefined): Cursor {
  if (cursor === undefined) return { after: undefined, skip: 0 };
  try {
    const { after, skip } = CursorShape.parse(JSON.parse(cursor));
    return { after, skip };
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
