// Says beside a bulk edit what its patterns have left alone, and what in it may have been meant otherwise.
import { counted, type Operation } from '../adapters/index.ts';
import { quoted, visibleLine } from '../security/index.ts';
import type { Bulk, FileEdit } from './bulk.ts';
import { namedFiles } from './named-files.ts';
import type { Matches } from './not-wanted.ts';

/** Asks about what refers to the old value elsewhere, or repeats the wildcard of `from`, and is written here as it is. */
export function literalNote(
  {
    operation: { json, value, new_text: next },
    editIndex,
    bulk: { from = '' },
  }: FileEdit & { readonly bulk: Bulk },
  isExact: boolean,
): readonly string[] {
  const [reference] =
    /\$&|\$\d\b|\\\d\b/u.exec([json, value, next].filter((one) => typeof one === 'string').join(' ')) ?? [];
  const which = editIndex === undefined ? '' : `edits[${editIndex}]: `;
  const written = json ?? value;
  const isWildcard = (sign: string) => from.includes(sign) && `${written}`.includes(sign);
  if (!isExact && typeof written === 'string' && ['*', '?'].some(isWildcard))
    return [
      `${which}${quoted(written)} is written as it is: a wildcard of "from" stands for nothing in the new value. Did you mean to keep what it matched? Then use op "replace_text".`,
    ];
  if (reference === undefined) return [];
  return [
    `${which}${quoted(reference)} is written as it is, and not as a part of the old value. Did you mean the old value? Then send one edit for each place.`,
  ];
}

/** Says for a `from` that is a value of its own how it is written as a pattern. */
export function exactNote({
  editIndex,
  bulk: { from = '' },
}: FileEdit & { readonly bulk: Bulk }): readonly string[] {
  const which = editIndex === undefined ? '' : `edits[${editIndex}]: `;
  const asPattern = from.includes('*') ? from.replace('*', '**') : from.replace('?', '*');
  return [
    `${which}the value ${quoted(from)} stands there as a whole, so only that is meant. As a pattern it is written ${quoted(asPattern)}.`,
  ];
}

/** Notes the places that a pattern has skipped because its last key is missing there. */
export function lackingNote({
  edit: { operation, editIndex },
  lacking: { count, places },
}: Pick<Matches, 'lacking'> & { readonly edit: FileEdit }): readonly string[] {
  if (count === 0) return [];
  const { path = '' } = operation;
  const which = editIndex === undefined ? '' : ` of edits[${editIndex}]`;
  const rest = count > places.length ? ` and ${count - places.length} more` : '';
  const beside = neighbourOf(operation);
  const [what, more] =
    beside === undefined
      ? [`the last key of ${visibleLine(path)}`, ' To make it there as well send create: true.']
      : [`what the new part goes beside, ${visibleLine(beside)},`, ''];
  return [
    `${counted(count, 'place')}${which} ${count === 1 ? 'lacks' : 'lack'} ${what} and ${count === 1 ? 'was' : 'were'} left alone: ${places.join(', ')}${rest}.${more}`,
  ];
}

/** Asks about template actions that a pattern would replace by a value without any. */
export function templatedNote({
  edit,
  templated: { count },
}: Pick<Matches, 'templated'> & { readonly edit: FileEdit & { readonly bulk: Bulk } }): readonly string[] {
  const { op, json, value } = edit.operation;
  const asked = JSON.stringify([edit.bulk.from, json, value]);
  if (op !== 'set' || count === 0 || asked.includes('{{')) return [];
  return [
    `${counted(count, 'replaced value')} ${count === 1 ? 'has' : 'have'} a template action ({{ … }}), and the new value has none. Did you mean to replace ${count === 1 ? 'it' : 'them'} as well?`,
  ];
}

/** Names the files in which the parent of what is made is missing; a question if others of the pattern have it. */
export function parentNote({ edit, files, parentless }: Matches): readonly string[] {
  if (parentless.size === 0) return [];
  const meant = parentless.size < files.size ? ' Did you mean only the files that have it?' : '';
  return [
    `In ${counted(parentless.size, 'file')} the parent of ${visibleLine(edit.operation.path ?? '')} did not exist and is added: ${namedFiles([...parentless])}.${meant}`,
  ];
}

/** Returns what an insert goes beside; undefined for another operation or place. */
export function neighbourOf({ op, before, after }: Operation): string | undefined {
  return op === 'insert' ? (before ?? after) : undefined;
}
