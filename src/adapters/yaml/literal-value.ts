// What a literal block scalar (`|`) says, taken from its source in one piece: `yaml` puts it together line by
// line, which a block of a hundred thousand lines makes slow and large.
import type { BlockHeader } from '../tree/span-tree.ts';
import { contentIndent } from './block-scalar.ts';

/** Undefined for the few shapes that `yaml` must tell: CRLF, no content, no line break at the end. */
export function literalValue(text: string, block: BlockHeader, contentEnd: number): string | undefined {
  const indent = contentIndent(text, block);
  if (indent === undefined || text[block.bodyEnd - 1] !== '\n') return undefined;
  const lines = text.slice(block.bodyStart, block.chomp === 'keep' ? block.bodyEnd : contentEnd);
  if (lines.includes('\r') || !/[^ \n]/.test(lines)) return undefined;
  const value = indent === 0 ? lines : lines.replaceAll(new RegExp(`(^|\\n) {1,${indent}}`, 'g'), '$1');
  return block.chomp === 'clip' ? `${value}\n` : value;
}
