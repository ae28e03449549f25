// Checks an opened airlock for `doctor`: its roots, its containment, its kept state and its reviewers.
import { counted } from '../../adapters/tree/wording.ts';
import { verifyTrail } from '../../security/audit/verify.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { type State, shortageOf } from '../../security/state/state.ts';
import { quoted } from '../../security/text/visible.ts';
import type { Airlock } from '../../server.ts';
import { textIn } from '../show/members.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { clockFinding } from './machine.ts';

const TRAIL_HELP =
  'Run "config-airlock audit verify", and read "A damaged audit trail" in docs/hardening.md.';

export function containmentFinding({ sandbox }: Airlock): Finding {
  if (sandbox.containment === 'fd-walk')
    return ok('containment', 'Files are reached through held folders (fd-walk), and calls run in a thread.');
  const message = `Files are reached by the way of this system (${sandbox.containment}), which is weaker than that of Linux.`;
  return warning('containment', message, 'Use Linux with /proc mounted, also in a container.');
}

export function maskingFinding({ policy }: Airlock): Finding {
  if (policy.masking.isOff)
    return warning(
      'masking',
      'Nothing is masked: every value of an allowed file is shown.',
      'Leave out --no-mask, and show what is masked wrongly with --show-path or --show-key.',
    );
  return ok('masking', 'Secrets are masked.');
}

/** Says which patterns of rules and of masking match no file of today. */
export function patternsFinding({ sandbox, policy: { changes, masking } }: Airlock): Finding {
  const patterns = [
    ...changes.rules.flatMap(({ files = [] }) => files),
    ...[...masking.paths, ...masking.shown.paths].map(({ files }) => files),
  ];
  const idle = [...new Set(patterns)].filter((pattern) => {
    const { files, truncated } = sandbox.list({ pattern, limit: 1 });
    return files.length === 0 && !truncated;
  });
  if (idle.length === 0)
    return ok('patterns', 'Each pattern of a rule, or of what is masked, matches a file.');
  return warning(
    'patterns',
    `No file that is served matches ${idle.map(quoted).join(', ')}.`,
    'Look at the spelling, and at --allow and --deny; a file that comes later falls under it all the same.',
  );
}

export async function stateFindings({ state, policy }: Airlock): Promise<readonly Finding[]> {
  if (state === undefined)
    return [ok('state', 'Nothing is kept, because the server is read-only.'), clockFinding(undefined)];
  const room = shortageOf(state);
  return [
    room === undefined
      ? ok('state', `The state can be used: ${state.place}.`)
      : fault(
          'state',
          `The state at ${state.place} takes nothing more from agents: ${room === 'full' ? 'it is full' : 'the disk is almost full'}.`,
          room === 'full' ? 'Erase old texts with "config-airlock state erase".' : 'Make room on its disk.',
        ),
    ...(await auditFindings(state)),
    ...(policy.approval === 'human' || state.reviewersFile !== undefined ? [reviewersFinding(state)] : []),
  ];
}

/** Checks the trail and the clock. The store refuses to open a trail with a damaged end, which is also a fault of the trail. */
async function auditFindings(state: State): Promise<readonly Finding[]> {
  try {
    return [await trailFinding(state), clockFinding(await newestRecord(state))];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [fault('audit', error.message, TRAIL_HELP), clockFinding(undefined)];
  }
}

async function trailFinding({ store }: State): Promise<Finding> {
  const { isWhole, records, sha256, damage } = await verifyTrail(store);
  const head = records === 0 ? '' : `, and the hash of the last is ${sha256}`;
  if (isWhole) return ok('audit', `The audit trail is intact: it has ${counted(records, 'record')}${head}.`);
  return fault(
    'audit',
    `The audit trail is damaged${damage === undefined ? '' : `: ${damage.how}, at record ${damage.seq}`}.`,
    TRAIL_HELP,
  );
}

async function newestRecord({ store }: State): Promise<Date | undefined> {
  const { seq } = await store.head();
  const [row] = seq === 0 ? [] : await store.trailAfter(seq - 1, 1);
  if (row === undefined) return undefined;
  const time = textIn(JSON.parse(row.body), 'time');
  return time === undefined ? undefined : new Date(time);
}

function reviewersFinding(state: State): Finding {
  const names = state.reviewers().map(({ name }) => name);
  if (names.length > 0) return ok('reviewers', `Who may approve: ${names.join(', ')}.`);
  return fault(
    'reviewers',
    'Nobody may approve: the reviewers file can no longer be read or trusted.',
    'Let nobody else write to it, and put it outside of the roots.',
  );
}
