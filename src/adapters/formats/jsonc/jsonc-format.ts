// JSON with comments, and with a comma after the last entry where the file has one.
import type { CommentSyntax, Format } from '../../tree/format.ts';
import type { Stream } from '../../tree/span-tree.ts';
import { isReadAlikeAs, JSON_FORMAT } from '../json/json-format.ts';
import { parseJsonc } from '../json/parse-json.ts';

const JSONC_COMMENTS: CommentSyntax = {
  write: (lines, stream, isWithinLine) => {
    const text = lines.join('\n');
    if (isOneBlock(text)) return lines;
    const isBlock = isWithinLine || hasOnlyBlocks(stream);
    return lines.map((line) => {
      if (isBlock) return isOneBlock(line) ? line : blockOf(line.replace(/^\/\/+[ \t]*/, ''), isWithinLine);
      return line.startsWith('//') || isOneBlock(line) ? line : `// ${line}`.trimEnd();
    });
  },
  join: (old, added) => {
    const text = contentOf(added);
    if (text === '' || old.includes(text)) return old;
    return old.startsWith('/*')
      ? `${old.slice(0, -2).trimEnd()}; ${text.replaceAll('*/', '* /')} */`
      : `${old.trimEnd()}; ${text}`;
  },
};

export const JSONC_FORMAT: Format = {
  ...JSON_FORMAT,
  name: 'JSONC',
  parse: parseJsonc,
  reference: isReadAlikeAs('JSONC'),
  comments: JSONC_COMMENTS,
};

/** The number of comments that is enough to learn how they are written. */
const ENOUGH = 100;

function hasOnlyBlocks({ text, comments }: Stream): boolean {
  return comments.length > 0 && comments.slice(0, ENOUGH).every(({ start }) => text[start + 1] === '*');
}

/** True for one block comment, whose end occurs nowhere before. */
function isOneBlock(text: string): boolean {
  return /^\/\*/.test(text) && text.length > 3 && text.indexOf('*/', 2) === text.length - 2;
}

/** Writes a block comment. A text with its end mark is changed where the line goes on, and otherwise becomes a comment to the end of the line. */
function blockOf(line: string, isWithinLine: boolean): string {
  if (!line.includes('*/')) return line === '' ? '/* */' : `/* ${line} */`;
  return isWithinLine ? `/* ${line.replaceAll('*/', '* /')} */` : `// ${line}`;
}

function contentOf(comment: string): string {
  return isOneBlock(comment) ? comment.slice(2, -2).trim() : comment.replace(/^\/\/+[ \t]*/, '');
}
