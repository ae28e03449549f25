// JSON by RFC 8259: one value, double quotes, no comments.

import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { quotedText } from '../../../security/node-paths/node-path.ts';
import type { Format } from '../../tree/format.ts';
import type { Stream } from '../../tree/span-tree.ts';
import { type WrittenData, writtenData } from '../../values/written-data.ts';
import { literalValue } from './json-scalar.ts';
import { type Dialect, parseJson } from './parse-json.ts';

export const JSON_FORMAT: Format = {
  name: 'JSON',
  parse: parseJson,
  reference: isReadAlikeAs('JSON'),
  layout: 'flow',
  hasEmptyValues: false,
  hasDialects: false,
  ownSchema,
  writeScalar: (value) => (typeof value === 'string' ? quotedText(value) : JSON.stringify(value)),
  writeKey: (key) => quotedText(key),
  isPlainKey: () => false,
};

/** Returns the schema that a file names for itself, as "$schema" at its top. */
function ownSchema({ documents }: Stream): string | undefined {
  const root = documents[0]?.root;
  if (root?.kind !== 'mapping') return undefined;
  const value = root.entries.find(({ name }) => name === '$schema')?.value;
  return value?.kind === 'scalar' && value.style === 'double' ? value.value : undefined;
}

/**
 * Makes the second reader of a dialect, of `jsonc-parser`, which shares no code with our own parser. It is recursive: check the
 * depth of the text first.
 */
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
