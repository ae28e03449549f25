// config_list lists the files that the policy allows. Hidden files are neither listed nor counted.
import { z } from 'zod';
import { splitExclusions } from '../security/paths/glob.ts';
import { quoted, visibleLine } from '../security/text/visible.ts';
import { closedLines } from './named-files.ts';
import { excludeField, filesBelow, joinPatterns, patternField } from './read-file.ts';
import { type CallContext, tool } from './tool.ts';

const DEFAULT_LIMIT = 100;
const MAX_COUNTED = 500;
/** Keeps a hint from taking longer than the call itself. */
const MOST_ENTRIES_FOR_HINT = 1_000;
const BLOCK_BYTES = 4_096;

export const configList = tool({
  name: 'config_list',
  title: 'List configuration files',
  description: 'Lists the files that can be read, with their sizes. Start here.',
  input: z.strictObject({
    pattern: patternField.describe(
      '* stays in one folder; **/compose.yaml for any depth; a folder means all below it',
    ),
    exclude: excludeField.describe('Left out: vendor (at any depth), charts/**/*.yaml'),
    cursor: z.string().optional().describe('next_cursor before'),
    limit: z.number().int().min(1).max(500).default(DEFAULT_LIMIT),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ pattern: given, exclude, cursor, limit }, context) {
    const pattern = joinPatterns(given, exclude);
    const wanted = pattern === undefined ? undefined : filesBelow(pattern);
    const listing = context.sandbox.list({ pattern: wanted, after: cursor, limit });
    const { next, truncated, closed } = listing;
    const files = listing.files.map(({ path, sizeBytes }) => ({
      file: `${path}`,
      size: inBlocks(sizeBytes),
    }));
    const notes = [
      ...(files.length === 0 ? [noFiles(pattern, context)] : []),
      ...closedLines(closed),
      ...(next === undefined ? [] : [`More: repeat with cursor ${JSON.stringify(next)}`]),
      ...(truncated ? ['The tree is too large to list whole: narrow with pattern.'] : []),
    ];
    const lines = files.map(({ file, size }) => `${visibleLine(file)}  ${size / 1_024} KiB`);
    const cursorData = next === undefined ? {} : { next_cursor: next };
    const closedData =
      closed.count === 0
        ? {}
        : { not_open: { count: closed.count, some: closed.kinds.map(({ example }) => example) } };
    return {
      text: [...lines, ...notes].join('\n'),
      data: { ok: true, files, ...cursorData, truncated, ...closedData },
    };
  },
});

/** Explains an empty list: a pattern such as `*.yaml` may have been meant for all folders. */
export function noFiles(pattern: string | undefined, { sandbox }: CallContext): string {
  if (pattern === undefined) return 'There are no files that can be used here.';
  const { wanted, excluded } = splitExclusions(pattern);
  const plain = wanted.replace(/\/+$/u, '');
  const anywhere = [`**/${plain}`, ...excluded].join(' !');
  const below = [`${plain}/**`, ...excluded].join(' !');
  const hint =
    '"*" stays in one folder; "**/" is any folder; a folder without wildcards means all below it. Files on the denylist (keys, credentials) are never listed.';
  const none = `No files match ${quoted(pattern)}. ${hint}`;
  if (
    plain !== '' &&
    sandbox.list({ pattern: below, limit: 1, mostEntries: MOST_ENTRIES_FOR_HINT }).files.length > 0
  )
    return `No files match, but folders do: config_list ${JSON.stringify({ pattern: below })}. ${hint}`;
  if (/^(?:$|\*\*)/u.test(wanted)) return none;
  const query = { pattern: anywhere, limit: MAX_COUNTED, mostEntries: MOST_ENTRIES_FOR_HINT };
  const { files, next, truncated } = sandbox.list(query);
  const call = `config_list ${JSON.stringify({ pattern: anywhere })}`;
  const isPart = truncated || next !== undefined;
  if (files.length === 0) return isPart ? `${none} ${call} looks in every folder.` : none;
  const most = isPart ? `${files.length} or more` : `${files.length}`;
  return `No files match. ${most} match in other folders: ${call}. ${hint}`;
}

/** Rounds a size to whole blocks: an exact one would reveal the length of masked values. */
function inBlocks(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES;
}
