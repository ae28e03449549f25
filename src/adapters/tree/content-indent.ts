// How far the content of a block scalar is indented.
import type { BlockHeader } from './span-tree.ts';

/** The column at which the content stands; undefined where no line has any. */
export function contentIndent(text: string, block: BlockHeader): number | undefined {
  const digit = /[1-9]/.exec(text.slice(block.header.start, block.header.end));
  if (digit !== null) return block.parentColumn + Number(digit[0]);
  const firstContent = /^( *)[^ \r\n]/m.exec(text.slice(block.bodyStart, block.bodyEnd));
  return firstContent?.[1]?.length;
}
