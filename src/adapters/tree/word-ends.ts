// Finds where words end within brackets, for the readers of YAML that end them earliest or latest.
import { type Entry, type Item, isEmpty, type SpanNode } from './span-tree.ts';

/** True for a node without content that ends in a tag: many readers take a comma or bracket right after a tag for a part of it. */
export function endsInTag(node: SpanNode): boolean {
  return isEmpty(node) && node.properties?.tag?.end === node.end;
}

/** True if a comma or bracket right after it could be read as a part of it: after a tag, or after the colon of a key without quotes. */
export function needsBlankBehind(part: Entry | Item): boolean {
  if (endsInTag(part.value)) return true;
  if (!('key' in part)) return false;
  const { key, value, colon } = part;
  return colon === undefined
    ? endsInTag(key)
    : isEmpty(value) && value.properties === undefined && isOpenKey(key);
}

/** True for a key without quotes or brackets: for some readers a colon belongs to it unless a blank follows. */
export function isOpenKey(key: SpanNode): boolean {
  return key.kind === 'alias' || (key.kind === 'scalar' && (key.style === 'plain' || key.style === 'empty'));
}

/** True if actions of a template write the scalar, or a part of it. */
export function holdsActions(node: SpanNode): boolean {
  return node.kind === 'scalar' && node.isWritten !== undefined;
}

/**
 * True if a plain scalar within brackets would end before its last character, at least for a reader of YAML 1.1. No number
 * and no other typed value has such a character.
 */
export function endsInBrackets(value: string): boolean {
  return /[?,[\]{}]|^:/.test(value);
}
