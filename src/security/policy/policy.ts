// What the operator allows, resolved once at start. Every number is an upper bound: a request can
// only tighten it.
import { canonicalJson, sha256Hex } from '../../state/index.ts';
import type { ChangePolicy } from './change-policy.ts';
import { type Approval, isStricter, type Level, strictest } from './levels.ts';

export interface RootSpec {
  /** Addressed as `@name/file`; undefined for the single, unnamed root. */
  readonly name: string | undefined;
  /** As the operator gave it. Never shown to the agent. */
  readonly dir: string;
}

export interface Limits {
  readonly fileSizeBytes: number;
  readonly parsedSizeBytes: number;
  readonly depth: number;
  readonly aliases: number;
  readonly tokens: number;
  readonly documents: number;
  /** Of a text that only the slower parser reads; a tenth of `tokens`, but at least the usual, unless said otherwise. */
  readonly referenceTokens?: number;
  /** Of such a text as well; as many as tokens, unless said otherwise. A block scalar is one token, however many it has. */
  readonly referenceLines?: number;
  /** Of a text with syntax errors: a thousand unless said otherwise. Whoever only asks whether it can be read asks for one. */
  readonly syntaxProblems?: number;
  readonly parseMs: number;
  /** For one step of a call: reading a file, or one edit of it. Computing time; five times that where it waits. */
  readonly stepMs: number;
  /** For a call with all its steps. */
  readonly callMs: number;
  readonly replyChars: number;
  readonly listEntries: number;
  /** Places that the patterns of one call may name to be edited. */
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
  matches: 1_000,
};

/** How long a preview holds: a person needs days, an agent minutes. */
export const PREVIEW_MS = { person: 7 * 24 * 3_600_000, agent: 15 * 60_000 } as const;

/** Files that match `pattern` must meet `schema`; a write that breaks it is refused. */
export interface SchemaBinding {
  readonly pattern: string;
  /** What the agent sees: the name of the schema's file, without its folder. */
  readonly name: string;
  /** Parsed JSON. */
  readonly schema: unknown;
}

export interface Policy {
  readonly roots: readonly RootSpec[];
  readonly readOnly: boolean;
  /** Globs over the path relative to its root; a file outside all of them does not exist for the agent. */
  readonly allow: readonly string[];
  /** The operator's globs, besides the built-in denylist, which cannot be switched off. */
  readonly deny: readonly string[];
  readonly schemas: readonly SchemaBinding[];
  readonly limits: Limits;
  readonly allowBroadRoot: boolean;
  /** The operator's own files: denied to every request, under whatever name, where they lie inside a root. */
  readonly operatorFiles?: readonly string[];
  /** What every write needs at least, whatever the rules say. */
  readonly approval: Approval;
  /** What each change needs. */
  readonly changes: ChangePolicy;
  readonly verify: Verify;
  readonly masking: MaskingPolicy;
}

/** Which values of a file are meant. */
export interface MaskingRules {
  /** Patterns of key names, whatever their case. */
  readonly keys: readonly string[];
  /** Node paths, or patterns of them, in the files that a glob names. */
  readonly paths: readonly { readonly files: string; readonly path: string }[];
}

/** What is masked besides what is built in, and whether anything is. */
export interface MaskingPolicy extends MaskingRules {
  readonly isOff: boolean;
  /** What is shown although its key, or what stands around it, would mask it. The rules that mask win over these. */
  readonly shown: MaskingRules;
}

export const DEFAULT_MASKING: MaskingPolicy = {
  ...{ isOff: false, keys: [], paths: [] },
  shown: { keys: [], paths: [] },
};

/**
 * Who reads the result of an edit again to prove it. `fast`: our own scan, which is held to `yaml` by tests.
 * `full`: `yaml`, so that two readers that share no code must agree on the file before and after.
 */
export type Verify = 'fast' | 'full';

/**
 * The policy in force as one hash: a preview is worth nothing under another. Who may approve is left out on
 * purpose: that is asked at every apply, and a new reviewer must not void what waits for one. So are the
 * operator's own files: a reviewer's command has others than the server, and every open asks.
 * `places`: where the roots lead, in the policy's order.
 */
export function policyFingerprint(
  { operatorFiles: _, ...policy }: Policy,
  places: readonly string[],
): string {
  const roots = policy.roots.map(({ name }, index) => ({ name, place: places[index] }));
  // A schema may hold values that canonical JSON cannot express.
  const schemas = policy.schemas.map(({ pattern, name, schema }) => [pattern, name, JSON.stringify(schema)]);
  const changes = JSON.stringify(policy.changes);
  return sha256Hex(canonicalJson({ ...policy, roots, schemas, changes }));
}

/** Whether some change can come to this level. */
export function canCome({ approval, changes }: Pick<Policy, 'approval' | 'changes'>, level: Level): boolean {
  const said = [changes.default, ...changes.rules.flatMap((rule) => [rule.level, rule.otherwise])];
  return said.some((one) => strictest(one, approval) === level);
}

/** What no change can do without. */
export function leastLevel({ approval, changes }: Pick<Policy, 'approval' | 'changes'>): Level {
  const said = [
    changes.default,
    ...changes.rules.map(({ level }) => level),
    ...changes.rules.map(({ otherwise }) => otherwise),
  ];
  const least = said.reduce((most, level) => (isStricter(most, level) ? level : most));
  return strictest(least, approval);
}
