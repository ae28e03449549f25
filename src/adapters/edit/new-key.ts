// How a new key is written: plain where every reader takes it for the same string, quoted otherwise, or where its
// neighbours are.
import { Refusal } from '../../security/index.ts';
import type { Syntax } from '../syntax.ts';
import { type Entry, isEmpty, outerStart, type SpanNode } from '../tree/span-tree.ts';
import type { NewKey } from './intent.ts';
import { isPlainSafe } from './plain-safety.ts';
import { quotedText, singleQuoted } from './quoted-text.ts';

/** The quotes that keys have where they need some, and whether all of them have some. */
export interface KeyQuotes {
  readonly style: 'single' | 'double';
  readonly isAlways: boolean;
}

const AS_NEEDED: KeyQuotes = { style: 'double', isAlways: false };

/** As the first and the last key of the mapping tell: quotes that one of them could do without are a habit. */
export function keyQuotesOf(text: string, node: SpanNode | undefined): KeyQuotes {
  if (node?.kind !== 'mapping') return AS_NEEDED;
  const [first, last] = [node.entries[0], node.entries.at(-1)];
  if (first === undefined || last === undefined) return AS_NEEDED;
  const [before, style = before] = [quotesOf(first.key), quotesOf(last.key)];
  if (style === undefined) return AS_NEEDED;
  const isEach = before === quotesOf(last.key) && (first !== last || node.style === 'flow');
  const isHabit = [first, last].some(({ key }) => isPlainSafe(text.slice(key.start + 1, key.end - 1), true));
  return { style, isAlways: isEach && isHabit };
}

export function quotesOf(key: SpanNode): KeyQuotes['style'] | undefined {
  if (key.kind !== 'scalar') return undefined;
  return key.style === 'single' || key.style === 'double' ? key.style : undefined;
}

/** No reader of YAML takes more for a key, unless a '?' stands before it. */
const MAX_KEY_CHARS = 1_024;

/** Throws VALUE_INVALID for a key that is too long to be one. */
export function writeKey(key: string, isFlow: boolean, language: Syntax['name'], quotes = AS_NEEDED): string {
  const text = keyText(key, isFlow, language, quotes);
  if (language === 'JSON' || text.length <= MAX_KEY_CHARS) return text;
  throw new Refusal(
    'VALUE_INVALID',
    `Cannot write this key: it takes ${text.length} characters, and a key of YAML has at most ${MAX_KEY_CHARS}`,
    {},
    { advice: ['Choose a shorter key'] },
  );
}

function keyText(key: string, isFlow: boolean, language: Syntax['name'], quotes: KeyQuotes): string {
  if (isPlainKey(key, isFlow, language, quotes)) return key;
  const single = quotes.style === 'single' && language === 'YAML' ? singleQuoted(key) : undefined;
  return single ?? quotedText(key, language);
}

/** The key that `writeKey` writes. */
export function newKey(text: string, isFlow: boolean, { name }: Syntax, quotes = AS_NEEDED): NewKey {
  return { text, isPlain: isPlainKey(text, isFlow, name, quotes) };
}

/** `"key":value`, as in a file without any white space. */
export function isTight({ colon, value }: Entry): boolean {
  return colon !== undefined && !isEmpty(value) && outerStart(value) === colon + 1;
}

function isPlainKey(
  key: string,
  isFlow: boolean,
  language: Syntax['name'],
  { isAlways }: KeyQuotes,
): boolean {
  return language === 'YAML' && !isAlways && isPlainSafe(key, isFlow);
}
