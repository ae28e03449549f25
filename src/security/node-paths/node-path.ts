// Node paths: keys and indexes from the root of a document to one node, such as `server.host`, `items[0].name`,
// `metadata["a.b/c"]`. parse-path.ts parses them, and resolve-path.ts reads what a request writes in place of one.
import { HIDDEN } from '../text/visible.ts';

/** A key; an index, which is negative when counted from the end; or one of several equal keys of a mapping, counted from 1. */
export type Segment = string | number | { readonly key: string; readonly occurrence: number };

export type NodePath = readonly Segment[];

/** The path of a part of the data, in which no key stands twice. */
export type DataPath = readonly (string | number)[];

/** Returns the dotted form, which `parseNodePath` reads back as the same path. */
export function printNodePath(path: NodePath): string {
  return path.map((segment, depth) => printSegment(segment, depth === 0)).join('');
}

/** Writes a segment, with a dot before it where others come first and it needs one. */
export function printSegment(segment: Segment, isFirst: boolean): string {
  if (typeof segment === 'number') return `[${segment}]`;
  if (typeof segment === 'object') return `${printSegment(segment.key, isFirst)}[#${segment.occurrence}]`;
  if (!isBare(segment, isFirst)) return `[${quotedKey(segment)}]`;
  return isFirst ? segment : `.${segment}`;
}

/** Returns the key; undefined for an index, and where there is no segment. */
export function keyOf(segment: Segment | undefined): string | undefined {
  if (typeof segment === 'object') return segment.key;
  return typeof segment === 'string' ? segment : undefined;
}

export function keySegment(key: string, occurrence: number | undefined): Segment {
  return occurrence === undefined ? key : { key, occurrence };
}

/** Quotes a key and escapes what could deceive a reader, because paths are shown to people, and sent again as they were shown. */
function quotedKey(key: string): string {
  return JSON.stringify(key).replaceAll(DECEPTIVE, escapeUnits);
}

// A plain space deceives nobody; every other hidden character may.
const DECEPTIVE = new RegExp(`(?! )[${HIDDEN}]`, 'gu');
const NOT_BARE = new RegExp(String.raw`[*./[\]"']|(?! )[${HIDDEN}]`, 'u');

/** True for a key that needs no quotes. A slash needs them, because it separates keys for other tools. */
function isBare(key: string, isFirst: boolean): boolean {
  if (key === '' || NOT_BARE.test(key)) return false;
  return !isFirst || !key.startsWith('$');
}

const ESCAPED = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{NChar}]/gu;

/**
 * Writes a double-quoted string of JSON, which is one of YAML as well, with everything escaped that would deceive a reader.
 * `escapeAstral` writes a character beyond U+FFFF, by default as a surrogate pair.
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
