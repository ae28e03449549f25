// The operator's rules about changes, as plain data: what a policy file says once it was read. Nothing here decides.
import type { Level } from './levels.ts';

/**
 * What a change does. `add`, `remove`, `replace`: of data. `comment`: of a comment. `layout`: of nothing but layout or the
 * order of keys. `text`: of lines of a file without keys. `create`, `delete`: of a whole file, beside its data.
 */
export const CHANGE_OPS = [
  ...(['add', 'remove', 'replace', 'comment', 'layout'] as const),
  ...(['text', 'create', 'delete'] as const),
] as const;
export type ChangeOp = (typeof CHANGE_OPS)[number];

/** What becomes of a whole file has no path. */
export const FILE_OPS: readonly ChangeOp[] = ['text', 'create', 'delete'];

/** One word of a path in a rule; see docs/policy.md. */
export type PathStep =
  /** `isBare`: without quotes, so that it may be a part of a key with dots. */
  | { readonly kind: 'key'; readonly key: string; readonly isBare?: boolean }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'either'; readonly key: string; readonly index: number }
  /** The items of which this field (or, without one, the item itself) is this text. */
  | { readonly kind: 'items'; readonly field: readonly string[]; readonly value: string }
  | { readonly kind: 'every'; readonly isItem: boolean }
  | { readonly kind: 'deep' };

export interface RulePath {
  /** As the file has it. */
  readonly text: string;
  readonly steps: readonly PathStep[];
}

/** All of these fields have one of these texts, in which `*` is any run of characters. */
export type DocumentMatcher = readonly {
  readonly path: readonly PathStep[];
  readonly texts: readonly string[];
}[];

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The keywords of JSON Schema that a rule may use; see value-schema.ts. */
export type ValueSchema = { readonly [keyword: string]: Json };

export type SemverLimit = 'not_lower' | 'patch' | 'minor';

/** How the new value must compare with the old one. */
export interface ChangeLimits {
  readonly semver?: SemverLimit;
  /** The largest difference of two numbers. */
  readonly maxStep?: number;
  /** The same, in per cent of the old one. */
  readonly maxStepPercent?: number;
  /** Only the way it is written may change. */
  readonly isUnchanged?: boolean;
}

export interface ChangeRule {
  readonly id: string;
  /** Globs, relative to each root; all files where there are none. */
  readonly files?: readonly string[];
  readonly doc?: DocumentMatcher;
  /** Each names a node with all below it; all changes, of whole files too, where there are none. */
  readonly paths?: readonly RulePath[];
  readonly ops?: readonly ChangeOp[];
  readonly value?: ValueSchema;
  readonly change?: ChangeLimits;
  /** `then` in the file. */
  readonly level: Level;
  /** `else`: where a constraint (`value`, `change`) does not hold. */
  readonly otherwise: Level;
  /** Who has to sign where the level is `human`, by the names of the reviewers file; anybody on it where there are none. */
  readonly approvers?: readonly string[];
  /** How many of them; one where it says nothing. */
  readonly count?: number;
  /** In the operator's words: shown to the agent and to reviewers. */
  readonly say?: string;
}

/** How many reviewers have to sign, and who of them may; the proposer is never one. */
export interface ApprovalNeed {
  /** The id of the rule that asks for it. */
  readonly rule: string;
  readonly count: number;
  readonly approvers?: readonly string[];
}

export interface ChangePolicy {
  /** Of every change that no rule names. */
  readonly default: Level;
  readonly rules: readonly ChangeRule[];
}

/** Of a server without a policy file: `--approval` alone decides. */
export const NO_RULES: ChangePolicy = { default: 'direct', rules: [] };
