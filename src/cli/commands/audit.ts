// `audit verify`: whether the trail is intact. Reads the state directory only.
import { counted } from '../../adapters/index.ts';
import { hasStateDir, openStoreIn, quoted, type TrailVerdict, verifyTrail } from '../../security/index.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { OPTIONS } from '../settings/options.ts';
import { UsageError } from '../settings/usage-error.ts';
import { stateDirOf } from '../settings/user-folders.ts';
import { type Line, line } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { printJson, printLines } from './output.ts';

export async function audit(context: CommandContext): Promise<number> {
  forgetEnvironment();
  const { args, settings, env } = context;
  const [word = ''] = args;
  if (word !== 'verify')
    throw new UsageError(`unknown subcommand ${quoted(word)}; usage: config-airlock audit verify`);
  const dir = stateDirOf(settings, env);
  if (dir === undefined)
    throw new UsageError('the environment names no home directory: give --state-dir DIR');
  // Not made for being looked at; and a place that was mistyped must not pass for a trail that is intact.
  if (!hasStateDir(dir))
    throw new UsageError(
      `no audit trail: ${quoted(dir)} is no state directory; give the server's with --state-dir DIR`,
    );
  const { store, close } = openStoreIn(dir, settings.of(OPTIONS.root).value);
  try {
    const verdict = await verifyTrail(store);
    if (wantsJson(context)) printJson(context, asData(verdict));
    else printLines(context, linesOf(verdict));
    return verdict.isWhole ? 0 : 1;
  } finally {
    await close();
  }
}

const WAY_OUT: readonly string[] = [
  'Find out first what happened, with a log that is kept elsewhere. A server that cannot read its trail writes nothing.',
  'To let it write again, stop all servers, and put the whole state directory back from a backup, or move all of it away and start over.',
  'What is lost by that: docs/hardening.md, "A damaged audit trail".',
];

function asData({ isWhole, records, sha256, damage }: TrailVerdict) {
  return { ok: isWhole, records, head_sha256: sha256, ...(damage === undefined ? {} : { damage }) };
}

function linesOf({ records, sha256, damage }: TrailVerdict): readonly Line[] {
  const found = counted(records, 'record');
  const verdict =
    damage === undefined
      ? [line(`The audit trail is intact: ${found}.`, 'green')]
      : [
          line(`The audit trail is damaged: ${damage.how}, at record ${damage.seq}.`, 'red'),
          line(`Records before the damage: ${records}.`),
          ...WAY_OUT.map((text) => line(text)),
        ];
  const head = `Hash of the last record: ${sha256}. Compare it with the last trail_sha256 in the log.`;
  return [...verdict, ...(records === 0 ? [] : [line(head)])];
}
