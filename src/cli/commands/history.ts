// `history`: what was applied, newest first; or one change with its diff.
import { type ChangeView, instant } from '../../review/index.ts';
import { shortId } from '../../security/index.ts';
import { type Line, line } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { printJson, printLines } from './output.ts';
import { fileLines, reasonLines } from './preview-lines.ts';
import { openAirlockFor, reviewOn } from './services.ts';

export async function history(context: CommandContext): Promise<number> {
  const service = reviewOn(await openAirlockFor(context), context);
  const [id] = context.args;
  if (id === undefined) {
    const changes = await service.history();
    if (wantsJson(context)) printJson(context, { changes });
    else if (changes.length === 0) printLines(context, [line('No change has been applied yet.')]);
    else printLines(context, changes.flatMap(changeLines));
    return 0;
  }
  const change = await service.change(id);
  if (wantsJson(context)) printJson(context, change);
  else
    printLines(context, [
      ...changeLines({ ...change, files: change.files.map(({ file }) => file) }),
      ...change.files.flatMap((file) => fileLines({ ...file, state: 'same' })),
    ]);
  return 0;
}

function changeLines(change: ChangeView): readonly Line[] {
  const { id, at, files, confirmed_by, reviewer, asked_by, reason, origin, undone_by, state } = change;
  const by = reviewer === undefined ? confirmed_by : `${confirmed_by} (${reviewer})`;
  return [
    line(`${instant(at)}  ${files.join(', ')}`, 'bold'),
    line(`  change ${shortId('ch', id)}`),
    line(`  requested by ${asked_by} (unverified name), confirmed by ${by}`),
    ...reasonLines(reason),
    ...(origin.kind === 'revert' ? [line(`  undoes ${shortId('ch', origin.change_id)}`)] : []),
    ...(undone_by === undefined ? [] : [line(`  undone by ${shortId('ch', undone_by)}`)]),
    ...(state === 'open' ? [line('  not finished: it is being applied, or was interrupted', 'yellow')] : []),
    ...(state === 'unknown'
      ? [line('  interrupted: its files hold something else, and were left as they are', 'yellow')]
      : []),
  ];
}
