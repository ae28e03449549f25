// `preview` and `apply`, for scripts: the same tools that an agent calls, and nobody is asked.

import type { Policy } from '../../security/index.ts';
import { UsageError } from '../settings/usage-error.ts';
import { diffLines } from '../show/preview-lines.ts';
import { type Line, line } from '../terminal/ansi-style.ts';
import type { CommandContext } from './context.ts';
import { answered, listIn, printJson, printLines, textIn } from './output.ts';
import { openTools } from './services.ts';

const SAME = 0;
const CHANGED = 1;

export async function preview(context: CommandContext): Promise<number> {
  const [file, path, value] = context.task.args;
  const { policy, call } = await openTools(context);
  const doc = context.task.own.get('doc');
  const chosen = doc === undefined ? {} : { doc: documentIn(doc) };
  const data = answered(context, await call('config_set', { file, path, value, ...chosen, dry_run: true }));
  const isSame = listIn(data, 'files').every((shown) => textIn(shown, 'diff') === '');
  if (context.task.own.has('json')) printJson(context, data);
  else printLines(context, [...shownLines(data), line(isSame ? 'No change.' : wayOn(data, policy))]);
  return isSame ? SAME : CHANGED;
}

export async function apply(context: CommandContext): Promise<number> {
  const [id] = context.task.args;
  const { call } = await openTools(context);
  const data = answered(context, await call('config_apply', { preview_id: id }));
  if (context.task.own.has('json')) printJson(context, data);
  else
    printLines(context, [...shownLines(data), line(`Applied as change ${textIn(data, 'change_id') ?? ''}`)]);
  return CHANGED;
}

function shownLines(data: unknown): readonly Line[] {
  return [
    ...listIn(data, 'files').flatMap((file) => [
      ...diffLines(textIn(file, 'diff') ?? ''),
      ...noteLines('Also changes, through an alias or merge', listIn(file, 'also_affects')),
      ...noteLines('A comment that goes', listIn(file, 'removed_comments')),
    ]),
    ...noteLines('Warning', listIn(data, 'warnings')),
  ];
}

/** All of them: a script's reader has nowhere else to look. */
function noteLines(label: string, notes: readonly unknown[]): readonly Line[] {
  return notes.filter((note) => typeof note === 'string').map((note) => line(`${label}: ${note}`, 'yellow'));
}

/** Each with the options of this call. */
const NEXT: Readonly<Record<Policy['approval'], (id: string) => string>> = {
  direct: (id) => `config-airlock apply ${id}`,
  preview: (id) => `config-airlock apply ${id}`,
  // Only a client can ask, and so only one can apply it.
  client: (id) => `an agent, whose client asks its person: config_apply with preview_id ${id}`,
  human: (id) => `a person, with the same options: config-airlock approve ${id}`,
};

function wayOn(data: unknown, { approval, readOnly }: Policy): string {
  if (readOnly) return 'Nothing is written, and the preview is not kept: this is read-only.';
  const id = textIn(data, 'preview_id');
  if (id === undefined)
    return 'Nothing is written, and the preview is not kept: it is too long to be shown whole. Split the change.';
  return `Nothing is written yet. Next: ${NEXT[approval](id)}`;
}

/** An index or a matcher; what is neither is refused by the tool. */
function documentIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--doc: expected an index, or a matcher such as {"kind":"Deployment"}');
  }
}
