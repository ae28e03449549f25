// Reads JSON, and JSON with comments, by `jsonc-parser`, which VS Code uses and which shares no code with our own parser.
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { Format } from '../../tree/format.ts';
import { type WrittenData, writtenData } from '../../values/written-data.ts';
import type { Dialect } from './json-mistakes.ts';
import { literalValue } from './json-scalar.ts';

/** Makes the second reader of a dialect. It is recursive, so the text has to be one whose depth was checked. */
export function isReadAlikeAs(dialect: Dialect): NonNullable<Format['reference']> {
  return (text, { documents }) => {
    // The length stays the same, so that every offset is the text's own.
    const content = text.replace(/^\uFEFF/, ' ');
    const errors: ParseError[] = [];
    const isJson = dialect === 'JSON';
    const options = { allowTrailingComma: !isJson, disallowComments: isJson };
    const root = parseTree(content, errors, options);
    const [document] = documents;
    if (root === undefined || document === undefined || errors.length > 0) return false;
    return JSON.stringify(dataOf(root, content)) === JSON.stringify(writtenData(document.root));
  };
}

function dataOf({ type, value, children = [], offset, length }: Node, text: string): WrittenData {
  if (type === 'array') return children.map((item) => dataOf(item, text));
  if (type === 'object')
    return {
      entries: children.map(({ children: [key, part] = [] }) => [
        key === undefined ? null : dataOf(key, text),
        part === undefined ? null : dataOf(part, text),
      ]),
    };
  return type === 'string' ? String(value) : literalValue(text.slice(offset, offset + length));
}
