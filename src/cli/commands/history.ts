// `history` lists the applied changes, newest first, or shows one change with its diff.

import type { ChangeView } from '../../review/change-view.ts';
import { type ChangePatch, mailOf } from '../../review/patches.ts';
import { includesFile } from '../../review/pending.ts';
import type { ReviewService } from '../../review/review-service.ts';
import { namedFiles } from '../../review/summary.ts';
import { instant } from '../../review/times.ts';
import { VERSION } from '../../server.ts';
import { shortId } from '../../state/canonical.ts';
import { FILE, FORMAT, SINCE } from '../settings/command-options.ts';
import { UsageError } from '../settings/usage-error.ts';
import { type Line, line } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { printJson, printLines } from './output.ts';
import { fileLines, reasonLines } from './preview-lines.ts';
import { openReview } from './services.ts';

export async function history(context: CommandContext): Promise<number> {
  const { service } = await openReview(context);
  const [id] = context.args;
  if (context.settings.of(FORMAT).value === 'mbox') return printMails(service, context);
  if (id === undefined) {
    const changes = (await service.history()).filter(changeFilter(context));
    if (wantsJson(context)) printJson(context, { changes });
    else if (changes.length === 0)
      printLines(context, [
        line(isNarrowed(context) ? 'No such change was found.' : 'No change has been applied yet.'),
      ]);
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

/** Prints each applied change as a mail, oldest first. */
async function printMails(service: ReviewService, context: CommandContext): Promise<number> {
  const [id] = context.args;
  const listed = (await service.history())
    .filter(changeFilter(context))
    .filter(({ state }) => state === 'applied');
  const ids = id === undefined ? listed.map((change) => change.id).reverse() : [id];
  const wanted = context.settings.of(FILE).value;
  const patches: ChangePatch[] = [];
  // All patches are made before the first one is printed, so that a refusal leaves no half of the output.
  for (const one of ids) {
    const patch = await service.patch(one);
    const isWanted = ({ root }: { readonly root: string | undefined }) =>
      wanted === undefined || root === undefined || includesFile([wanted], `@${root}`);
    patches.push({ ...patch, files: patch.files.filter(isWanted) });
  }
  const [root, ...others] = new Set(patches.flatMap(({ files }) => files.map((file) => file.root)));
  if (others.length > 0)
    throw new UsageError(
      `these changes are in several folders, and a patch is for one: give --file @${root}, for example`,
    );
  context.output.write(patches.map((patch) => mailOf(patch, VERSION)).join(''));
  return 0;
}

/** Returns the test for changes by --file, which may name a folder, and by --since. */
function changeFilter({ settings }: CommandContext): (change: ChangeView) => boolean {
  const file = settings.of(FILE).value;
  const since = settings.of(SINCE).value;
  return ({ files, at }) =>
    (since === undefined || new Date(at).getTime() >= since.getTime()) && includesFile(files, file);
}

function isNarrowed({ settings }: CommandContext): boolean {
  return [FILE, SINCE].some((option) => settings.of<unknown>(option).value !== undefined);
}

function changeLines(change: ChangeView): readonly Line[] {
  const { id, at, title, files, confirmed_by, reviewer, asked_by, reason, origin, undone_by, state } = change;
  const by = reviewer === undefined ? confirmed_by : `${confirmed_by} (${reviewer})`;
  return [
    line(`${instant(at)}  ${title}`, 'bold'),
    line(`  ${namedFiles(files)}`),
    line(`  change ${shortId('ch', id)}`),
    line(`  requested by ${asked_by}, confirmed by ${by}`),
    ...reasonLines(reason),
    ...(origin.kind === 'revert' ? [line(`  undoes ${shortId('ch', origin.change_id)}`)] : []),
    ...(undone_by === undefined ? [] : [line(`  undone by ${shortId('ch', undone_by)}`)]),
    ...(state === 'open' ? [line('  not finished: it is being applied, or was interrupted', 'yellow')] : []),
    ...(state === 'unknown'
      ? [line('  interrupted: its files hold something else, and were left as they are', 'yellow')]
      : []),
  ];
}
