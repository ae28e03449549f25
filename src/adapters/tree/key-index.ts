// Where a key stands in its mapping. Whoever asks one mapping again and again, as a look at five hundred new keys of
// it does, is answered from an index; the first few times the entries are gone through, which costs less.
import { scalarValue } from '../formats/yaml/scalar-value.ts';
import type { MappingNode, SpanNode } from './span-tree.ts';

/** An index takes as long as going through all entries so many times, and much memory. */
const OFTEN = 32;
const FEW = 32;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

interface Known {
  asked: number;
  byName: Index | undefined;
}

/** The first two entries of each name. */
interface Index {
  readonly first: ReadonlyMap<string, number>;
  readonly second: ReadonlyMap<string, number>;
}

/** Trees are never changed. */
const known = new WeakMap<MappingNode, Known>();

/** The indexes of the entries with this key, in order; at most the first two. */
export function indexesOf(text: string, mapping: MappingNode, name: string): readonly number[] {
  const { entries } = mapping;
  if (entries.length <= FEW) return search(text, mapping, name);
  const about = known.get(mapping) ?? { asked: 0, byName: undefined };
  known.set(mapping, about);
  about.asked += 1;
  if (about.asked > OFTEN) about.byName ??= indexOf(text, mapping);
  if (about.byName === undefined) return search(text, mapping, name);
  const { first, second } = about.byName;
  return [first.get(name), second.get(name)].filter((index) => index !== undefined);
}

/** A key as paths name it: source text when plain, decoded when quoted, `*name` for an alias; undefined for a collection. */
export function keyText(text: string, key: SpanNode): string | undefined {
  if (key.kind === 'alias') return text.slice(key.start, key.end);
  return key.kind === 'scalar' ? scalarValue(text, key) : undefined;
}

/** The same for any key: of a collection, its source text. */
export function keyName(text: string, key: SpanNode): string {
  return keyText(text, key) ?? text.slice(key.start, key.end);
}

function search(text: string, mapping: MappingNode, name: string): readonly number[] {
  const found: number[] = [];
  const { entries, style } = mapping;
  const { length } = entries;
  // A key between braces may stand on several lines.
  const isTold = style === 'block' && name !== '';
  for (let index = 0; index < length && found.length < 2; index++) {
    if (isTold && isPlainlyOther(text, entries.startOf(index), name)) continue;
    const entry = entries.at(index);
    if (entry !== undefined && keyText(text, entry.key) === name) found.push(index);
  }
  return found;
}

/** By its letters, the last of which tells most numbered keys apart, so that nobody makes a node of it. */
function isPlainlyOther(text: string, start: number, name: string): boolean {
  const first = text.charCodeAt(start);
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return isOtherWord(text, start + 1, name);
  if (!isWordCode(first)) return false;
  const last = name.length - 1;
  return text.charCodeAt(start + last) !== name.charCodeAt(last) || !text.startsWith(name, start);
}

/** Between quotes, where a letter may stand for itself alone or be part of an escape: told by those before the first that cannot. */
function isOtherWord(text: string, start: number, name: string): boolean {
  for (let at = 0; at <= name.length; at++) {
    const code = text.charCodeAt(start + at);
    if (!isWordCode(code)) return false;
    if (code !== name.charCodeAt(at)) return true;
  }
  return false;
}

/** A letter, a digit or "_" of ASCII: of a key in a block, the first character of its text. */
function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

function indexOf(text: string, { entries }: MappingNode): Index {
  const [first, second] = [new Map<string, number>(), new Map<string, number>()];
  for (const [index, { key }] of entries.all().entries()) {
    const name = keyText(text, key);
    if (name === undefined) continue;
    if (!first.has(name)) first.set(name, index);
    else if (!second.has(name)) second.set(name, index);
  }
  return { first, second };
}
