// Decides how a change must be confirmed, and because of which rules. It is a pure function of the facts and the policy. The
// strictest rule that names a change wins, and a change without a rule gets the default. A constraint that does not hold takes
// `else`, and never falls through to another rule. Uncertainty can only make the answer stricter.

import type { DataPath } from '../node-paths/node-path.ts';
import type { Answer } from './change-limits.ts';
import {
  type ApprovalNeed,
  type ChangePolicy,
  type ChangeRule,
  FILE_OPS,
  type NodeType,
} from './change-policy.ts';
import { constraintsOf, levelOf, type Values } from './constraints.ts';
import type { DocumentVersions, FileFacts, Found, LeafChange } from './facts.ts';
import { isStricter, type Level, strictest } from './levels.ts';
import { isMatchedField, matchDocument } from './match-document.ts';
import { matchPath, type PathMatch } from './match-path.ts';
import { needsIn } from './needs.ts';

/** The level of one change, and the reason for it. */
export interface Finding {
  readonly change: LeafChange;
  readonly level: Level;
  /** The rule that decided; undefined if no rule names the change, so that it has the default. */
  readonly rule: ChangeRule | undefined;
  /** The node that the rule names, and that its constraint is about. The change is there or below. */
  readonly at: DataPath;
  /** The reviewers that all rules ask for which name the change, not only the strictest. */
  readonly needs: readonly ApprovalNeed[];
  /** Says whether the constraint of the rule holds; `yes` also where it has none. `unclear` takes the stricter level. */
  readonly holds: Answer;
  /** The values, where the constraint does not hold or that is unclear. */
  readonly broken: Values | undefined;
}

export interface Judgement {
  readonly level: Level;
  /** One finding for each change, with the strictest rule that names it, and the first of equally strict ones. */
  readonly findings: readonly Finding[];
}

/** Says whether a rule is for a file and a caller; `perhaps` means in another spelling, or that a name is not known. */
export type FileMatch = 'yes' | 'perhaps' | 'no';

/** A policy that is ready to be asked. */
export interface Rules {
  readonly default: Level;
  readonly all: readonly CompiledRule[];
}

interface CompiledRule {
  readonly rule: ChangeRule;
  /** Tests the constraints at a node; undefined if there are none. */
  readonly holds: ((values: Values) => Answer) | undefined;
}

/** Compiles a policy, whose engines must have been loaded. Throws an Error for a malformed pattern. */
export function compileRules(policy: ChangePolicy): Rules {
  return { default: policy.default, all: policy.rules.map((rule) => ({ rule, holds: constraintsOf(rule) })) };
}

/** Judges the changes of one file. `matches` holds one answer for each rule, in order; `least` is a lower bound of the level. */
export function judge(
  facts: FileFacts,
  { default: usual, all }: Rules,
  matches: readonly FileMatch[],
  least: Level,
): Judgement {
  const rules = all.flatMap((compiled, index) => {
    const match = matches[index] ?? 'no';
    return match === 'no' ? [] : [{ ...compiled, isLooseFile: match === 'perhaps' }];
  });
  const findings = facts.changes.map((change) => {
    const found = rules.flatMap((rule) => resultsOf(rule, change, facts));
    const exact = found.filter(({ isLoose }) => !isLoose);
    const base = strictestOf(exact) ?? {
      level: usual,
      rule: undefined,
      at: change.path,
      holds: 'yes' as const,
      broken: undefined,
    };
    const loose = strictestOf(found.filter(({ level }) => isStricter(level, base.level)));
    const { level: own, rule, at, holds, broken } = loose ?? base;
    return { change, rule, at, holds, broken, needs: needsIn(found), level: strictest(own, least) };
  });
  // A change of a file without findings still gets a level.
  const [first, ...others] = findings.map(({ level }) => level);
  return { level: first === undefined ? strictest(usual, least) : strictest(first, ...others), findings };
}

interface Result extends Omit<Finding, 'change' | 'needs' | 'rule'> {
  readonly rule: ChangeRule;
  /** True for a match that is only possible; match-path.ts explains it. */
  readonly isLoose: boolean;
}

/** Returns the first of the results with the strictest level. */
function strictestOf(results: readonly Result[]): Result | undefined {
  return results.reduce<Result | undefined>(
    (most, result) => (most === undefined || isStricter(result.level, most.level) ? result : most),
    undefined,
  );
}

type Candidate = CompiledRule & { readonly isLooseFile: boolean };

/** Returns what a rule says about a change; empty if it does not name it. */
function resultsOf(
  { rule, holds, isLooseFile }: Candidate,
  change: LeafChange,
  facts: FileFacts,
): readonly Result[] {
  const { ops, paths, doc } = rule;
  const isNamed = ops === undefined || ops.includes(change.op);
  const isOfFile = FILE_OPS.includes(change.op);
  // An unreadable file may hold whatever the rule is about.
  const isOfWhole = isNamed && paths === undefined && doc === undefined;
  if (isOfFile && facts.isUnreadable === true && !isOfWhole) {
    const isAbout = isNamed || ops?.some((op) => !FILE_OPS.includes(op)) === true;
    return isAbout ? [perhaps({ rule, holds }, [])] : [];
  }
  if (isOfFile && paths !== undefined) return [];
  const ofChange =
    change.doc === undefined ? facts.documents : facts.documents.slice(change.doc, change.doc + 1);
  const isUnsure = change.isVague === true || change.isOpen === true;
  // What goes adds nothing and replaces nothing, whatever it was.
  const isGone = change.isVague !== true || ofChange.every(({ after }) => after === undefined);
  const mayBe = change.op === 'remove' && isGone ? [change.op] : DATA_OPS;
  const isPerhaps = isUnsure && ops?.some((op) => mayBe.includes(op)) === true;
  if (!isNamed && !isPerhaps) return [];
  const candidate = { rule, holds, isLooseFile: isLooseFile || !isNamed };
  // A file may have no document.
  const about = facts.documents.length === 0 && paths === undefined ? [NOTHING] : ofChange;
  return about.flatMap((versions) => resultsIn(candidate, change, versions));
}

const DATA_OPS: readonly LeafChange['op'][] = ['add', 'remove', 'replace'];
const NOTHING: DocumentVersions = { before: undefined, after: undefined };
const WHOLE: PathMatch = { depth: 0, isLoose: false, isValueKnown: true };

function resultsIn(
  { rule, holds, isLooseFile }: Candidate,
  change: LeafChange,
  versions: DocumentVersions,
): readonly Result[] {
  const found = rule.doc === undefined ? 'yes' : matchDocument(rule.doc, versions);
  const isAny = change.isOfAnyDocument === true && rule.doc !== undefined && isMatchedField(rule.doc, change);
  const document = found === 'no' && isAny ? 'perhaps' : found;
  if (document === 'no') return [];
  const isLoose = isLooseFile || document === 'perhaps';
  const isCrossing = document !== 'yes' && rule.doc !== undefined && isMatchedField(rule.doc, change);
  const matches =
    rule.paths === undefined
      ? [WHOLE]
      : rule.paths.flatMap(({ steps }) => matchPath(steps, change, versions));
  const ofType = matches.flatMap((match) => withType(rule, match, change, versions));
  return [
    ...ofType.map((match) => resultOf({ rule, holds }, match, versions, isLoose, change)),
    ...missingIn(rule, change, versions, isLoose),
    // A change that takes a document out of the rule, or may take it, needs what the rule asks for.
    ...(isCrossing ? [perhaps({ rule, holds }, change.path)] : []),
  ];
}

/** Leaves out a node that has another type than the rule is about, before and after; a match where that is not known is loose. */
function withType(
  { type }: ChangeRule,
  match: PathMatch,
  { path }: LeafChange,
  { before, after }: DocumentVersions,
): readonly PathMatch[] {
  if (type === undefined || !match.isValueKnown) return [match];
  const node = path.slice(0, match.depth);
  const types = [before, after].map((data) => typeOf(data?.at(node) ?? 'none'));
  if (types.includes(type)) return [match];
  return types.includes('unclear') ? [{ ...match, isLoose: true }] : [];
}

function typeOf(found: Found): NodeType | 'none' | 'unclear' {
  if (typeof found === 'string') return found;
  if (Array.isArray(found.value)) return 'list';
  return typeof found.value === 'object' && found.value !== null ? 'mapping' : 'scalar';
}

/**
 * Finds what must be there and is missing after a change beside it or above it: it stood there before, or what it belongs to is
 * new. A change that leaves it in place is not named, so that the rule makes nothing more lenient.
 */
function missingIn(
  rule: ChangeRule,
  change: LeafChange,
  { before, after }: DocumentVersions,
  isLooseRule: boolean,
): readonly Result[] {
  if (rule.required === undefined || after === undefined) return [];
  return (rule.paths ?? []).flatMap(({ steps }) => {
    const last = steps.at(-1);
    if (last?.kind !== 'key') return [];
    const parents = matchPath(steps.slice(0, -1), change, { before, after });
    return parents.flatMap(({ depth, isLoose, isValueKnown }) => {
      const parent = change.path.slice(0, depth);
      const at = [...parent, last.key];
      if (!isValueKnown || after.at(at) !== 'none' || after.at(parent) === 'none') return [];
      const isNew = before === undefined || before.at(parent) === 'none';
      if (!isNew && before.at(at) === 'none') return [];
      const broken: Values = { before: before?.at(at) ?? 'none', after: 'none' };
      return [
        { rule, at, level: rule.otherwise, holds: 'no' as const, broken, isLoose: isLoose || isLooseRule },
      ];
    });
  });
}

function resultOf(
  { rule, holds }: CompiledRule,
  { depth, isLoose, isValueKnown }: PathMatch,
  versions: DocumentVersions,
  isLooseRule: boolean,
  change: LeafChange,
): Result {
  const path = change.path.slice(0, depth);
  if (holds !== undefined && change.isVague !== true && VALUELESS.includes(change.op))
    return { ...milder(rule), rule, at: path, isLoose: isLoose || isLooseRule };
  if (!isValueKnown) return perhaps({ rule, holds }, path);
  const values = { before: versions.before?.at(path) ?? 'none', after: versions.after?.at(path) ?? 'none' };
  const answer = holds?.(values) ?? 'yes';
  return {
    ...{ rule, at: path, isLoose: isLoose || isLooseRule },
    level: levelOf(rule, answer),
    holds: answer,
    broken: answer === 'yes' ? undefined : values,
  };
}

const VALUELESS: readonly LeafChange['op'][] = ['comment', 'layout'];

/** A comment beside a value has no value itself, so the constraint does not decide, and the milder level counts. */
function milder({ level, otherwise }: ChangeRule): Pick<Result, 'level' | 'holds' | 'broken'> {
  return isStricter(level, otherwise)
    ? { level: otherwise, holds: 'no', broken: undefined }
    : { level, holds: 'yes', broken: undefined };
}

/** The result where the rule may be about the change, but its constraints cannot be checked. */
function perhaps({ rule, holds }: CompiledRule, at: DataPath): Result {
  const answer = holds === undefined ? 'yes' : 'unclear';
  const broken = holds === undefined ? undefined : UNCLEAR;
  return { rule, at, level: levelOf(rule, answer), holds: answer, broken, isLoose: true };
}

const UNCLEAR: Values = { before: 'unclear', after: 'unclear' };
