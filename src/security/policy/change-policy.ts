// The operator's rules about changes as plain data, as they were read from a policy file. Nothing here decides.
import type { PathWord } from '../node-paths/node-path.ts';
import type { Level } from './levels.ts';

/**
 * The kind of a change. `add`, `remove` and `replace` are of data, `comment` of a comment, `layout` of layout or the order of
 * keys only, `text` of lines of a file without keys. `create` and `delete` are of a whole file, beside its data.
 */
export const CHANGE_OPS = [
  ...(['add', 'remove', 'replace', 'comment', 'layout'] as const),
  ...(['text', 'create', 'delete'] as const),
] as const;
export type ChangeOp = (typeof CHANGE_OPS)[number];

/** Kinds of changes to a whole file, which have no path. */
export const FILE_OPS: readonly ChangeOp[] = ['text', 'create', 'delete'];

export interface RulePath {
  /** The path as it stands in the policy file. */
  readonly text: string;
  readonly steps: readonly PathWord[];
}

/** A document matches if each of these fields has one of its texts, in which `*` is any run of characters. */
export type DocumentMatcher = readonly {
  readonly path: readonly PathWord[];
  readonly texts: readonly string[];
}[];

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The keywords of JSON Schema that a rule may use; value-schema.ts has the list. */
export type ValueSchema = { readonly [keyword: string]: Json };

export type SemverLimit = 'not_lower' | 'patch' | 'minor';

/** How the new value must compare with the old one. */
export interface ChangeLimits {
  readonly semver?: SemverLimit;
  /** A quantity of Kubernetes may only grow. */
  readonly quantity?: 'not_lower';
  /** The largest difference of two numbers. */
  readonly maxStep?: number;
  /** The largest difference of two numbers, in per cent of the old one. */
  readonly maxStepPercent?: number;
  /** With this, the value must stay the same; only its spelling may change. */
  readonly isUnchanged?: boolean;
  /** The number that counts as the old value where there is none. */
  readonly absent?: number;
}

/** What a node is; `scalar` is a text, a number, a boolean or null. */
export const NODE_TYPES = ['mapping', 'list', 'scalar'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

export interface ChangeRule {
  readonly id: string;
  /** Globs relative to each root; without them, the rule is for all files. */
  readonly files?: readonly string[];
  /** Names of roots, in which `*` is any text; without them, the rule is for all roots. */
  readonly roots?: readonly string[];
  /** Verified principals, in which `*` is any text. A caller who is not verified meets the rule only if it makes the answer stricter. */
  readonly callers?: readonly string[];
  readonly doc?: DocumentMatcher;
  /** Each path names a node with all below it. Without paths, the rule is for all changes, of whole files too. */
  readonly paths?: readonly RulePath[];
  /** Only nodes of this type, before the change or after it. */
  readonly type?: NodeType;
  readonly ops?: readonly ChangeOp[];
  readonly value?: ValueSchema;
  readonly change?: ChangeLimits;
  /** True for what must be there: a change that takes it away, or makes its parent without it, does not meet the rule. */
  readonly required?: true;
  /** The level where the constraints hold; `then` in the file. */
  readonly level: Level;
  /** The level where a constraint (`value`, `change`) does not hold; `else` in the file. */
  readonly otherwise: Level;
  /** The reviewers who may sign where the level is `human`, by name; without this field, anybody in the reviewers file may. */
  readonly approvers?: readonly string[];
  /** The number of reviewers who have to sign; one where it is left out. */
  readonly count?: number;
  /** Marks a change that reviewers see first, and as dangerous. */
  readonly risk?: 'high';
  /** An explanation by the operator, shown to the agent and to reviewers. */
  readonly say?: string;
}

/** True for a rule with `else`, which asks something of the change that it names. */
export function isConstrained({
  value,
  change,
  required,
}: Pick<ChangeRule, 'value' | 'change' | 'required'>): boolean {
  return value !== undefined || change !== undefined || required !== undefined;
}

/** The number of reviewers who have to sign, and their names; the proposer never counts. */
export interface ApprovalNeed {
  /** The id of the rule that asks for it. */
  readonly rule: string;
  readonly count: number;
  readonly approvers?: readonly string[];
}

export interface ChangePolicy {
  /** The level of every change that no rule names. */
  readonly default: Level;
  readonly rules: readonly ChangeRule[];
  /** What an agent is told while a change waits, in the operator's words; `{id}` stands for the preview. */
  readonly approvalMessage?: string;
}

/** The rules of a server without a policy file, where `--approval` alone decides. */
export const NO_RULES: ChangePolicy = { default: 'direct', rules: [] };
