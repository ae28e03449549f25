// config_list lists the files that the policy allows. Hidden files are neither listed nor counted.
import { z } from 'zod';
import { sentText } from '../adapters/index.ts';
import { quoted, splitExclusions, visibleLine } from '../security/index.ts';
import { closedLines } from './named-files.ts';
import { excludeField, filesBelow, joinPatterns, patternField } from './read-file.ts';
import { tool } from './tool.ts';

const DEFAULT_LIMIT = 100;
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
      ...(files.length === 0 ? [noFiles(pattern)] : []),
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

/** Explains an empty list: a pattern such as `*.yaml` or `compose.yaml` may have been meant for any folder. */
export function noFiles(pattern: string | undefined): string {
  if (pattern === undefined) return 'There are no files that can be used here.';
  const { wanted, excluded } = splitExclusions(pattern);
  const none = `No files match ${quoted(pattern)}. "*" stays in one folder; "**/" is any folder; a folder without wildcards means all below it. Files on the denylist (keys, credentials) are never listed.`;
  const plain = wanted.replace(/\/+$/u, '');
  const call = (file: string) => `config_list ${sentText({ pattern: [file, ...excluded].join(' !') })}`;
  const isAnywhere = plain === '' || plain.startsWith('**');
  return `${none} ${isAnywhere ? '' : `In any folder: ${call(`**/${plain}`)}. `}Below such folders: ${call(`${plain}/**`)}.`;
}

/** Sizes are told in whole blocks, because an exact one would tell how long masked values are. */
function inBlocks(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES;
}
