// Loads previews and changes for their owners; and the refusal of a change that the operator's rules deny.

import { approvalDeclined } from '../security/approval/approved.ts';
import type { DecisionStatus } from '../security/approval/decisions.ts';
import type { Asker, StoredPreview } from '../security/approval/preview.ts';
import { type Problem, Refusal } from '../security/errors/refusal.ts';
import { printNodePath } from '../security/node-paths/node-path.ts';
import { whatPasses } from '../security/policy/allowed.ts';
import type { FileFinding, Verdict } from '../security/policy/verdict.ts';
import { quoted, visibleLine } from '../security/text/visible.ts';
import type { KeptChange } from '../state/event.ts';
import { backendIn, type CallContext } from './tool.ts';

/** Finds a change by its id or that of its preview; undefined if it is another principal's. Throws READ_ONLY. */
export function ownChange(name: string, context: CallContext): Promise<KeptChange | undefined> {
  return backendIn(context).change({ name, by: askerOf(context) });
}

function askerOf({ caller, isOperator }: Asker): Asker {
  return { caller, isOperator };
}

/** Throws PREVIEW_NOT_FOUND (also if it is another principal's), PREVIEW_USED, PREVIEW_REPLACED, PREVIEW_EXPIRED, or BUSY while it is being applied. */
export function loadPreview(name: string, context: CallContext): Promise<StoredPreview> {
  const policy = context.sandbox.policyFingerprint;
  return backendIn(context).load({ name, policy, by: askerOf(context) });
}

/** As `loadPreview`, but throws APPROVAL_DECLINED for a rejected one. `what` completes its "Cannot …". */
export async function loadOpenPreview(
  id: string,
  what: string,
  context: CallContext,
): Promise<StoredPreview> {
  const stored = await loadPreview(id, context);
  const status = await decisionOn(stored.id, stored.record, context);
  if (status.state === 'rejected') throw approvalDeclined(status, what);
  return stored;
}

/** Returns what reviewers decided about a preview that has these needs by today's rules. */
export function decisionOn(
  id: string,
  { needs = [] }: Pick<StoredPreview['record'], 'needs'>,
  context: CallContext,
): Promise<DecisionStatus> {
  return backendIn(context).decided({ id, needs });
}

const MAX_PROBLEMS = 20;

/** The refusal of a change that the operator's rules deny: which rule, where, what would be allowed, and how to go on. */
export function policyDenied({ findings }: Verdict): Refusal {
  const denied = findings.filter(({ level }) => level === 'deny');
  const [first] = denied;
  const file = first?.file;
  const path = first === undefined ? '' : printNodePath(first.at);
  const because =
    first?.rule === undefined
      ? 'no rule of the operator allows it, and what no rule names is denied'
      : `the rule ${quoted(first.rule.id)} of the operator does not allow it`;
  const more = denied.length > 1 ? ` (${denied.length} changes are denied)` : '';
  const place = path === '' ? '' : ` at ${path}`;
  return new Refusal(
    'POLICY_DENIED',
    `Cannot make this change${place}: ${because}${more}. Nothing was kept, and nobody can approve it.`,
    { file, path },
    {
      problems: problemsOf(denied),
      advice: [
        ...(first?.rule !== undefined && first.change.isVague === true ? [MAY_BE_ANYTHING] : []),
        ...saysOf(denied),
        'Leave out what is denied, or ask the operator',
      ],
    },
  );
}

const MAY_BE_ANYTHING =
  'What this does to the data is not known before it is filled in or read by a certain parser (an action of a template, a tag, two equal keys), so it counts as what the rule is about';

/** Returns the problems: each rule once for each node. */
function problemsOf(denied: readonly FileFinding[]): readonly Problem[] {
  const found = denied.map(problemOf);
  const isFirst = ({ message, path }: Problem, index: number) =>
    found.findIndex((other) => other.message === message && other.path === path) === index;
  return found.filter(isFirst).slice(0, MAX_PROBLEMS);
}

function problemOf({ rule, at, change, file }: FileFinding): Problem {
  const isSure = change.isVague !== true;
  const passes = rule === undefined || !isSure ? undefined : whatPasses(rule);
  const path = printNodePath(at) || printNodePath(change.path) || visibleLine(file);
  const message =
    rule === undefined ? 'no rule names it' : `rule ${rule.id}${isSure ? '' : ', which may be about it'}`;
  return { code: 'POLICY_DENIED', message, path, line: 0, column: 0, expected: passes ?? 'no change here' };
}

/** Returns the operator's explanations, each once. */
function saysOf(findings: readonly Pick<FileFinding, 'rule'>[]): readonly string[] {
  return [...new Set(findings.flatMap(({ rule }) => rule?.say ?? []))].map(visibleLine);
}
