// `record` prints the portable record of an approval, and `verify-record` checks one with neither server nor state.
import { instant } from '../../review/times.ts';
import { readReviewers } from '../../security/approval/reviewers.ts';
import { type ApprovalRecord, type StatedFile, verifiedRecord } from '../../security/approval/statement.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { readPlainFile } from '../../security/policy/operator-file.ts';
import type { Sandbox } from '../../security/sandbox/sandbox.ts';
import { displayLine } from '../../security/text/visible.ts';
import { shortId } from '../../state/canonical.ts';
import { airlockOptions } from '../settings/airlock-options.ts';
import { OPTIONS } from '../settings/options.ts';
import { UsageError } from '../settings/usage-error.ts';
import { line } from '../terminal/rows.ts';
import type { CommandContext } from './context.ts';
import { whileJudging } from './judging.ts';
import { printLines } from './output.ts';
import { openReview } from './services.ts';

export async function record(context: CommandContext): Promise<number> {
  const { service } = await openReview(context);
  const [id = ''] = context.args;
  for (const envelope of await service.record(id)) context.output.write(`${envelope}\n`);
  return 0;
}

export async function verifyRecord(context: CommandContext): Promise<number> {
  const { settings, args } = context;
  const [file = ''] = args;
  const reviewers = settings.of(OPTIONS.reviewers).value;
  if (reviewers === undefined)
    throw new UsageError('verify-record needs the reviewers: give --reviewers FILE');
  const verified = verifiedRecord(readPlainFile(file), readReviewers(reviewers, []));
  const problems = typeof verified === 'string' ? [verified] : await problemsOn(verified, context);
  if (typeof verified === 'string' || problems.length > 0) {
    printLines(context, [
      line('The record does not hold:', 'red'),
      ...problems.map((problem) => line(`  ${problem}`)),
    ]);
    return 1;
  }
  printLines(context, linesOf(verified, context));
  return 0;
}

/** Compares the files below the roots with the record. If no root is given, nothing is compared. */
async function problemsOn({ change }: ApprovalRecord, context: CommandContext): Promise<readonly string[]> {
  const { settings, env } = context;
  if (settings.of(OPTIONS.root).value.length === 0) return [];
  return whileJudging(await airlockOptions(settings, env), async ({ sandbox }) =>
    change.files.flatMap((file) => problemOf(file, sandbox) ?? []),
  );
}

/** Returns how the file differs from the record; undefined if it does not, or if masked values prevent the comparison. */
function problemOf(
  { file, after_sha256: after, is_masked }: StatedFile,
  sandbox: Sandbox,
): string | undefined {
  try {
    const path = sandbox.parse(file);
    if (after === undefined) {
      sandbox.openAbsent(path);
      return undefined;
    }
    const { sha256 } = sandbox.open(path).read();
    return is_masked === true || sha256 === after
      ? undefined
      : `${displayLine(file)} is not the text that was approved`;
  } catch (error) {
    if (error instanceof Refusal) return `${displayLine(file)}: ${error.code}: ${error.message}`;
    throw error;
  }
}

function linesOf({ approvals, change }: ApprovalRecord, { settings }: CommandContext) {
  const [first] = approvals;
  const isCompared = settings.of(OPTIONS.root).value.length > 0;
  const by = change.caller.principal ?? `${change.caller.name} (unverified name)`;
  return [
    line('The record holds.', 'green'),
    line(
      `Preview ${shortId('pv', first?.preview ?? '')}, requested by ${displayLine(by)} at ${instant(change.requested_at)}`,
    ),
    ...approvals.map(({ reviewer, at, trail }) =>
      line(`Approved by ${reviewer} at ${instant(at)}, after record ${trail.seq} of the audit trail`),
    ),
    ...change.rules.map(({ rule, level }) => line(`Rule ${displayLine(rule)}: ${level}`)),
    ...change.files.map(({ file, is_masked }) =>
      line(`${displayLine(file)}: ${stateOf(isCompared, is_masked)}`),
    ),
  ];
}

function stateOf(isCompared: boolean, isMasked = false): string {
  if (isMasked) return 'not compared: it holds masked values';
  return isCompared ? 'as approved' : 'not compared: no root is given';
}
