// Judges edits by the operator's rules, and says which rules decided: for replies, for previews, and for reviewers.

import { readVersions } from '../adapters/formats/registry.ts';
import { factsOf } from '../adapters/policy/facts.ts';
import { counted } from '../adapters/tree/wording.ts';
import { ownerOf, requireWhole } from '../security/approval/preview.ts';
import { recordedVersions } from '../security/edits/edit.ts';
import type { Refusal } from '../security/errors/refusal.ts';
import { printNodePath } from '../security/node-paths/node-path.ts';
import type { SafePath } from '../security/paths/safe-path.ts';
import { whatHolds } from '../security/policy/allowed.ts';
import type { ApprovalNeed, ChangeRule } from '../security/policy/change-policy.ts';
import { loadEngines } from '../security/policy/engines.ts';
import { type Approval, type Level, strictest } from '../security/policy/levels.ts';
import type { Policy } from '../security/policy/policy.ts';
import { type FileFinding, type Verdict, verdictOnAll } from '../security/policy/verdict.ts';
import { visibleLine } from '../security/text/visible.ts';
import { previewRequired } from '../security/writer/permission.ts';
import type { Preview, RuleNote, WholePreview } from '../state/preview.ts';
import { policyDenied } from './own.ts';
import type { CallContext } from './tool.ts';

const MAX_NOTES = 50;

/** Returns the rules that decided the level, each once, at most fifty; empty if `--approval` decided. */
function ruleNotes(verdict: Verdict, { changes }: Pick<Policy, 'changes'>): readonly RuleNote[] {
  if (changes.rules.length === 0) return [];
  const found = new Map<string, RuleNote>();
  for (const finding of verdict.findings) {
    if (finding.level !== verdict.level) continue;
    const note = noteOn(finding);
    const known = found.get(note.rule);
    found.set(note.rule, { ...note, ...known, count: (known?.count ?? 0) + 1 });
  }
  const notes = [...found.values()];
  const isHigh = ({ risk }: RuleNote) => risk !== undefined;
  return [...notes.filter(isHigh), ...notes.filter((note) => !isHigh(note))].slice(0, MAX_NOTES);
}

/** Returns the ids of these rules for the trail; undefined if there are none. */
export function rulesApplied(
  verdict: Verdict,
  policy: Pick<Policy, 'changes'>,
): readonly string[] | undefined {
  const ids = [...new Set(ruleNotes(verdict, policy).map(({ rule }) => rule))];
  return ids.length === 0 ? undefined : ids;
}

function noteOn({ rule, level, file, change }: FileFinding): RuleNote {
  const { id = 'default', say, risk } = rule ?? {};
  const marks = { ...(say === undefined ? {} : { say }), ...(risk === undefined ? {} : { risk }) };
  return { rule: id, level, file, path: printNodePath(change.path), count: 1, ...marks };
}

/** Writes a line such as `image-tags (human): deploy/web.yaml spec.image and 2 more changes. Ask the platform team.` */
export function ruleLine({ rule, level, file, path, count, say }: RuleNote): string {
  const more = count === 1 ? '' : ` and ${counted(count - 1, 'more change')}`;
  const place = path === '' ? '' : ` ${path}`;
  return visibleLine(`${rule} (${level}): ${file}${place}${more}${say === undefined ? '' : `. ${say}`}`);
}

/** Writes `image-tags: files deploy/**, paths **.image: direct for a higher patch version (such as 1.2.3), with the same name before it; else human`. */
export function ruleSummary(rule: ChangeRule, least: Level): string {
  const { id, callers = [], roots = [], files = [], doc = [], paths = [], ops = [] } = rule;
  const { level, otherwise, say } = rule;
  const fields = doc.map(
    ({ path, texts }) =>
      `${path.map((step) => ('key' in step ? step.key : '')).join('.')}=${texts.join('|')}`,
  );
  const about = [
    ...(callers.length === 0 ? [] : [`callers ${callers.join(', ')}`]),
    ...(roots.length === 0 ? [] : [`roots ${roots.join(', ')}`]),
    ...(files.length === 0 ? [] : [`files ${files.join(', ')}`]),
    ...(fields.length === 0 ? [] : [`documents with ${fields.join(', ')}`]),
    ...(paths.length === 0 ? [] : [`paths ${paths.map(({ text }) => text).join(', ')}`]),
    ...(ops.length === 0 ? [] : [ops.join(', ')]),
  ];
  const asked = whatHolds(rule);
  const end = asked === undefined ? '' : ` for ${asked}; else ${strictest(otherwise, least)}`;
  const words = say === undefined ? '' : `. ${say}`;
  return visibleLine(
    `${id}: ${about.join('; ') || 'every change'}: ${strictest(level, least)}${end}${words}`,
  );
}

/** Without a caller, and for a command of the operator, rules about callers apply as for an unverified one. */
type JudgeContext = Pick<CallContext, 'policy' | 'sandbox'> &
  Partial<Pick<CallContext, 'caller' | 'isOperator'>>;
type Versions = ReturnType<typeof recordedVersions>;

/**
 * Judges an edit that leads from the first text to the second one; undefined if there is no file. The engines that the rules need
 * must have been loaded. Throws LIMIT_EXCEEDED.
 */
export function judge(
  path: SafePath,
  versions: () => Versions,
  { policy, sandbox, caller, isOperator = false }: JudgeContext,
): Verdict {
  // The verdict must hold neither texts nor trees: those of a call on many files would stay in memory.
  const facts = () => factsOf(...readVersions(path, versions(), policy.limits), useOf(path));
  return sandbox.judge(path, facts, isOperator ? undefined : ownerOf(caller));
}

/** Judges the files of a preview as changes of its proposer. */
export function judgeStored({ files, caller }: WholePreview, context: JudgeContext): Verdict {
  const own = { ...context, caller };
  return verdictOnAll(
    files.map((file) => judge(own.sandbox.parse(file.file), () => recordedVersions(file), own)),
  );
}

/**
 * Returns a preview that needs a reviewer with the needs of today's rules. Without rules, as on the machine of a reviewer without the
 * policy file, it keeps the needs that it was made with.
 */
export async function underPresentRules(preview: Preview, context: JudgeContext): Promise<Preview> {
  const { needs: _, ...record } = preview;
  if (record.approval !== 'human' || context.policy.changes.rules.length === 0) return preview;
  await loadEngines(context.policy.changes);
  const verdict = judgeStored(requireWhole(preview), context);
  return { ...record, ...neededBy(verdict, 'human', context.policy) };
}

/** Returns the use of a file by its name: Helm renders what is in `templates` or has a template's ending; values files are its input. */
function useOf({ components }: SafePath): 'template' | 'values' | undefined {
  const [folders, name = ''] = [components.slice(0, -1), components.at(-1)];
  const isFilledIn = folders.includes('templates') || /\.(?:j2|jinja2?|tmpl|gotmpl|tpl)$/iu.test(name);
  return isFilledIn ? 'template' : /^values\b.*\.ya?ml$/iu.test(name) ? 'values' : undefined;
}

/** What a change needs before it is written, as a preview keeps it. */
export interface Requirements {
  readonly approval: Approval;
  readonly rules: readonly RuleNote[];
  /** The needs of rules that require several or named reviewers. */
  readonly needs?: readonly ApprovalNeed[];
}

/** Returns what a change needs. Throws POLICY_DENIED. */
export function requirementsOf(verdict: Verdict, policy: Policy): Requirements {
  if (verdict.level === 'deny') throw policyDenied(verdict);
  return neededBy(verdict, verdict.level, policy);
}

/** Returns what the edits need, at this level of approval. */
export function neededBy(verdict: Verdict, approval: Approval, policy: Policy): Requirements {
  const { needs } = verdict;
  const rules = ruleNotes(verdict, policy);
  return { approval, rules, ...(needs.length === 0 ? {} : { needs }) };
}

/** Allows a direct write. Throws POLICY_DENIED, and PREVIEW_REQUIRED for a change that needs more. */
export function requireDirect(verdict: Verdict, policy: Policy): void {
  if (verdict.level === 'direct') return;
  throw because(previewRequired(), requirementsOf(verdict, policy).rules);
}

/** Adds the rules that caused it to a refusal. */
function because(refusal: Refusal, rules: readonly RuleNote[]): Refusal {
  return rules.length === 0
    ? refusal
    : refusal.hinting({ advice: rules.map((note) => `Because of the rule ${ruleLine(note)}`) });
}
