// Node paths: keys and indexes from the root of a document to one node, such as `server.host`, `items[0].name`,
// `metadata["a.b/c"]`. resolve-path.ts reads what a request writes in place of one.
import { type DataPath, HIDDEN } from '../../security/index.ts';
import { invalid, parsePath } from './path-syntax.ts';

/**
 * One step. `key` is a mapping key, with the occurrence of a repeated one. `index` is a list index, negative from the end.
 * `either` is a pointer's digits, which can be both.
 */
export type Segment =
  | { readonly kind: 'key'; readonly key: string; readonly occurrence?: number }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'either'; readonly key: string; readonly index: number };

export type NodePath = readonly Segment[];

/** Parses a path; the empty one is the root. Throws NODE_PATH_INVALID, also for selectors and patterns, which only a document can resolve. */
export function parseNodePath(text: string): NodePath {
  return parsePath(text).map((word): Segment => {
    if (word.kind === 'key') return keySegment(word.key, word.occurrence);
    if (word.kind === 'index') return indexSegment(word.index);
    if (word.kind === 'either') return { kind: 'either', key: word.key, index: word.index };
    throw invalid(text, 'it has to name one node by keys and indexes here');
  });
}

/** The dotted form, which `parseNodePath` reads back as the same path. */
export function printNodePath(path: NodePath): string {
  let result = '';
  for (const segment of path) {
    if (segment.kind === 'index') result += `[${segment.index}]`;
    else if (isBare(segment.key, result === '')) result += result === '' ? segment.key : `.${segment.key}`;
    else result += `[${quotedKey(segment.key)}]`;
    if (segment.kind === 'key' && segment.occurrence !== undefined) result += `[#${segment.occurrence}]`;
  }
  return result;
}

/** Writes the path of data, in which each part is a key or an index. */
export function printDataPath(path: DataPath): string {
  return printNodePath(
    path.map((part) => (typeof part === 'number' ? indexSegment(part) : keySegment(part))),
  );
}

export function keySegment(key: string, occurrence?: number): Segment {
  return occurrence === undefined ? { kind: 'key', key } : { kind: 'key', key, occurrence };
}

export function indexSegment(index: number): Segment {
  return { kind: 'index', index };
}

/** Quotes a key and escapes what could deceive a reader, because paths are shown to people, and sent again as they were shown. */
function quotedKey(key: string): string {
  return JSON.stringify(key).replaceAll(DECEPTIVE, escapeUnits);
}

// A space is a space; every other one only looks like it.
const DECEPTIVE = new RegExp(`(?! )[${HIDDEN}]`, 'gu');
const NOT_BARE = new RegExp(String.raw`[*./[\]"']|(?! )[${HIDDEN}]`, 'u');

/** A slash separates keys for other tools, and may be taken for that where nothing says otherwise. */
function isBare(key: string, isFirst: boolean): boolean {
  if (key === '' || NOT_BARE.test(key)) return false;
  return !isFirst || !key.startsWith('$');
}

const ESCAPED = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{NChar}]/gu;

/**
 * A double-quoted string of JSON, which is one of YAML as well, with everything escaped that would deceive a reader.
 * `escapeAstral`: how the format writes a character beyond U+FFFF; as a surrogate pair unless said otherwise.
 */
export function quotedText(text: string, escapeAstral = escapeUnits): string {
  return JSON.stringify(text).replaceAll(ESCAPED, (character) =>
    character.length > 1 ? escapeAstral(character) : escapeUnits(character),
  );
}

/** Writes each UTF-16 unit as `\uXXXX`. */
export function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  }).join('');
}
