// Reports the problems of many files: a line for each file with problems, with the first of them.
import { counted, findProblems, forOneOfMany, isPlainText, readOrProblems } from '../adapters/index.ts';
import { Refusal, visibleLine } from '../security/index.ts';
import { noFiles } from './config-list.ts';
import { eachFile, filesOf } from './each-file.ts';
import { printCursor, readCursor } from './file-cursor.ts';
import { closedLines } from './named-files.ts';
import { readSnapshot } from './read-file.ts';
import { type CallContext, cutSentence, type Reply } from './tool.ts';

/** The most files on a page. */
const MAX_LISTED = 200;

/** Checks the files that a pattern names. Throws ARGUMENT_INVALID for a bad pattern, and for a cursor of another call. */
export async function validateFiles(
  pattern: string | undefined,
  cursor: string | undefined,
  context: CallContext,
): Promise<Reply> {
  const { files, isTruncated, closed } = filesOf(pattern, context);
  const from = readCursor(cursor, files);
  const faulty: string[] = [];
  let chars = context.policy.limits.replyChars / 2;
  const take = (file: string): boolean => {
    if (faulty.length >= MAX_LISTED || chars < 0) return true;
    const fault = rememberedFault(file, context);
    if (fault === '') return false;
    const line = `${visibleLine(file)}: ${fault}`;
    chars -= line.length;
    faulty.push(line);
    return false;
  };
  const end = await eachFile(files, from.file, take, context);
  const found = from.found + faulty.length;
  const isWhole = end === files.length;
  const next = isWhole ? undefined : printCursor({ file: end, skip: 0, found, left: 0 }, files);
  const plain = files.slice(0, end).filter((file) => isPlainText(context.sandbox.parse(file))).length;
  const lines = [
    `${isWhole ? counted(end - plain, 'file') : `${end - plain} of ${counted(files.length, 'file')}`} checked, ${found} with problems${cursor === undefined ? '' : ' on all pages so far'}.`,
    ...(plain === 0 ? [] : [`${counted(plain, 'file')} of plain text: not checked.`]),
    ...(files.length === 0 ? [noFiles(pattern, context)] : []),
    ...faulty,
    ...closedLines(closed),
    ...(isTruncated ? ['The tree is too large to check whole: narrow the pattern.'] : []),
    ...(next === undefined ? [] : [`More: repeat with cursor ${JSON.stringify(next)}`]),
  ];
  return {
    text: lines.join('\n'),
    data: {
      ok: true,
      valid: found === 0 && isWhole && !isTruncated,
      problem_count: found,
      problems: faulty,
      files: end,
      ...(plain === 0 ? {} : { plain_text: plain }),
      ...(isWhole ? {} : { of: files.length, next_cursor: next }),
    },
  };
}

/** The name under which a content keeps its first problem as a note, or an empty text where it has none. */
const NOTE = 'validate';

/** Returns the first problem of a file, or an empty text. Refusals that do not follow from its content alone are not remembered. */
function rememberedFault(file: string, context: CallContext): string {
  try {
    const { path, text, notes } = readSnapshot(file, context);
    const known = notes.get(NOTE);
    if (known !== undefined) return known;
    const config = readOrProblems(path, text, forOneOfMany(context.policy.limits));
    const problems = 'stream' in config ? findProblems(config) : config;
    const [first] = problems;
    const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
    const at = first?.path === undefined || first.path === '' ? '' : ` (${first.path})`;
    const fault =
      first === undefined
        ? ''
        : cutSentence(
            `line ${first.line}, column ${first.column}: ${first.code}: ${first.message}${at}${more}`,
          );
    notes.set(NOTE, fault);
    return fault;
  } catch (error) {
    if (error instanceof Refusal) return cutSentence(`${error.code}: ${error.message}`);
    throw error;
  }
}
