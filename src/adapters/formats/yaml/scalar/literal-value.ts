// What a literal block scalar (`|`) says, taken from its source in one piece: `yaml` puts it together line by
// line, which a block of a hundred thousand lines makes slow and large.
import { contentIndent } from '../../../tree/slice.ts';
import type { BlockHeader } from '../../../tree/span-tree.ts';

/** Undefined for the few shapes that `yaml` must tell: CRLF, no content, no line break at the end. */
export function literalValue(text: string, block: BlockHeader, contentEnd: number): string | undefined {
  const indent = contentIndent(text, block);
  if (indent === undefined || text[block.bodyEnd - 1] !== '\n') return undefined;
  const lines = text.slice(block.bodyStart, block.chomp === 'keep' ? block.bodyEnd : contentEnd);
  if (lines.includes('\r') || !/[^ \n]/.test(lines)) return undefined;
  const value = indent === 0 ? lines : withoutIndentation(lines, indent);
  return block.chomp === 'clip' ? `${value}\n` : value;
}

/** Up to so many spaces are taken from each line. Without a regular expression: the locked ones are slow by the line. */
function withoutIndentation(lines: string, indent: number): string {
  const parts: string[] = [];
  for (let start = 0; start < lines.length; ) {
    const lineFeed = lines.indexOf('\n', start);
    const next = lineFeed === -1 ? lines.length : lineFeed + 1;
    let from = start;
    while (from < start + indent && lines[from] === ' ') from += 1;
    parts.push(lines.slice(from, next));
    start = next;
  }
  return parts.join('');
}
