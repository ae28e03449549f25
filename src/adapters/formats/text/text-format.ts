// Plain text: a file of no other format, or one that cannot be read in its own. It has lines and nothing else; a request for
// one of its keys is refused before anything is written here.
import { Refusal } from '../../../security/errors/refusal.ts';
import type { Format } from '../../tree/format.ts';
import type { ScalarNode, Stream } from '../../tree/span-tree.ts';
import { singleDocument } from '../single-document.ts';

export const TEXT_FORMAT: Format = {
  name: 'text',
  parse: parseText,
  layout: 'block',
  hasEmptyValues: false,
  hasDialects: false,
  ownSchema: () => undefined,
  writeScalar: withoutStructure,
  writeKey: withoutStructure,
  isPlainKey: () => false,
};

/** Makes one document, whose root is the whole text. */
export function parseText(text: string): Stream {
  const root: ScalarNode = {
    ...{ kind: 'scalar', style: 'literal', start: 0, end: text.length },
    ...{ properties: undefined, block: undefined, value: text, typedValue: text },
  };
  return { ...singleDocument(text, root), hasStructure: false };
}

/** Stands for a file that does not exist. */
export const NO_TEXT: Stream = { ...parseText(''), isAbsent: true };

function withoutStructure(): never {
  throw new Error('nothing is written into plain text as a value');
}

/** Makes the refusal of a request for keys or documents in a file that has none. */
export function withoutKeys(action: string, file?: string, isNot = 'without keys'): Refusal {
  return new Refusal(
    'UNSUPPORTED_FORMAT',
    `Cannot ${action}: the file is plain text, ${isNot}. Read it with view "raw", and edit it with replace_text without a path.`,
    { file },
  );
}
