// `history`: what was applied, newest first; or one change with its diff.
import type { ChangeView } from '../../review/index.ts';
import { fileLines } from '../show/preview-lines.ts';
import { instant } from '../show/times.ts';
import { type Line, line } from '../terminal/ansi-style.ts';
import type { CommandContext } from './context.ts';
import { printJson, printLines } from './output.ts';
import { openServices } from './services.ts';

export async function history(context: CommandContext): Promise<number> {
  const { desk } = await openServices(context);
  const [id] = context.task.args;
  const isJson = context.task.own.has('json');
  if (id === undefined) {
    const changes = desk.history();
    if (isJson) printJson(context, { changes });
    else
      printLines(
        context,
        changes.length === 0 ? [line('Nothing was applied yet.')] : changes.flatMap(changeLines),
      );
    return 0;
  }
  const change = desk.change(id);
  if (isJson) printJson(context, change);
  else
    printLines(context, [
      ...changeLines({ ...change, files: change.files.map(({ file }) => file) }),
      ...change.files.flatMap((file) => fileLines({ ...file, standing: 'same' })),
    ]);
  return 0;
}

function changeLines(change: ChangeView): readonly Line[] {
  const { id, at, files, confirmed_by, reviewer, asked_by, origin, undone_by, is_open, is_recorded } = change;
  const by = reviewer === undefined ? confirmed_by : `${confirmed_by} (${reviewer})`;
  return [
    line(`${instant(at)}  ${files.join(', ')}`, 'bold'),
    line(`  change ${id}`),
    line(`  asked for by ${asked_by} (its own words), confirmed by ${by}`),
    ...(origin.kind === 'revert' ? [line(`  takes back ${origin.change_id}`)] : []),
    ...(undone_by === undefined ? [] : [line(`  taken back by ${undone_by}`)]),
    ...(is_open
      ? [line('  not known to be carried through: it is under way, or was cut off', 'yellow')]
      : []),
    ...(is_open || is_recorded
      ? []
      : [line('  not in the audit trail: nobody can say that this was applied, or by whose word', 'yellow')]),
  ];
}
