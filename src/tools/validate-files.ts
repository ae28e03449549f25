// What is wrong with many files: a line for each that has problems, with the first of them.
import { counted, findProblems, readOrProblems } from '../adapters/index.ts';
import { Refusal, visibleLine } from '../security/index.ts';
import { filesBelow, readSnapshot } from './read-file.ts';
import { type CallContext, cutSentence, type Reply } from './tool.ts';

/** A call ends early after so much. */
const MAX_BYTES = 20_000_000;
const MAX_FILES = 2_000;
const MAX_LISTED = 200;

/** The files that a pattern names. Throws ARGUMENT_INVALID for a bad one. */
export async function validateFiles(pattern: string, context: CallContext): Promise<Reply> {
  const { files, next } = context.sandbox.list({ pattern: filesBelow(pattern), limit: MAX_FILES });
  const faulty: string[] = [];
  let [checked, bytes] = [0, 0];
  for (const { path, sizeBytes } of files) {
    if (bytes > MAX_BYTES) break;
    await context.pause();
    context.progress(checked, files.length);
    const fault = faultOf(path.toString(), context);
    if (fault !== undefined) faulty.push(`${visibleLine(path.toString())}: ${cutSentence(fault)}`);
    checked += 1;
    bytes += sizeBytes;
  }
  const isWhole = checked === files.length && next === undefined;
  const listed = faulty.slice(0, MAX_LISTED);
  const lines = [
    `${counted(checked, 'file')} checked, ${faulty.length} with problems.`,
    ...listed,
    ...(faulty.length > listed.length ? [`and ${faulty.length - listed.length} more`] : []),
    ...(isWhole ? [] : ['There are more files: narrow the pattern.']),
  ];
  return {
    text: lines.join('\n'),
    data: {
      ok: true,
      valid: faulty.length === 0 && isWhole,
      problem_count: faulty.length,
      problems: listed,
      files: checked,
    },
  };
}

/** Undefined for a file without problems. */
function faultOf(file: string, context: CallContext): string | undefined {
  try {
    const { path, text } = readSnapshot(file, context);
    const config = readOrProblems(path, text, context.policy.limits);
    const problems = 'stream' in config ? findProblems(config) : config;
    const [first] = problems;
    if (first === undefined) return undefined;
    const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
    const at = first.path === undefined || first.path === '' ? '' : ` (${first.path})`;
    return `line ${first.line}, column ${first.column}: ${first.code}: ${first.message}${at}${more}`;
  } catch (error) {
    if (error instanceof Refusal) return `${error.code}: ${error.message}`;
    throw error;
  }
}
