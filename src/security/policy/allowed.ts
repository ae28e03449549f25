// Tells whoever was refused what a rule would allow, in words and as the nearest value.
import { isWithin } from './change-limits.ts';
import type { ChangeLimits, ChangeRule, Json, ValueSchema } from './change-policy.ts';
import type { Values } from './constraints.ts';
import { isStricter } from './levels.ts';
import { compileValue, isSame, listIn, schemaIn } from './value-schema.ts';

/** Says in words which values the rule allows; undefined if it allows none. */
export function whatPasses(rule: ChangeRule): string | undefined {
  const asked = whatHolds(rule);
  return asked === undefined || !isOfDanger(rule) ? asked : `anything but ${asked}`;
}

/** True if its constraint describes dangerous values, so that holding makes the level stricter. */
function isOfDanger({ level, otherwise }: ChangeRule): boolean {
  return isStricter(level, otherwise);
}

/** Says in words what its constraint asks for; undefined if it has none. */
export function whatHolds({ value = {}, change = {}, required }: ChangeRule): string | undefined {
  const said = [
    ...Object.entries(value).map(([keyword, wanted]) => wordsFor(keyword, wanted)),
    ...(change.semver === undefined ? [] : [SEMVER[change.semver]]),
    ...(change.quantity === undefined ? [] : ['a quantity that is not lower']),
    ...stepWords(change),
    ...(required === true ? ['a value'] : []),
    ...(change.isUnchanged === true ? ['the same value as now'] : []),
  ];
  return said.length === 0 ? undefined : said.join(', ');
}

function stepWords({ maxStep, maxStepPercent }: ChangeLimits): readonly string[] {
  const step = maxStep ?? (maxStepPercent === undefined ? undefined : `${maxStepPercent}%`);
  return step === undefined ? [] : [`at most ${step} more or less than now`];
}

const SEMVER = {
  not_lower: 'a version (such as 1.2.3) that is not lower, with the same name before it',
  minor: 'a higher minor or patch version (such as 1.2.3), with the same name before it',
  patch: 'a higher patch version (such as 1.2.3), with the same name before it',
} as const;

const WORDS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
  pattern: 'a text that matches',
  minLength: 'characters, at least',
  maxLength: 'characters, at most',
  minItems: 'items, at least',
  maxItems: 'items, at most',
  const: 'exactly',
};

function wordsFor(keyword: string, wanted: Json): string {
  if (keyword === 'enum') return `one of ${listIn(wanted).map(shown).join(', ')}`;
  if (keyword === 'type') return `a value of type ${listIn(wanted).join(' or ')}`;
  if (keyword === 'quantity') return quantityWords(schemaIn(wanted));
  const words = WORDS[keyword];
  return words === undefined ? `${keyword}: ${JSON.stringify(wanted)}` : `${words} ${shown(wanted)}`;
}

function quantityWords({ min, max }: ValueSchema): string {
  const words = [
    min === undefined ? [] : `at least ${shown(min)}`,
    max === undefined ? [] : `at most ${shown(max)}`,
  ];
  return `a quantity of ${words.flat().join(' and ')}`;
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the nearest allowed number, or the only allowed value; undefined if that cannot be computed. */
export function nearestAllowed(rule: ChangeRule, values: Values): Json | undefined {
  const { value = {}, change = {} } = rule;
  if (isOfDanger(rule)) return undefined;
  const nearest = nearestOf(rule, values);
  // Other constraints may forbid the nearest value, so it is checked against all of them.
  const passes =
    nearest !== undefined &&
    compileValue(value)(nearest) &&
    isWithin(change, values.before, { value: nearest }) === 'yes';
  const isAsNow = typeof values.before === 'object' && isSame(values.before.value, nearest ?? null);
  return passes && !isAsNow ? nearest : undefined;
}

function nearestOf({ value = {}, change = {} }: ChangeRule, { before, after }: Values): Json | undefined {
  const only = 'const' in value ? [value['const'] ?? null] : listIn(value['enum'] ?? []);
  if ('const' in value || 'enum' in value) return only.length === 1 ? only[0] : undefined;
  if (typeof after !== 'object' || !['number', 'string'].includes(typeof after.value)) return undefined;
  const asked = Number(after.value);
  const now = typeof before === 'object' && typeof before.value === 'number' ? before.value : undefined;
  const step = now === undefined ? undefined : stepFrom(now, change);
  const unit = listIn(value['type'] ?? []).includes('integer') ? numberIn(value['multipleOf'], 1) : undefined;
  const least = upTo(
    unit,
    Math.max(numberIn(value['minimum'], -Infinity), step === undefined ? -Infinity : (now ?? 0) - step),
  );
  const most = -upTo(
    unit,
    -Math.min(numberIn(value['maximum'], Infinity), step === undefined ? Infinity : (now ?? 0) + step),
  );
  if (least === -Infinity && most === Infinity) return undefined;
  return Math.min(Math.max(asked, least), most);
}

/** Rounds up to the next multiple of the unit. */
function upTo(unit: number | undefined, number: number): number {
  return unit === undefined ? number : Math.ceil(number / unit) * unit;
}

function stepFrom(now: number, { maxStep, maxStepPercent }: ChangeLimits): number | undefined {
  return maxStepPercent === undefined ? maxStep : (Math.abs(now) * maxStepPercent) / 100;
}

function numberIn(limit: Json | undefined, otherwise: number): number {
  return typeof limit === 'number' ? limit : otherwise;
}
