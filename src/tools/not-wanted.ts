// Makes the refusal where an edit of a batch matches nothing, or another number of nodes than expected.
import { counted, type Operation, WRITERS } from '../adapters/index.ts';
import { quoted, Refusal, visibleLine } from '../security/index.ts';

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
  /** The places where the last key is missing, and is not to be made. */
  readonly lacking: { count: number; readonly places: string[] };
  /** Values that `from` has excluded, paths with the same last key, and lists that hold an item with the value. */
  readonly values: Set<string>;
  readonly paths: Set<string>;
  readonly lists: Set<string>;
  count: number;
}

export function isOfText({ old_text: old, path }: Operation): boolean {
  return old !== undefined && path === undefined;
}

/** Makes the refusal; `notes` are about skipped files. */
export function notWanted(found: Matches, notes: readonly string[]): Refusal {
  const { edit, places, files, values, paths, lists, count } = found;
  const { file, from, expect } = edit.bulk;
  const { path = '', op, old_text: text = '' } = edit.operation;
  const wanted = expect === undefined ? '' : `, and ${expect} ${expect === 1 ? 'is' : 'are'} expected`;
  const where = files.size > 1 ? ` in ${files.size} files` : '';
  const listed = (texts: Set<string>) => [...texts].map(visibleLine).join(', ');
  const nearby =
    count > 0 || values.size + paths.size + lists.size === 0
      ? ''
      : lists.size > 0
        ? `. It is an item of the list there: ${listed(lists)}`
        : values.size > 0
          ? `. Values there: ${listed(values)}`
          : `. There is: ${listed(paths)}`;
  const value = from === undefined ? '' : ` with the value ${quoted(from)}`;
  const isText = isOfText(edit.operation);
  const what = isText
    ? `Cannot replace this text: it stands ${count === 1 ? 'once' : `${count} times`}`
    : `Cannot edit ${visibleLine(`${path === '' ? 'the root' : path}${value}`)}: ${counted(count, 'node')} match${count === 1 ? 'es' : ''}`;
  const isMore = count > (expect ?? 0);
  // With `**` nothing is created, because that would be in every mapping of a file.
  const isMissing = count === 0 && from === undefined && WRITERS.includes(op) && !path.includes('**');
  const isDeepCreate = count === 0 && edit.operation.create === true && path.includes('**');
  const [line = ''] = text.split('\n').filter((one) => one.trim() !== '');
  const last = path.slice(path.lastIndexOf('.') + 1);
  return new Refusal(
    isText ? (isMore ? 'TEXT_AMBIGUOUS' : 'TEXT_NOT_FOUND') : isMore ? 'NODE_AMBIGUOUS' : 'NODE_NOT_FOUND',
    `${what}${where}${wanted}${nearby}`,
    { ...(edit.editIndex === undefined ? {} : { edit_index: edit.editIndex }), path },
    {
      advice: [
        ...places,
        ...(count > places.length ? [`and ${count - places.length} more`] : []),
        ...notes,
        ...(isMissing ? ['To create missing keys in each place send create: true'] : []),
        ...(isDeepCreate
          ? [
              'At every depth (**) only the last key is made, in what the one before it names: **.resources.limits',
            ]
          : []),
      ],
      ...(isMissing ? { isCreatable: true } : {}),
      ...(isText && isMore ? { places: count } : {}),
      // This is the same edit for the items of all the lists.
      ...(count === 0 && lists.size > 0 ? { nearestPaths: [`${path}[*]`] } : {}),
      again: {
        tool: 'config_search',
        arguments: {
          pattern: file,
          ...(isText
            ? { text: line }
            : count === 0
              ? { key: last }
              : { key: path, ...(from === undefined ? {} : { value: from }) }),
        },
      },
    },
  );
}
