// The refusal of an edit that matches nothing, or an unexpected number of nodes, and notes on what a pattern left alone.
import type { ConfigFile } from '../adapters/formats/registry.ts';
import { WRITERS } from '../adapters/operations/expand.ts';
import { findNear, findReach, type Reach } from '../adapters/operations/near-matches.ts';
import type { Operation } from '../adapters/operations/registry.ts';
import { describeDocuments } from '../adapters/tree/document.ts';
import { counted } from '../adapters/tree/wording.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { quoted, visibleLine } from '../security/text/visible.ts';
import type { Bulk, FileEdit } from './bulk.ts';
import { namedFiles } from './named-files.ts';

/** The findings of one edit in all files. */
export interface Matches {
  readonly edit: {
    readonly operation: Operation;
    readonly editIndex?: number;
    readonly bulk: {
      readonly file: string;
      readonly from: string | undefined;
      readonly expect: number | undefined;
    };
  };
  readonly places: string[];
  readonly files: Set<string>;
  /** Those of them in which the parent is created, too. */
  readonly parentless: Set<string>;
  /** The places where the last key is missing and is not to be created. */
  readonly lacking: { count: number; readonly places: string[] };
  /** The matches whose old value has a template action. */
  readonly templated: { count: number };
  /** Values that `from` excluded, paths with the same last key, and lists with an item of that value. */
  readonly values: Set<string>;
  readonly paths: Set<string>;
  readonly lists: Set<string>;
  /** Notes on masked values in files whose text was searched. */
  readonly masked: Set<string>;
  /** The documents of files that have none of the given name. */
  readonly documents: Set<string>;
  /** How far the path leads, in the file where it leads furthest. */
  readonly reach: { at: Reach | undefined; isText?: boolean };
  count: number;
}

export const MAX_PLACES = 6;

export function addSome(texts: Set<string>, text: string): void {
  if (texts.size < MAX_PLACES) texts.add(text);
}

/** Records near matches in a file without a match. `isElsewhere`: it has no document that was asked for. */
export function noteNear(found: Matches, config: ConfigFile, isElsewhere = false): void {
  const { operation } = found.edit;
  for (const line of isElsewhere ? describeDocuments(config.stream) : [])
    addSome(found.documents, line.replace(/^doc \d+: /u, ''));
  if (isElsewhere || found.count > 0) return;
  for (const path of findNear(config, operation)) addSome(found.paths, path);
  if (config.stream.hasStructure === false) found.reach.isText = true;
  else found.reach.at = findReach(config, operation, found.reach.at);
}

export function isOfText({ old_text: old, path }: Operation): boolean {
  return old !== undefined && path === undefined;
}

/** Makes the refusal; `notes` are about skipped files. */
export function notWanted(found: Matches, notes: readonly string[]): Refusal {
  const { edit, places, files, lists, count } = found;
  const { from, expect } = edit.bulk;
  const { path = '', op, create } = edit.operation;
  const wanted = expect === undefined ? '' : `, and ${expect} ${expect === 1 ? 'is' : 'are'} expected`;
  const where = files.size > 1 ? ` in ${files.size} files` : '';
  const value = from === undefined ? '' : ` with the value ${quoted(from)}`;
  const isText = isOfText(edit.operation);
  const what = isText
    ? `Cannot replace this text: it occurs ${count === 1 ? 'once' : `${count} times`}`
    : `Cannot edit ${visibleLine(`${path === '' ? 'the root' : path}${value}`)}: ${counted(count, 'node')} match${count === 1 ? 'es' : ''}`;
  const isMore = count > (expect ?? 0);
  // With `**` nothing is created: it would be in every mapping of a file.
  const isMissing = count === 0 && from === undefined && WRITERS.includes(op) && !path.includes('**');
  const isCreatable = isMissing && create !== true && found.reach.at?.isCreatable === true;
  const isDeepCreate = count === 0 && create === true && path.includes('**');
  return new Refusal(
    isText ? (isMore ? 'TEXT_AMBIGUOUS' : 'TEXT_NOT_FOUND') : isMore ? 'NODE_AMBIGUOUS' : 'NODE_NOT_FOUND',
    `${what}${where}${wanted}${count > 0 ? '' : nearby(found)}`,
    { ...(edit.editIndex === undefined ? {} : { edit_index: edit.editIndex }), path },
    {
      advice: [
        ...places,
        ...(count > places.length ? [`and ${count - places.length} more`] : []),
        ...notes,
        ...(isCreatable ? ['To create missing keys in each place send create: true'] : []),
        ...(isDeepCreate
          ? [
              'At every depth (**) only the last key is made, in what the one before it names: **.resources.limits',
            ]
          : []),
      ],
      ...(isCreatable ? { isCreatable } : {}),
      ...(isText && isMore
        ? { instead: { fields: { expect: count }, what: `If all ${count} places are meant` } }
        : {}),
      // The same edit for the items of all lists.
      ...(count === 0 && lists.size > 0 ? { nearestPaths: [`${path}[*]`] } : {}),
      again: { do: 'See what there is', tool: 'config_search', arguments: searchFor(found) },
    },
  );
}

/** Says why nothing matches, and what is near. */
function nearby({ edit, values, paths, lists, documents, reach: { at: reach, isText } }: Matches): string {
  const listed = (texts: Set<string>) => [...texts].map(visibleLine).join(', ');
  if (lists.size > 0) return `. It is an item of the list there: ${listed(lists)}`;
  if (values.size > 0) return `. Values there: ${listed(values)}`;
  if (reach === undefined && isText === true && !isOfText(edit.operation))
    return '. The files have no keys: use op "replace_text" without a path';
  if (reach === undefined)
    return documents.size === 0
      ? ''
      : `. No document is ${visibleLine(JSON.stringify(edit.operation.doc))}; there is: ${listed(documents)}`;
  const from = reach.path === '' ? 'The root' : visibleLine(reach.path);
  const isOfItems = reach.kind === 'mapping' && /^\[[^\]#]*=/u.test(reach.rest);
  const has = isOfItems ? 'no items for' : 'no';
  const why =
    reach.rest === '' ? '' : `. ${from} is ${NAMED[reach.kind]}, and has ${has} ${visibleLine(reach.rest)}`;
  return `${why}${paths.size === 0 ? '' : `. There is: ${listed(paths)}`}`;
}

const NAMED = { mapping: 'a mapping', list: 'a list', scalar: 'a scalar', alias: 'an alias' } as const;

/** Returns the arguments of a search that shows what may be meant. */
function searchFor({ edit, count, documents, paths, reach }: Matches): Readonly<Record<string, unknown>> {
  const { file, from } = edit.bulk;
  const { path = '', doc, old_text: text = '' } = edit.operation;
  if (isOfText(edit.operation)) {
    const [line = ''] = text.split('\n').filter((one) => one.trim() !== '');
    return { pattern: file, text: line };
  }
  if (reach.at === undefined && reach.isText === true) return { pattern: file, text: path };
  if (count > 0) return { pattern: file, key: path, ...(from === undefined ? {} : { value: from }) };
  const isOfDocument = reach.at === undefined && documents.size > 0;
  const [field = 'kind'] = typeof doc === 'object' ? Object.keys(doc) : [];
  if (isOfDocument) return { pattern: file, key: field };
  const above = paths.size === 0 ? (reach.at?.path ?? '') : '';
  return { pattern: file, key: above === '' ? path.slice(path.lastIndexOf('.') + 1) : above };
}

/** Asks about text that is written literally: `$1` or `$&`, which refer to the old value in other tools, or a wildcard of `from`. */
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
      `${which}${quoted(written)} is written as it is: a wildcard of "from" has no meaning in the new value. Did you mean to keep what it matched? Then use op "replace_text".`,
    ];
  if (reference === undefined) return [];
  return [
    `${which}${quoted(reference)} is written as it is, and not as a part of the old value. Did you mean the old value? Then send one edit for each place.`,
  ];
}

/** Notes how a `from` that is itself a value is written as a pattern. */
export function exactNote({
  editIndex,
  bulk: { from = '' },
}: FileEdit & { readonly bulk: Bulk }): readonly string[] {
  const which = editIndex === undefined ? '' : `edits[${editIndex}]: `;
  const asPattern = from.includes('*') ? from.replace('*', '**') : from.replace('?', '*');
  return [
    `${which}the value ${quoted(from)} occurs as a whole, so only that is meant. As a pattern it is written ${quoted(asPattern)}.`,
  ];
}

/** Notes the places that a pattern skipped because its last key is missing there. */
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

/** Asks about template actions that would be replaced by a value without any. */
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

/** Names the files in which the parent is created, too; as a question if other files of the pattern have it. */
export function parentNote({ edit, files, parentless }: Matches): readonly string[] {
  if (parentless.size === 0) return [];
  const meant = parentless.size < files.size ? ' Did you mean only the files that have it?' : '';
  return [
    `In ${counted(parentless.size, 'file')} the parent of ${visibleLine(edit.operation.path ?? '')} did not exist and is added: ${namedFiles([...parentless])}.${meant}`,
  ];
}

/** Returns the neighbour that an insert names; undefined for other operations or places. */
export function neighbourOf({ op, before, after }: Operation): string | undefined {
  return op === 'insert' ? (before ?? after) : undefined;
}
