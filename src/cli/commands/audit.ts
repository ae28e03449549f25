// `audit verify` says whether the audit trail is intact, and `audit export` prints its events. Both read the state alone.
import { counted } from '../../adapters/tree/wording.ts';
import { readReviewers } from '../../security/approval/reviewers.ts';
import { signedAt } from '../../security/approval/statement.ts';
import { type TrailVerdict, verifyTrail } from '../../security/audit/verify.ts';
import { type StateLocation, withStore } from '../../security/state/open-store.ts';
import { hasStateDir } from '../../security/state/state-dir.ts';
import { quoted } from '../../security/text/visible.ts';
import type { Event } from '../../state/event.ts';
import type { Store } from '../../state/store.ts';
import { trailPages } from '../../state/trail.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { OPTIONS } from '../settings/options.ts';
import { requireStateLocation } from '../settings/state-location.ts';
import { UsageError } from '../settings/usage-error.ts';
import { type Line, line } from '../terminal/rows.ts';
import { type CommandContext, progressFor, wantsJson } from './context.ts';
import { printJson, printLines } from './output.ts';

export async function auditVerify(context: CommandContext): Promise<number> {
  const progress = progressFor(context);
  const verdict = await withTrail(context, (store) =>
    verifyTrail(store, signatureCheck(context), (count) => progress.show(`${count} records verified`)),
  );
  progress.end();
  if (wantsJson(context)) printJson(context, asData(verdict));
  else printLines(context, linesOf(verdict));
  return verdict.isWhole ? 0 : 1;
}

/** Returns a check of approvals by the reviewers file; undefined if none is given. */
function signatureCheck({
  settings,
}: CommandContext): ((approval: Event) => ReturnType<typeof signedAt>) | undefined {
  const file = settings.of(OPTIONS.reviewers).value;
  if (file === undefined) return undefined;
  const reviewers = readReviewers(file, []);
  return (approval) => signedAt(approval, reviewers);
}

/** Prints one line of JSON for each event, with its place in the chain. The text of the event is the one that was hashed. */
export function auditExport(context: CommandContext): Promise<number> {
  const { output } = context;
  return withTrail(context, async (store) => {
    for await (const rows of trailPages(store)) {
      const lines = rows.map(
        ({ seq, prev, sha256, body }) =>
          `{"seq":${seq},"prev":"${prev}","sha256":"${sha256}","event":${body}}\n`,
      );
      // This waits for a slow reader, because the trail may be larger than the memory.
      if (!output.write(lines.join(''))) await new Promise((drained) => output.once('drain', drained));
    }
    return 0;
  });
}

function withTrail<Result>(
  { settings, env }: CommandContext,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const location = requireStateLocation(settings, env);
  forgetEnvironment();
  requireState(location, '--state-dir');
  return withStore(location, settings.of(OPTIONS.root).value, work, true);
}

/** Throws UsageError if the location has no state. Without this check a mistyped path would create a new state. */
export function requireState(location: StateLocation, option: string): void {
  if ('directory' in location && !hasStateDir(location.directory))
    throw new UsageError(
      `${quoted(location.directory)} is no state directory; give the server's with ${option} DIR`,
    );
}

const DAMAGE_ADVICE: readonly string[] = [
  'Find out first what happened, with a log that is kept elsewhere. A server that cannot read its trail writes nothing.',
  'To let it write again, stop all servers, and put the whole state back from a backup, or move all of it away and start over.',
  'What is lost by that: docs/hardening.md, "A damaged audit trail".',
];

function asData({ isWhole, records, sha256, damage }: TrailVerdict) {
  return { ok: isWhole, records, head_sha256: sha256, damage };
}

function linesOf({ records, sha256, damage }: TrailVerdict): readonly Line[] {
  const found = counted(records, 'record');
  const verdict =
    damage === undefined
      ? [line(`The audit trail is intact: ${found}.`, 'green')]
      : [
          line(`The audit trail is damaged: ${damage.how}, at record ${damage.seq}.`, 'red'),
          line(`Records before the damage: ${records}.`),
          ...DAMAGE_ADVICE.map((text) => line(text)),
        ];
  const head = `Hash of the last record: ${sha256}. Compare it with the last trail_sha256 in the log.`;
  return [...verdict, ...(records === 0 ? [] : [line(head)])];
}
