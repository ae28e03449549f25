// The audit trail, read from the state alone: `audit verify` says whether it is intact, `audit export` prints its records.
import { counted } from '../../adapters/index.ts';
import {
  hasStateDir,
  openStoreIn,
  quoted,
  readReviewers,
  type StateSource,
  type TrailVerdict,
  verifiedDecision,
  verifyTrail,
} from '../../security/index.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { OPTIONS } from '../settings/options.ts';
import { statePlaceOf } from '../settings/state-place.ts';
import { UsageError } from '../settings/usage-error.ts';
import { type Line, line } from '../terminal/rows.ts';
import { type CommandContext, progressFor, wantsJson } from './context.ts';
import { printJson, printLines } from './output.ts';

const ROWS_AT_ONCE = 1_000;

export async function auditVerify(context: CommandContext): Promise<number> {
  const { store, close } = await openTrail(context);
  const progress = progressFor(context);
  try {
    const verdict = await verifyTrail(store, genuineBy(context), (count) =>
      progress.show(`${count} records verified`),
    );
    progress.end();
    if (wantsJson(context)) printJson(context, asData(verdict));
    else printLines(context, linesOf(verdict));
    return verdict.isWhole ? 0 : 1;
  } finally {
    await close();
  }
}

/** Answers a test for signatures of the reviewers in the reviewers file; undefined where no file is given. */
function genuineBy({ settings }: CommandContext): ((signed: unknown) => boolean) | undefined {
  const file = settings.of(OPTIONS.reviewers).value;
  if (file === undefined) return undefined;
  const reviewers = readReviewers(file, []);
  return (signed) => verifiedDecision(signed, reviewers) !== undefined;
}

/** Prints one line of JSON for each record, with its place in the chain. The text of the record is the one that was hashed. */
export async function auditExport(context: CommandContext): Promise<number> {
  const { store, close } = await openTrail(context);
  const { output } = context;
  try {
    for (let last = 0; ; ) {
      const rows = await store.trailAfter(last, ROWS_AT_ONCE);
      const lines = rows.map(
        ({ seq, prev, sha256, record }) =>
          `{"seq":${seq},"prev":"${prev}","sha256":"${sha256}","record":${record}}\n`,
      );
      // It waits where the reader is slow, because the trail may be larger than the memory.
      if (!output.write(lines.join(''))) await new Promise((drained) => output.once('drain', drained));
      last = rows.at(-1)?.seq ?? last;
      if (rows.length < ROWS_AT_ONCE) return 0;
    }
  } finally {
    await close();
  }
}

async function openTrail({ settings, env }: CommandContext): ReturnType<typeof openStoreIn> {
  const place = statePlaceOf(settings, env);
  forgetEnvironment();
  if (place === undefined)
    throw new UsageError('the environment names no home directory: give --state-dir DIR');
  requireState(place, '--state-dir');
  return openStoreIn(place, settings.of(OPTIONS.root).value, true);
}

/** Throws UsageError where the place has no state, because reading must not create one where a path is mistyped. */
export function requireState(place: StateSource['place'], option: string): void {
  if ('directory' in place && !hasStateDir(place.directory))
    throw new UsageError(
      `${quoted(place.directory)} is no state directory; give the server's with ${option} DIR`,
    );
}

const WAY_OUT: readonly string[] = [
  'Find out first what happened, with a log that is kept elsewhere. A server that cannot read its trail writes nothing.',
  'To let it write again, stop all servers, and put the whole state back from a backup, or move all of it away and start over.',
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
