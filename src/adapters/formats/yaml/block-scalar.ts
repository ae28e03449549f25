// Finds the end of a block scalar's content: `yaml` gives only the body with all that follows it.
import type { CST } from 'yaml';
import { type BlockHeader, contentIndent, type Properties, type ScalarNode } from '../../tree/span-tree.ts';
import { YamlScalar } from './scalar/scalar-value.ts';

export function blockScalarNode(
  text: string,
  token: CST.BlockScalar,
  properties: Properties | undefined,
): ScalarNode {
  const headerToken = token.props.find((part) => part.type === 'block-scalar-header');
  const headerSource = headerToken !== undefined && 'source' in headerToken ? headerToken.source : '|';
  const header = { start: token.offset, end: token.offset + headerSource.length };
  const bodyStart = token.props.reduce(
    (at, part) => ('source' in part ? at + part.source.length : at),
    token.offset,
  );
  const given = bodyStart + token.source.length;
  const chomp = headerSource.includes('-') ? 'strip' : headerSource.includes('+') ? 'keep' : 'clip';
  const read = { header, chomp, bodyStart, bodyEnd: given, parentColumn: token.indent } as const;
  const bodyEnd = Math.max(given, endOfSpaces(text, read));
  const block: BlockHeader = { ...read, bodyEnd };
  const style = headerSource.startsWith('>') ? 'folded' : 'literal';
  const end = chomp === 'keep' && bodyEnd > bodyStart ? bodyEnd : contentEnd(text, block);
  return new YamlScalar(text, style, { start: token.offset, end }, properties, block);
}

/** Returns the end of a root with an indicator: `yaml` stops before its last lines of spaces, though they are text. */
function endOfSpaces(text: string, block: BlockHeader): number {
  const indent = contentIndent(text, block);
  let found = block.bodyEnd;
  if (indent === undefined || text[found - 1] !== '\n') return found;
  const blank = / *(?:\r?\n|$)/y;
  for (let at = found; at < text.length; at = blank.lastIndex) {
    blank.lastIndex = at;
    const line = blank.exec(text)?.[0];
    if (line === undefined) break;
    if (line.replace(/\r?\n$/, '').length > indent) found = blank.lastIndex;
  }
  return found;
}

/** The end of the last line with content; a line of spaces beyond the indentation has some. */
function contentEnd(text: string, block: BlockHeader): number {
  const indent = contentIndent(text, block);
  for (let end = block.bodyEnd; end > block.bodyStart; ) {
    const start = Math.max(block.bodyStart, end < 2 ? 0 : text.lastIndexOf('\n', end - 2) + 1);
    const line = text.slice(start, end).replace(/\r?\n$/, '');
    if (/[^ ]/.test(line) || (indent !== undefined && line.length > indent)) return start + line.length;
    end = start;
  }
  return block.header.end;
}
