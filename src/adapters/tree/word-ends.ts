// Where words end within brackets, for the readers of YAML that end them earliest or latest.
import { type Entry, type Item, isEmpty, type SpanNode } from './span-tree.ts';

/** Of a node without content: many readers take a comma or bracket right behind its tag for a part of the tag. */
export function endsInTag(node: SpanNode): boolean {
  return isEmpty(node) && node.properties?.tag?.end === node.end;
}

/** Whether a comma or bracket right behind it could be read as a part of it: behind a tag, or behind the colon of a key without quotes. */
export function needsBlankBehind(part: Entry | Item): boolean {
  if (endsInTag(part.value)) return true;
  if (!('key' in part)) return false;
  const { key, value, colon } = part;
  return colon === undefined
    ? endsInTag(key)
    : isEmpty(value) && value.properties === undefined && isOpenKey(key);
}

/** Without quotes or brackets, so that a colon belongs to it for some readers unless a blank follows. */
export function isOpenKey(key: SpanNode): boolean {
  return key.kind === 'alias' || (key.kind === 'scalar' && (key.style === 'plain' || key.style === 'empty'));
}

/** Whether actions of a template write the scalar, or a part of it. */
export function holdsActions(node: SpanNode): boolean {
  return node.kind === 'scalar' && node.isWritten !== undefined;
}

/**
 * Whether a plain scalar would end before its last character within brackets, for a reader of YAML 1.1 at least. No number and
 * no other typed value has such a character.
 */
export function endsInBrackets(value: string): boolean {
  return /[?,[\]{}]|^:/.test(value);
}
