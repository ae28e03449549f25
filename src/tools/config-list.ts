// config_list lists the files that the policy allows. Hidden files are neither listed nor counted.
import { z } from 'zod';
import { documentCounter } from '../adapters/index.ts';
import { maskedSizeBytes, quoted, Refusal, type SafePath, visibleLine } from '../security/index.ts';
import { filesBelow } from './read-file.ts';
import { type CallContext, tool } from './tool.ts';

const DEFAULT_LIMIT = 100;
const MAX_COUNTED = 500;
const BLOCK_BYTES = 4_096;

export const configList = tool({
  name: 'config_list',
  title: 'List configuration files',
  description: 'Lists the files that can be read: path, size, documents. Start here.',
  input: z.strictObject({
    pattern: z
      .string()
      .optional()
      .describe('* stays in one folder; **/compose.yaml for any depth; a folder means all below it'),
    cursor: z.string().optional().describe('next_cursor before'),
    limit: z.number().int().min(1).max(500).default(DEFAULT_LIMIT),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ pattern, cursor, limit }, context) {
    const wanted = pattern === undefined ? undefined : filesBelow(pattern);
    const { files: found, next, truncated } = context.sandbox.list({ pattern: wanted, after: cursor, limit });
    const files: { file: string; size: number; documents: number | null }[] = [];
    for (const { path, sizeBytes } of found) {
      await context.pause();
      context.progress(files.length, found.length);
      const { size = inBlocks(sizeBytes), documents } = lookedAt(path, context);
      files.push({ file: path.toString(), size, documents });
    }
    const lines = files.map(({ file, size, documents }) => {
      return `${visibleLine(file)}  ${size} bytes${documents === null || documents === 1 ? '' : `, ${documents} documents`}`;
    });
    const notes = [
      ...(files.length === 0 ? [noFiles(pattern, context)] : []),
      ...(next === undefined ? [] : [`More: repeat with cursor ${JSON.stringify(next)}`]),
      ...(truncated ? ['The tree is too large to list whole: narrow with pattern.'] : []),
    ];
    const cursorData = next === undefined ? {} : { next_cursor: next };
    return { text: [...lines, ...notes].join('\n'), data: { ok: true, files, ...cursorData, truncated } };
  },
});

/** Explains an empty list: a pattern such as `*.yaml` or `compose.yaml` may have been meant for any folder. */
export function noFiles(pattern: string | undefined, { sandbox }: CallContext): string {
  if (pattern === undefined) return 'There are no files that can be used here.';
  const anywhere = `**/${pattern.replace(/\/+$/u, '')}`;
  const hint = '"*" stays in one folder; "**/" is any folder; a folder means all below it.';
  const count = pattern.startsWith('**/')
    ? 0
    : sandbox.list({ pattern: anywhere, limit: MAX_COUNTED }).files.length;
  if (count === 0) return `No files match ${quoted(pattern)}. ${hint}`;
  const most = count === MAX_COUNTED ? `${MAX_COUNTED} or more` : `${count}`;
  return `No files match. ${most} match in other folders: config_list ${JSON.stringify({ pattern: anywhere })}. ${hint}`;
}

/** The size of a file that is not looked into, which may hold masked values, is told in whole blocks. */
function inBlocks(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES;
}

/**
 * Answers the size as it is shown, which does not reveal the length of masked values. `documents` is null for a file that
 * cannot be read as text, or is too large to look into.
 */
function lookedAt(
  path: SafePath,
  { sandbox, policy }: CallContext,
): { readonly size?: number; readonly documents: number | null } {
  const count = documentCounter(path);
  try {
    const file = sandbox.open(path);
    if (file.sizeBytes <= maskedSizeBytes(policy.limits)) {
      const snapshot = file.read();
      return { size: snapshot.sizeBytes, documents: count?.(snapshot.text) ?? 1 };
    }
    file.close();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  return { documents: count === undefined ? 1 : null };
}
