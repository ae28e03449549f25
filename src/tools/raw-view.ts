// `config_get` with view "raw" shows the lines of a file as they are, numbered, whether or not they can be parsed. A long file
// is answered in parts of whole lines; the reply says which lines follow.
import { cutText, shownLines } from '../adapters/index.ts';
import { Refusal } from '../security/index.ts';
import { snapshotOf } from './read-file.ts';
import { type CallContext, type Reply, takeWithinBudget } from './tool.ts';

/**
 * Shows the lines `120-160`, `120` or `120-`, or all where `lines` is not given, up to `chars`; what follows is named in parts as
 * long. Throws ARGUMENT_INVALID.
 */
export function rawView(
  file: string,
  lines: string | undefined,
  context: CallContext,
  chars = context.policy.limits.replyChars,
): Reply {
  const { text, sha256 } = snapshotOf(file, context);
  const all = shownLines(text);
  const [from, to] = lines === undefined ? [1, all.length] : rangeOf(lines, all.length);
  const numbered = all.slice(from - 1, to).map((line, index) => `${from + index}\t${line}`);
  const shown = takeWithinBudget(numbered, { most: numbered.length, chars }, ({ length }) => length + 1);
  const end = from + shown.length - 1;
  const last = lines === undefined ? Math.min(to, end + shown.length) : to;
  const next = end < to ? `${end + 1}-${last}` : undefined;
  const source = shown.map((line) => cutText(line, chars)).join('\n');
  const isAll = from === 1 && end === all.length;
  const notes = [
    ...(all.length === 0 ? ['The file is empty.'] : []),
    ...(isAll ? [] : [`(lines ${from}-${end} of ${all.length})`]),
    ...(next === undefined ? [] : [`More: repeat with lines "${next}"`]),
  ];
  return {
    text: [...(source === '' ? [] : [source]), ...notes].join('\n'),
    data: {
      ...{ ok: true, file, view: 'raw', sha256, source, line_count: all.length },
      ...(isAll ? {} : { lines: `${from}-${end}` }),
      ...(next === undefined ? {} : { next_lines: next }),
    },
  };
}

/** Returns the first and the last line. */
function rangeOf(lines: string, count: number): readonly [number, number] {
  const [, first = '', dash, last = ''] = /^ *(\d{1,9}) *(?:(-) *(\d{0,9}))? *$/.exec(lines) ?? [];
  const from = Number(first);
  const to = dash === undefined ? from : last === '' ? count : Number(last);
  if (first === '' || from < 1 || to < from)
    throw new Refusal('ARGUMENT_INVALID', 'Cannot use lines: give a range such as "120-160", counted from 1');
  if (from > count)
    throw new Refusal(
      'ARGUMENT_INVALID',
      `Cannot use lines: the file has ${count} lines`,
      {},
      { advice: ['Read it without lines'] },
    );
  return [from, Math.min(to, count)];
}
