// Tells whoever was refused what a rule would allow, in words.
import type { ChangeLimits, ChangeRule, Json, ValueSchema } from './change-policy.ts';
import { isStricter } from './levels.ts';
import { listIn, schemaIn } from './value-schema.ts';

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
