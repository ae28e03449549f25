// `audit verify`: whether the trail is whole. Reads the state directory only.
import { counted } from '../../adapters/index.ts';
import {
  finishedChanges,
  hasStateDir,
  openStateDir,
  quoted,
  type TrailVerdict,
  verifyTrail,
} from '../../security/index.ts';
import { OPTIONS } from '../settings/options.ts';
import { stateDirOf } from '../settings/state-dir.ts';
import { UsageError } from '../settings/usage-error.ts';
import { type Line, line } from '../terminal/ansi-style.ts';
import type { CommandContext } from './context.ts';
import { printJson, printLines } from './output.ts';

export function audit(context: CommandContext): number {
  const { task, settings, env } = context;
  if (task.args[0] !== 'verify') throw new UsageError('audit knows one word: config-airlock audit verify');
  const dir = stateDirOf(settings, env);
  if (dir === undefined) throw new UsageError('the environment names no home: say --state-dir DIR');
  // Not made for being looked at; and a place that was mistyped must not pass for a trail that is whole.
  if (!hasStateDir(dir))
    throw new UsageError(
      `nothing was ever kept at ${quoted(dir)}, so that there is no audit trail: --state-dir names another place`,
    );
  const state = openStateDir(dir, settings.of(OPTIONS.root).value);
  try {
    const verdict = verifyTrail(state.audit, finishedChanges(state.changes));
    if (task.own.has('json')) printJson(context, asData(verdict));
    else printLines(context, linesOf(verdict));
    return verdict.isWhole ? 0 : 1;
  } finally {
    state.close();
  }
}

function asData({ isWhole, records, sha256, damage, notes }: TrailVerdict) {
  return { ok: isWhole, records, head_sha256: sha256, ...(damage === undefined ? {} : { damage }), notes };
}

function linesOf({ records, sha256, damage, notes }: TrailVerdict): readonly Line[] {
  const found = counted(records, 'record');
  return [
    damage === undefined
      ? line(`The audit trail is whole: ${found}.`, 'green')
      : line(
          `The audit trail is damaged: ${damage.how}, at record ${damage.seq} (${damage.file}, line ${damage.line}).`,
          'red',
        ),
    ...(damage === undefined ? [] : [line(`Up to there it holds: ${found}.`)]),
    ...(records === 0
      ? []
      : [line(`It ends with ${sha256}. Compare that with the last audit record in the log.`)]),
    ...notes.map((note) => line(`Note: ${note}`, 'yellow')),
  ];
}
