// Reads a policy file strictly into rules, from the plain value that YAML or JSON made of it. Throws PolicyFault for anything
// that is not understood, contradicts itself, or could never match: such a rule would silently protect nothing.
import { quoted } from '../text/visible.ts';
import {
  CHANGE_OPS,
  type ChangeOp,
  type ChangePolicy,
  type ChangeRule,
  type DocumentMatcher,
  FILE_OPS,
  isConstrained,
  NODE_TYPES,
  type NodeType,
  type PathStep,
  type RulePath,
} from './change-policy.ts';
import type { DataPath } from './facts.ts';
import { LEVELS } from './levels.ts';
import { PolicyFault } from './policy-fault.ts';
import { PolicyFields } from './policy-fields.ts';
import { readLimits } from './read-limits.ts';
import { readValueSchema } from './read-value-schema.ts';

/** Parses a node path; throws an Error with a message for people. The layer that knows the syntax provides it. */
export type ParsePath = (text: string) => readonly PathStep[];

const RULE_KEYS = [
  'id',
  'files',
  'doc',
  'paths',
  'type',
  'ops',
  'value',
  'change',
  'required',
  'then',
  'else',
  'approvers',
  'count',
  'say',
] as const;
const MAX_RULES = 1_000;
const MAX_SAY = 300;
const UNDO_HOURS = 24;
/** Replies use this word where no rule decides, so no rule may have it as its id. */
const RESERVED = 'default';
const ID = /^[A-Za-z0-9][\w.-]{0,63}$/u;

/** Reads the rules. The engines that they need must have been loaded: see engines.ts. */
export function readChangePolicy(value: unknown, parsePath: ParsePath): ChangePolicy {
  const fields = new PolicyFields(value, [], ['default', 'undo', 'undo_hours', 'rules']);
  const list = fields.has('rules') ? fields.raw('rules') : [];
  if (!Array.isArray(list)) throw fields.fault('rules', 'expected a list of rules');
  if (list.length > MAX_RULES) throw fields.fault('rules', `expected at most ${MAX_RULES}`);
  const rules = list.map((rule, index) => readRule(rule, ['rules', index], parsePath));
  const ids = new Map<string, number>();
  for (const [index, { id }] of rules.entries()) {
    const other = ids.get(id.toLowerCase());
    if (other !== undefined)
      throw new PolicyFault(['rules', index, 'id'], `the rule ${other + 1} has the id ${quoted(id)} too`);
    ids.set(id.toLowerCase(), index);
  }
  const usual = fields.has('default') ? fields.oneOf('default', LEVELS) : 'human';
  return { default: usual, rules, ...readUndo(fields) };
}

/** Reads `undo` and `undo_hours`. Throws where they say nothing that has an effect. */
function readUndo(fields: PolicyFields): Pick<ChangePolicy, 'undoWithinMs'> {
  if (!fields.has('undo')) {
    if (fields.has('undo_hours')) throw fields.fault('undo_hours', 'it needs undo: preview');
    return {};
  }
  fields.oneOf('undo', ['preview']);
  const hours = fields.has('undo_hours') ? fields.number('undo_hours') : UNDO_HOURS;
  return { undoWithinMs: hours * 3_600_000 };
}

function readRule(value: unknown, at: DataPath, parsePath: ParsePath): ChangeRule {
  const fields = new PolicyFields(value, at, RULE_KEYS);
  const id = fields.text('id');
  if (!ID.test(id) || id.toLowerCase() === RESERVED)
    throw fields.fault('id', `expected letters, digits, dots and dashes, and not ${RESERVED}`);
  const level = fields.oneOf('then', LEVELS);
  const paths = fields.has('paths')
    ? fields.texts('paths').map((text) => pathIn(text, fields, 'paths', parsePath))
    : undefined;
  const ops = fields.has('ops') ? fields.listOf('ops', CHANGE_OPS) : undefined;
  const rule = {
    id,
    ...(fields.has('files') ? { files: fields.texts('files') } : {}),
    ...(fields.has('doc') ? { doc: readDocument(fields, parsePath) } : {}),
    ...(paths === undefined ? {} : { paths }),
    ...(fields.has('type') ? { type: readType(fields) } : {}),
    ...(ops === undefined ? {} : { ops }),
    ...(fields.has('required') ? { required: readRequired(fields, paths) } : {}),
    ...(fields.has('value') ? { value: readValueSchema(fields.raw('value'), fields.placeOf('value')) } : {}),
    ...(fields.has('change') ? { change: readLimits(fields) } : {}),
    level,
    otherwise: fields.has('else') ? fields.oneOf('else', LEVELS) : 'deny',
    ...readApprovers(fields),
    ...(fields.has('say') ? { say: readSay(fields) } : {}),
  } satisfies ChangeRule;
  requireAlive(rule, fields);
  return rule;
}

/** Reads `approvers` and `count`. Throws where the count could never be reached. */
function readApprovers(fields: PolicyFields): Pick<ChangeRule, 'approvers' | 'count'> {
  const approvers = fields.has('approvers') ? [...new Set(fields.texts('approvers'))] : undefined;
  if (approvers === undefined && !fields.has('count')) return {};
  const count = fields.has('count') ? fields.number('count') : 1;
  if (!Number.isSafeInteger(count)) throw fields.fault('count', 'expected a whole number');
  if (approvers !== undefined && count > approvers.length)
    throw fields.fault('count', `it asks for ${count} approvers, and names ${approvers.length}`);
  return approvers === undefined ? { count } : { approvers, count };
}

function readType(fields: PolicyFields): NodeType {
  if (!fields.has('paths')) throw fields.fault('type', 'it needs paths: the type of which node is meant?');
  return fields.oneOf('type', NODE_TYPES);
}

/** Reads `required`. Throws where it is not known which entry must be there. */
function readRequired(fields: PolicyFields, paths: readonly RulePath[] | undefined): true {
  if (fields.raw('required') !== true) throw fields.fault('required', 'expected true, or nothing');
  if (paths === undefined) throw fields.fault('required', 'it needs paths: what must be there?');
  if (paths.some(({ steps }) => steps.at(-1)?.kind !== 'key'))
    throw fields.fault('required', 'its paths must end in a key, which is what must be there');
  return true;
}

function readSay(fields: PolicyFields): string {
  const say = fields.text('say');
  if (say.length > MAX_SAY) throw fields.fault('say', `expected at most ${MAX_SAY} characters`);
  return say;
}

/** Throws for a rule that can match nothing, or of which a part has no effect. */
function requireAlive(rule: ChangeRule, fields: PolicyFields): void {
  const { paths, ops, value, change } = rule;
  const asked = (['approvers', 'count'] as const).find((name) => fields.has(name));
  const hasElse = isConstrained(rule);
  if (hasElse && paths === undefined)
    throw fields.fault(value === undefined ? 'change' : 'value', 'it needs paths: whose value is meant?');
  if (!hasElse && fields.has('else'))
    throw fields.fault(
      'else',
      'it is for a constraint that does not hold, and there is none (value, change, required)',
    );
  if (hasElse && rule.level === rule.otherwise)
    throw fields.fault(
      'then',
      `whether the constraint holds or not, the answer is ${rule.level}: leave it out, or give another else`,
    );
  if (asked !== undefined && rule.level !== 'human' && !(hasElse && rule.otherwise === 'human'))
    throw fields.fault(asked, 'only a change at the level human is approved by reviewers: no level of it is');
  const ofFile = ops?.find((op) => FILE_OPS.includes(op));
  if (paths !== undefined && ofFile !== undefined)
    throw fields.fault('ops', `${ofFile} is about whole files and has no path, so that it never meets paths`);
  if (rule.doc !== undefined && ops?.every((op) => op === 'text') === true)
    throw fields.fault('doc', 'a text has no documents, so that it never meets one');
  if (value !== undefined && ops?.some((op) => op === 'add' || op === 'replace') === false)
    throw fields.fault('value', 'only what is added or replaced has a new value: ops needs add or replace');
  const isCompared = (op: ChangeOp) => op === 'replace' || (op === 'add' && change?.absent !== undefined);
  if (change !== undefined && ops?.some(isCompared) === false)
    throw fields.fault('change', 'only what is replaced has an old and a new value: ops needs replace');
}

function pathIn(text: string, fields: PolicyFields, name: string, parsePath: ParsePath): RulePath {
  const steps = parsed(text, fields.placeOf(name), parsePath);
  if (steps.length === 0) throw fields.fault(name, 'an empty path; leave paths out for all changes');
  return { text, steps };
}

function parsed(text: string, at: DataPath, parsePath: ParsePath): readonly PathStep[] {
  try {
    return parsePath(text);
  } catch (error) {
    throw new PolicyFault(at, error instanceof Error ? error.message : 'no node path');
  }
}

/** True for a key or an index from the front, which name the same node before and after a change. */
function isFixed(step: PathStep): boolean {
  return 'key' in step || ('index' in step && step.index >= 0);
}

/** Reads `Kind/name`, a kind alone, or fields with the texts that they may have. */
function readDocument(fields: PolicyFields, parsePath: ParsePath): DocumentMatcher {
  const given = fields.raw('doc');
  if (typeof given === 'string') {
    const [kind = '', name = '*', ...more] = given.split('/');
    if (given.trim() === '' || more.length > 0 || /[\s,]/u.test(given))
      throw fields.fault('doc', 'expected Kind/name, in which * is any run of characters');
    const wanted = { kind, 'metadata.name': name };
    const texts = Object.entries(wanted).filter(([, text]) => text !== '*');
    if (texts.length === 0) throw fields.fault('doc', '*/* is every document; leave it out');
    return texts.map(([path, text]) => ({ path: parsePath(path), texts: [text] }));
  }
  const keys = typeof given === 'object' && !Array.isArray(given) ? Object.keys(given ?? {}) : [];
  if (keys.length === 0) throw fields.fault('doc', 'expected Kind/name, or fields with their values');
  const matcher = new PolicyFields(given, fields.placeOf('doc'), keys);
  return keys.map((key) => {
    const path = parsed(key, matcher.placeOf(key), parsePath);
    if (path.length === 0 || !path.every(isFixed))
      throw new PolicyFault(matcher.placeOf(key), 'expected a path of keys and indexes, from the first on');
    const value = matcher.raw(key);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const isPlain = (one: unknown) => ['string', 'number', 'boolean'].includes(typeof one);
    if (values.length === 0 || !values.every(isPlain))
      throw new PolicyFault(matcher.placeOf(key), 'expected a plain value, or a list of such');
    return { path, texts: values.map(String) };
  });
}
