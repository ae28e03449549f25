// The operator's policy, resolved once at start. Every number is an upper bound: a request can only tighten it.
import { canonicalJson, sha256Hex } from '../../state/canonical.ts';
import type { ChangePolicy } from './change-policy.ts';
import { type Approval, isStricter, type Level, strictest } from './levels.ts';

export interface RootSpec {
  /** The name in `@name/file`; undefined for the single, unnamed root. */
  readonly name: string | undefined;
  /** The folder as the operator wrote it. It is never shown to the agent. */
  readonly dir: string;
}

export interface Limits {
  readonly fileSizeBytes: number;
  readonly parsedSizeBytes: number;
  readonly depth: number;
  readonly aliases: number;
  readonly tokens: number;
  readonly documents: number;
  /** The most syntax errors that are collected; a thousand by default. Callers that only test readability set it to one. */
  readonly syntaxProblems?: number;
  /** Whether the file is one of many that a call looks at: its tree is not kept for later calls. */
  readonly isOneOfMany?: boolean;
  readonly parseMs: number;
  /** Computing time for one step of a call: reading a file, or one edit of it. Waiting may take five times as long. */
  readonly stepMs: number;
  /** Computing time for a call with all its steps. */
  readonly callMs: number;
  readonly replyChars: number;
  readonly listEntries: number;
  /** The most places that the patterns of one call may edit. */
  readonly matches: number;
}

export const DEFAULT_LIMITS: Limits = {
  fileSizeBytes: 10_000_000,
  parsedSizeBytes: 2_000_000,
  depth: 100,
  aliases: 10_000,
  tokens: 2_000_000,
  documents: 1_000,
  parseMs: 2_000,
  stepMs: 2_000,
  callMs: 30_000,
  replyChars: 200_000,
  listEntries: 100_000,
  matches: 10_000,
};

/**
 * Returns the largest text that is masked by its structure, and that may be edited where something in it is masked. It is a
 * sixteenth more than may be parsed, so that a text which is short enough as it is shown is hardly ever refused for its masked values.
 */
export function maskedSizeBytes({ fileSizeBytes, parsedSizeBytes }: Limits): number {
  return Math.min(fileSizeBytes, parsedSizeBytes + Math.floor(parsedSizeBytes / 16));
}

/** The time for which a preview is valid: a person needs days, an agent minutes. */
export const PREVIEW_MS = { person: 7 * 24 * 3_600_000, agent: 15 * 60_000 } as const;

/** Files that match `pattern` must meet `schema`; a write that breaks it is refused. */
export interface SchemaBinding {
  readonly pattern: string;
  /** The name that the agent sees: the schema's file, without its folder. */
  readonly name: string;
  /** Parsed JSON. */
  readonly schema: unknown;
}

export interface Policy {
  readonly roots: readonly RootSpec[];
  readonly readOnly: boolean;
  /** Globs over the path relative to its root; a file outside all of them does not exist for the agent. */
  readonly allow: readonly string[];
  /** The operator's globs, beside the built-in denylist, which cannot be switched off. */
  readonly deny: readonly string[];
  /** Whether files of environment variables can be allowed; otherwise they are denied like those of the built-in denylist. */
  readonly allowEnv?: boolean;
  /** The formats of files whose names do not tell them; the first pattern that matches decides. */
  readonly formats?: readonly { readonly files: string; readonly format: string }[];
  readonly schemas: readonly SchemaBinding[];
  readonly limits: Limits;
  readonly allowBroadRoot: boolean;
  /** The operator's own files: denied to every request, under whatever name, where they lie inside a root. */
  readonly operatorFiles?: readonly string[];
  /** The level that every write needs at least, whatever the rules say. */
  readonly approval: Approval;
  /** The rules that say which level each change needs. */
  readonly changes: ChangePolicy;
  readonly verify: Verify;
  readonly masking: MaskingPolicy;
}

/** Rules that select values of a file. */
export interface MaskingRules {
  /** Patterns of key names, whatever their case. */
  readonly keys: readonly string[];
  /** Node paths, or patterns of them, in the files that a glob names. */
  readonly paths: readonly { readonly files: string; readonly path: string }[];
}

/** The rules for masking beside the built-in ones, and whether masking is switched off. */
export interface MaskingPolicy extends MaskingRules {
  readonly isOff: boolean;
  /** Rules for values that are shown although their key or context would mask them. Rules that mask win over these. */
  readonly shown: MaskingRules;
}

export const DEFAULT_MASKING: MaskingPolicy = {
  ...{ isOff: false, keys: [], paths: [] },
  shown: { keys: [], paths: [] },
};

/**
 * The reader that proves an edit by parsing its result again. `fast` uses our own scan, which tests compare with `yaml`. `full`
 * adds `yaml`, so that two readers that share no code must agree on the file before and after.
 */
export type Verify = 'fast' | 'full';

/**
 * The hash of what decides which files are seen, and how: a preview shows texts of files, and is valid under these options only.
 * Rules, levels, reviewers and schemas are not in it, because they are asked anew at every apply.
 */
export function policyFingerprint({ allow, deny, masking }: Policy): string {
  return sha256Hex(canonicalJson({ allow, deny, masking }));
}

/** True if some change can get this level. */
export function canCome({ approval, changes }: Pick<Policy, 'approval' | 'changes'>, level: Level): boolean {
  const said = [changes.default, ...changes.rules.flatMap((rule) => [rule.level, rule.otherwise])];
  return said.some((one) => strictest(one, approval) === level);
}

/** The level that every change needs at least. */
export function leastLevel({ approval, changes }: Pick<Policy, 'approval' | 'changes'>): Level {
  const said = [
    changes.default,
    ...changes.rules.map(({ level }) => level),
    ...changes.rules.map(({ otherwise }) => otherwise),
  ];
  const least = said.reduce((most, level) => (isStricter(most, level) ? level : most));
  return strictest(least, approval);
}
