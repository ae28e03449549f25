// config_search finds keys, paths, values and texts in all files, with one line for each match.
import { z } from 'zod';
import type { SearchTerms } from '../adapters/search/terms.ts';
import { counted } from '../adapters/tree/wording.ts';
import { loadVersions } from '../security/policy/engines.ts';
import { previewing } from './as-previewed.ts';
import { closedLines } from './named-files.ts';
import { eachFile, excludeField, filesOf, joinPatterns, patternField } from './read-file.ts';
import { leavesOutMasked, notesOn, nothing, plainTextLines, type Reached } from './search-notes.ts';
import { printCursor, readCursor, SearchPage, type ValueCounts } from './search-page.ts';
import { previewField, type Reply, runEvenIfInvalid, tool } from './tool.ts';

const DEFAULT_LIMIT = 50;

export const configSearch = tool({
  name: 'config_search',
  title: 'Search keys, values and text',
  description:
    'Finds keys, paths, values or text across files, one line each with the value. * and ? are wildcards, \\* is none; (?i) before a term: any letter case.',
  input: z
    .strictObject({
      pattern: patternField.describe('Files, as in config_list'),
      exclude: excludeField,
      key: z.string().min(1).optional().describe('image, *image*, or the end of a path: containers[*].image'),
      value: z.string().optional().describe('The whole value: nginx:*'),
      text: z.string().min(1).optional().describe('Part of a line, comments included, in any open file'),
      where: z.string().optional().describe('<2, >=2, !=x, or missing (with key)'),
      count: z.boolean().optional().describe('Values with their number and one place each'),
      limit: z.number().int().min(1).max(500).default(DEFAULT_LIMIT),
      cursor: z.string().max(64).optional(),
      preview_id: previewField,
    })
    .superRefine(({ key, value, text, where }, context) => {
      const message = faultOf({ key, value, where }, text);
      if (message !== undefined) context.addIssue({ code: 'custom', message, path: ['key'] });
    }, runEvenIfInvalid),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ count: isCounted = false, limit, cursor, preview_id: previewId, ...given }, asked) {
    const { pattern: which, exclude, ...terms } = given;
    const pattern = joinPatterns(which, exclude);
    const context = await previewing(previewId, asked);
    const { files, isTruncated, closed } = filesOf(pattern, context);
    const from = readCursor(cursor, files);
    if (terms.where !== undefined) await loadVersions();
    const page = new SearchPage(terms, from, { limit, isCounted }, context);
    const pause = () => {
      page.close();
      return context.pause();
    };
    const take = (file: string) => page.take(file);
    const end = await eachFile(files, from.file, take, { ...context, pause }).finally(() => page.close());
    const { skip, found, left, hasMasked } = page;
    const next =
      end < files.length ? printCursor({ file: end, skip, found, left, hasMasked }, files) : undefined;
    const isOfKeys = terms.key !== undefined && page.found > 0;
    const texts = isOfKeys ? [] : plainTextLines(terms, files, pattern, context);
    const isWhole =
      left === 0 && !isTruncated && closed.count === 0 && !leavesOutMasked(terms, page) && texts.length === 0;
    const reached = { searched: end, of: files.length, isWhole };
    const notes = [
      ...(page.found === 0 ? nothing(terms, page, pattern, reached, context) : []),
      ...texts,
      ...notesOn(terms, page, pattern),
      ...(page.found === 0 ? [] : [totalLine(page, reached, from.found > 0)]),
      ...closedLines(closed),
      ...(isTruncated ? ['The tree is too large to search whole: narrow with pattern.'] : []),
    ];
    return page.counts === undefined
      ? replyOf({ matches: page.matches }, page.matches, notes, next)
      : countsReply(page.counts.top(limit), notes, next);
  },
});

function faultOf({ key, value, where }: SearchTerms, text: string | undefined): string | undefined {
  const hasTerms = key !== undefined || value !== undefined || where !== undefined;
  if (text === undefined) return hasTerms ? undefined : 'give key, value, where or text';
  return hasTerms ? 'text is searched for alone: give it without key, value and where' : undefined;
}

function totalLine({ found }: SearchPage, { searched, of, isWhole }: Reached, isLater: boolean): string {
  if (searched < of) return `${found} so far; ${searched} of ${counted(of, 'file')} searched`;
  return `${isLater ? 'Last page: ' : ''}${found === 1 ? '1 match' : `${found} matches`} in ${isWhole ? 'all' : 'what was searched'}`;
}

function countsReply(
  { values, left }: ReturnType<ValueCounts['top']>,
  notes: readonly string[],
  next: string | undefined,
): Reply {
  const lines = values.map(({ value, count, example }) => `${count} × ${value}  (${example})`);
  const more = left === 0 ? [] : [`${counted(left, 'rarer value')} not shown: raise "limit"`];
  return replyOf({ values }, lines, [...more, ...notes], next);
}

function replyOf(
  found: object,
  lines: readonly string[],
  notes: readonly string[],
  next: string | undefined,
): Reply {
  return {
    text: [
      ...lines,
      ...notes,
      ...(next === undefined ? [] : [`More: repeat with cursor ${JSON.stringify(next)}`]),
    ].join('\n'),
    data: { ok: true, ...found, notes, ...(next === undefined ? {} : { next_cursor: next }) },
  };
}
