// Adds a part to brackets whose commas stand at the beginning of lines: it gets a line that begins with a comma too.
import type { Edit } from '../../security/index.ts';
import { headStart } from '../tree/head-comment.ts';
import { breakAt, isBlank, lineEnd, lineStart } from '../tree/lines.ts';
import { type Collection, partsOf, type Stream } from '../tree/span-tree.ts';
import { bracketPiece, commaAfter } from './bracket-piece.ts';
import { insertAt } from './intent.ts';

/** The lines of the part, of which the first that is no comment of its own begins with `lead`. */
type LinesBehind = (lead: string) => string;

/** Returns undefined if commas stand elsewhere. `lines` have no line break at their end; `inline` is undefined if one line is not possible. */
export function withLeadingComma(
  stream: Stream,
  node: Collection,
  index: number,
  lines: LinesBehind,
  inline: string | undefined,
): Edit[] | undefined {
  const { text } = stream;
  const parts = partsOf(node);
  const behind = Math.min(Math.max(index, 1), parts.length - 1);
  const [previous, part] = [parts[behind - 1], parts[behind]];
  const [first, last] = [parts[0], parts.at(-1)];
  if (previous === undefined || part === undefined || first === undefined || last === undefined)
    return undefined;
  const comma = commaAfter(stream, previous.end);
  if (comma === undefined || node.trailingComma !== undefined) return undefined;
  const { start } = bracketPiece(stream, part);
  const line = lineStart(text, comma);
  const lead = text.slice(line, start);
  if (!/^[ \t]*,[ \t]*$/.test(lead)) return undefined;
  const lineBreak = breakAt(text, node.start);
  if (index >= parts.length) {
    const { stop } = bracketPiece(stream, last);
    const end = lineEnd(text, stop);
    return isBlank(text, stop, end) ? [insertAt(end, lineBreak + lines(lead))] : undefined;
  }
  if (index > 0) return [insertAt(headStart(stream, comma), lines(lead) + lineBreak)];
  const { start: own } = bracketPiece(stream, first);
  const ownLine = lineStart(text, own);
  if (!isBlank(text, ownLine, own))
    return inline === undefined ? undefined : [insertAt(own, inline + lineBreak + lead)];
  // The first part is the second one now, and gets the comma.
  return [
    insertAt(headStart(stream, own), lines(text.slice(ownLine, own)) + lineBreak),
    { start: ownLine, end: own, insert: lead },
  ];
}
