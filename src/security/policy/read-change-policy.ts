// Reads a policy file strictly into rules, from the plain value that YAML or JSON made of it. What is not understood, contradicts
// itself, or could never match is a fault: such a rule would silently protect nothing.
import { z } from 'zod';
import type { PathWord } from '../node-paths/node-path.ts';
import { quoted } from '../text/visible.ts';
import { limitsSchema } from './change-limits.ts';
import {
  CHANGE_OPS,
  type ChangePolicy,
  type ChangeRule,
  type DocumentMatcher,
  FILE_OPS,
  NODE_TYPES,
} from './change-policy.ts';
import { namesKey } from './engines.ts';
import { LEVELS } from './levels.ts';
import {
  expected,
  faultAt,
  faultOf,
  faultsOf,
  listOf,
  mapping,
  namesLike,
  oneOf,
  oneOrMore,
  PolicyFault,
  parseRulePath,
  positive,
  text,
} from './policy-fields.ts';
import { valueSchema } from './read-value-schema.ts';

const MAX_RULES = 1_000;
const MAX_SAY = 300;
/** Replies use this word where no rule decides, so no rule may have it as its id. */
const RESERVED = 'default';
const [ROOT, CALLER] = [/^[A-Za-z0-9*][\w*-]{0,31}$/u, /^\S{1,200}$/u];
const ID = /^[A-Za-z0-9][\w.-]{0,63}$/u;
/** For a check that finds its faults beside those of other fields. It must not rely on what the schema says. */
const ALWAYS = { when: () => true };

export interface ReadPolicy {
  /** Undefined if there are faults. */
  readonly policy: ChangePolicy | undefined;
  readonly faults: readonly PolicyFault[];
}

/** Reads the rules. Throws the first PolicyFault. The engines that they need must have been loaded: see engines.ts. */
export function readChangePolicy(value: unknown): ChangePolicy {
  const { policy, faults } = readWithAllFaults(value);
  if (policy === undefined) throw faults[0] ?? new PolicyFault([], 'it cannot be read');
  return policy;
}

/** Reads the rules, or answers all faults. The engines must have been loaded. */
export function readWithAllFaults(value: unknown): ReadPolicy {
  // The schemas would leave such a key out.
  if (namesKey(value, '__proto__'))
    return { policy: undefined, faults: [new PolicyFault([], 'no key can be called __proto__')] };
  const { data, error } = policySchema().safeParse(value);
  return { policy: data, faults: error === undefined ? [] : faultsOf(error, value) };
}

function policySchema(): z.ZodType<ChangePolicy> {
  return mapping({
    default: oneOf(LEVELS).default('human'),
    approval_message: text()
      .max(MAX_SAY, expected(`at most ${MAX_SAY} characters`))
      .exactOptional(),
    rules: z
      .array(z.unknown(), expected('a list of rules'))
      .max(MAX_RULES, expected(`at most ${MAX_RULES}`))
      .pipe(z.array(ruleSchema()))
      .check(z.superRefine(requireOtherIds, ALWAYS))
      .default([]),
  }).transform(({ approval_message: approvalMessage, ...others }) => ({
    ...others,
    ...(approvalMessage === undefined ? {} : { approvalMessage }),
  }));
}

function requireOtherIds(rules: unknown, { addIssue }: z.core.$RefinementCtx): void {
  const ids = new Map<string, number>();
  for (const [index, rule] of (Array.isArray(rules) ? rules : []).entries()) {
    const { id } = fieldsIn(rule);
    if (typeof id !== 'string') continue;
    const other = ids.get(id.toLowerCase());
    if (other !== undefined)
      addIssue(faultAt([index, 'id'], `the rule ${other + 1} has the id ${quoted(id)} too`));
    else ids.set(id.toLowerCase(), index);
  }
}

function ruleSchema(): z.ZodType<ChangeRule> {
  const path = text('texts')
    .transform((given, ctx) => ({ text: given, steps: parsed(given, ctx.addIssue) }))
    .refine(({ steps }) => steps.length > 0, 'paths: an empty path; leave paths out for all changes');
  return mapping({
    id: text().refine(
      (id) => ID.test(id) && id.toLowerCase() !== RESERVED,
      expected(`letters, digits, dots and dashes, and not ${RESERVED}`),
    ),
    files: oneOrMore(text('texts'), 'texts').exactOptional(),
    roots: namesLike(ROOT, 'names of roots, without @').exactOptional(),
    callers: namesLike(CALLER, 'names without blanks').exactOptional(),
    doc: documentSchema().exactOptional(),
    paths: oneOrMore(path, 'texts').exactOptional(),
    type: oneOf(NODE_TYPES).exactOptional(),
    ops: oneOrMore(
      z.enum(CHANGE_OPS, expected(`some of ${CHANGE_OPS.join(', ')}`)),
      `some of ${CHANGE_OPS.join(', ')}`,
    ).exactOptional(),
    value: valueSchema().exactOptional(),
    change: limitsSchema().exactOptional(),
    required: z.literal(true, expected('true, or nothing')).exactOptional(),
    // biome-ignore lint/suspicious/noThenProperty: it is the name of a field in the file.
    then: oneOf(LEVELS),
    else: oneOf(LEVELS).exactOptional(),
    approvers: oneOrMore(text('texts'), 'texts')
      .transform((names) => [...new Set(names)])
      .exactOptional(),
    count: positive().refine(Number.isSafeInteger, expected('a whole number')).exactOptional(),
    risk: oneOf(['high']).exactOptional(),
    say: text()
      .max(MAX_SAY, expected(`at most ${MAX_SAY} characters`))
      .exactOptional(),
  })
    .check(z.superRefine(requireAlive, ALWAYS))
    .superRefine(({ required, paths = [], approvers, count = 1 }, { addIssue }) => {
      if (required !== undefined && !paths.every(({ steps }) => isKeyOnly(steps.at(-1))))
        addIssue(faultOf('required', 'its paths must end in a key, which is what must be there'));
      if (approvers !== undefined && count > approvers.length)
        addIssue(faultOf('count', `it asks for ${count} approvers, and names ${approvers.length}`));
    })
    .transform(({ then: level, else: otherwise = 'deny', ...others }) => {
      const { approvers, count = 1 } = others;
      return { ...others, level, otherwise, ...(approvers === undefined ? {} : { count }) };
    });
}

/** Finds what makes that a rule can match nothing, or that a part of it has no effect. */
function requireAlive(rule: unknown, { addIssue }: z.core.$RefinementCtx): void {
  const fault = (name: string, reason: string) => addIssue(faultOf(name, reason));
  const { paths, doc, type, value, change, required, approvers, count, ...others } = fieldsIn(rule);
  const { then: level, else: otherwise = 'deny' } = others;
  const ops: readonly unknown[] | undefined = Array.isArray(others['ops']) ? others['ops'] : undefined;
  const hasElse = [value, change, required].some((constraint) => constraint !== undefined);
  if (type !== undefined && paths === undefined)
    fault('type', 'it needs paths: the type of which node is meant?');
  if (required !== undefined && paths === undefined) fault('required', 'it needs paths: what must be there?');
  else if (hasElse && paths === undefined)
    fault(value === undefined ? 'change' : 'value', 'it needs paths: whose value is meant?');
  if (!hasElse && 'else' in others)
    fault('else', 'it is for a constraint that does not hold, and there is none (value, change, required)');
  if (hasElse && level === otherwise)
    fault(
      'then',
      `whether the constraint holds or not, the answer is ${level}: leave it out, or give another else`,
    );
  const asked = approvers !== undefined ? 'approvers' : count !== undefined ? 'count' : undefined;
  const hasReviewers = level === 'human' || (hasElse && otherwise === 'human');
  if (asked !== undefined && LEVELS.some((known) => known === level) && !hasReviewers)
    fault(asked, 'only a change at the level human is approved by reviewers: no level of it is');
  const ofFile = FILE_OPS.find((op) => ops?.includes(op));
  if (paths !== undefined && ofFile !== undefined)
    fault('ops', `${ofFile} is about whole files and has no path, so that it never meets paths`);
  if (doc !== undefined && ops?.every((op) => op === 'text') === true)
    fault('doc', 'a text has no documents, so that it never meets one');
  if (value !== undefined && ops?.some((op) => op === 'add' || op === 'replace') === false)
    fault('value', 'only what is added or replaced has a new value: ops needs add or replace');
  const isAbsentKnown = 'absent' in fieldsIn(change);
  if (
    change !== undefined &&
    ops?.some((op) => op === 'replace' || (op === 'add' && isAbsentKnown)) === false
  )
    fault('change', 'only what is replaced has an old and a new value: ops needs replace');
}

function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function parsed(given: string, fault: (message: string) => void): readonly PathWord[] {
  try {
    return parseRulePath(given);
  } catch (error) {
    fault(error instanceof Error ? error.message : 'no node path');
    return [];
  }
}

/** True for a key that is no index in a list either. */
function isKeyOnly(step: PathWord | undefined): boolean {
  return step?.kind === 'key' && step.index === undefined;
}

/** True for a key or an index from the front, which name the same node before and after a change. */
function isFixed(step: PathWord): boolean {
  return step.kind === 'key' || (step.kind === 'index' && step.index >= 0);
}

/** The schema of `Kind/name`, a kind alone, or fields with the texts that they may have. */
function documentSchema(): z.ZodType<DocumentMatcher> {
  const says = 'expected a plain value, or a list of such';
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  const texts = z
    .unknown()
    .transform(listOf)
    .refine((values) => values.length > 0 && values.every(isPlain), says)
    .transform((values) => values.map(String));
  return z
    .preprocess(
      (given, ctx) => (typeof given === 'string' ? fieldsOfKind(given, ctx) : given),
      z.record(z.string(), texts, expected('Kind/name, or fields with their values')),
    )
    .refine((fields) => Object.keys(fields).length > 0, expected('Kind/name, or fields with their values'))
    .transform((fields, ctx) =>
      Object.entries(fields).map(([key, wanted]) => {
        const path = parsed(key, (message) => ctx.addIssue(faultAt([key], message)));
        if (path.length === 0 || !path.every(isFixed))
          ctx.addIssue(faultAt([key], 'expected a path of keys and indexes, from the first on'));
        return { path, texts: wanted };
      }),
    );
}

function fieldsOfKind(given: string, ctx: z.core.$RefinementCtx): unknown {
  const [kind = '', name = '*', ...more] = given.split('/');
  if (given.trim() === '' || more.length > 0 || /[\s,]/u.test(given)) {
    ctx.addIssue('doc: expected Kind/name, in which * is any run of characters');
    return z.NEVER;
  }
  const texts = Object.entries({ kind, 'metadata.name': name }).filter(([, wanted]) => wanted !== '*');
  if (texts.length === 0) ctx.addIssue('doc: */* is every document; leave it out');
  return Object.fromEntries(texts);
}
