// `policy test CASES` checks that the policy of --policy gives each case its expected level. Each case is planned, proven and
// judged as on a server, in a folder that holds only the files of the case.
import { counted } from '../../adapters/tree/wording.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { DEFAULT_MASKING } from '../../security/policy/policy.ts';
import type { Verdict } from '../../security/policy/verdict.ts';
import { type ScratchFolder, withScratchFolder } from '../../security/sandbox/scratch-folder.ts';
import type { Airlock } from '../../server.ts';
import { type PolicyCase, readCases } from '../policy/read-cases.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { rootlessOptions } from '../settings/airlock-options.ts';
import { type Line, line } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { judgeEdits, requirePolicy, whileJudging } from './judging.ts';
import { printJson, printLines } from './output.ts';
import { decidingRules, findingLines } from './verdict-lines.ts';

interface CaseResult {
  readonly policyCase: PolicyCase;
  readonly verdict: Verdict | undefined;
  /** The reason why the case fails; undefined if it passes. */
  readonly failure: string | undefined;
}

export async function policyTest(context: CommandContext): Promise<number> {
  const { args, settings, env } = context;
  const [file = ''] = args;
  requirePolicy(context);
  const cases = readCases(file);
  // Only the rules are tested, so that the roots and secrets of a server do not matter.
  const options = {
    ...(await rootlessOptions(settings, env)),
    masking: { ...DEFAULT_MASKING, isOff: true },
  };
  forgetEnvironment();
  const judged = new Map<PolicyCase, CaseResult>();
  for (const [name, ofRoot] of casesByRoot(cases))
    await withScratchFolder((scratch) =>
      whileJudging({ ...options, roots: [{ name, dir: scratch.folder }] }, async (airlock) => {
        for (const one of ofRoot) judged.set(one, await runCase(one, scratch, airlock));
      }),
    );
  const results = cases.flatMap((one) => judged.get(one) ?? []);
  const failed = results.filter(({ failure }) => failure !== undefined);
  if (wantsJson(context)) printJson(context, { ok: failed.length === 0, cases: results.map(asJson) });
  else
    printLines(context, [
      ...results.flatMap(resultLines),
      line(
        `${counted(results.length, 'case')}: ${results.length - failed.length} passed, ${failed.length} failed`,
      ),
    ]);
  return failed.length === 0 ? 0 : 1;
}

/** Groups the cases by the name of their root, because an airlock serves the roots that it was opened with. */
function casesByRoot(cases: readonly PolicyCase[]): ReadonlyMap<string | undefined, readonly PolicyCase[]> {
  const groups = new Map<string | undefined, PolicyCase[]>();
  for (const one of cases) {
    const group = groups.get(one.root);
    if (group === undefined) groups.set(one.root, [one]);
    else group.push(one);
  }
  return groups;
}

async function runCase(
  policyCase: PolicyCase,
  scratch: ScratchFolder,
  airlock: Airlock,
): Promise<CaseResult> {
  const { file, before, others, edits, caller, root } = policyCase;
  const name = root === undefined ? file : `@${root}/${file}`;
  try {
    scratch.hold(Object.entries(before === undefined ? others : { ...others, [file]: before }));
    const whole = edits.map((edit) => ({ file: name, ...edit }));
    const verdict = await judgeEdits(airlock, whole, caller);
    return { policyCase, verdict, failure: failureOf(policyCase, verdict) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      policyCase,
      verdict: undefined,
      failure: `the edits cannot be made: ${error.code}: ${error.message}`,
    };
  }
}

function failureOf({ expect, rule }: PolicyCase, verdict: Verdict | undefined): string | undefined {
  if (verdict === undefined) return 'the edits change nothing';
  const rules = decidingRules(verdict);
  if (verdict.level !== expect) return `expected ${expect}, and it is ${verdict.level} (${rules.join(', ')})`;
  if (rule === undefined || rules.includes(rule)) return undefined;
  return `expected by the rule ${rule}, and it is ${verdict.level} by ${rules.join(', ')}`;
}

function resultLines({ policyCase: { name }, verdict, failure }: CaseResult): readonly Line[] {
  if (failure === undefined)
    return [
      line(
        `pass  ${name}: ${verdict?.level} (${verdict === undefined ? '' : decidingRules(verdict).join(', ')})`,
        'green',
      ),
    ];
  const findings = verdict?.findings.filter(({ level }) => level === verdict.level) ?? [];
  return [line(`FAIL  ${name}: ${failure}`, 'red'), ...findings.slice(0, 5).flatMap(findingLines)];
}

function asJson({ policyCase: { name, expect, rule }, verdict, failure }: CaseResult): object {
  return {
    name,
    ok: failure === undefined,
    expected: { level: expect, rule },
    level: verdict?.level,
    rules: verdict && decidingRules(verdict),
    failure,
  };
}
