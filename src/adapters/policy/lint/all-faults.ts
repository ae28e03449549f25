// Finds every fault of a policy file, where a server stops at the first one. A fault is noted, its place is filled with
// something valid, and the rest is read again.
import { type ChangePolicy, type DataPath, type Json, PolicyFault } from '../../../security/index.ts';

/** The most faults, because nobody mends more at a time. */
const MAX_FAULTS = 100;

type Read = (value: Json) => ChangePolicy;

/** The policy as well, where there is none. */
export function readWithAllFaults(
  value: Json,
  read: Read,
): { readonly policy: ChangePolicy | undefined; readonly faults: readonly PolicyFault[] } {
  const faults: PolicyFault[] = [];
  for (let rest = value; faults.length < MAX_FAULTS; ) {
    const found = faultOf(rest, read);
    if (!(found instanceof PolicyFault)) return { policy: faults.length === 0 ? found : undefined, faults };
    const isKnown = faults.some((fault) => isSame(fault, found));
    if (!isKnown) faults.push(found);
    const mended = mend(rest, found.at, isKnown);
    if (mended === undefined) break;
    rest = mended;
  }
  return { policy: undefined, faults };
}

function isSame(one: PolicyFault, other: PolicyFault): boolean {
  return one.message === other.message && JSON.stringify(one.at) === JSON.stringify(other.at);
}

function faultOf(value: Json, read: Read): ChangePolicy | PolicyFault {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof PolicyFault) return error;
    throw error;
  }
}

/** Mends a fault; undefined where nothing else can be read. With `isKnown` it was mended before, and is still there. */
function mend(value: Json, [section, index, key]: DataPath, isKnown: boolean): Json | undefined {
  if (!isMapping(value) || section === undefined) return undefined;
  const { rules } = value;
  if (section !== 'rules' || typeof index !== 'number' || !Array.isArray(rules))
    return isKnown ? undefined : without(value, String(section));
  const rule: unknown = rules[index];
  const blank = { id: `rule-${index}`, [THEN]: 'human' };
  if (isKnown && JSON.stringify(rule) === JSON.stringify(blank)) return undefined;
  if (isKnown || !isMapping(rule)) return { ...value, rules: rules.with(index, blank) };
  const missing = 'id' in rule ? THEN : 'id';
  const mended = mendRule(rule, typeof key === 'string' ? key : missing, index);
  return { ...value, rules: rules.with(index, mended) };
}

const THEN = 'then';

/** Answers the rule without the fault, or with something that fits the rest, so that mending causes no new fault. */
function mendRule(rule: Mapping, key: string, index: number): Mapping {
  const { value, change, approvers, count, ...others } = rule;
  const isHuman = approvers !== undefined || count !== undefined;
  switch (key) {
    case 'id':
      return { ...rule, id: `rule-${index}` };
    case THEN:
      return { ...rule, [THEN]: isHuman || others['else'] !== 'human' ? 'human' : 'preview' };
    case 'paths':
      return { ...rule, paths: ['x'] };
    case 'value':
      return change === undefined ? { ...rule, value: { type: 'string' } } : without(rule, key);
    case 'change':
      return value === undefined ? { ...rule, change: { unchanged: true } } : without(rule, key);
    default:
      return without(rule, key);
  }
}

type Mapping = { readonly [key: string]: Json };

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(mapping: Mapping, key: string): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([name]) => name !== key));
}
