// Finds what is accepted in a policy but was probably not meant: rules or parts without effect, constraints that no value can
// meet, a default that lets everything pass. It is advice for the author; a server starts with all of it.
import {
  type ChangePolicy,
  type ChangeRule,
  type DataPath,
  isConstrained,
  isStricter,
  type Level,
  type PathWord,
  quoted,
  strictest,
} from '../../../security/index.ts';
import { covers } from './covers.ts';
import { unanchored } from './unanchored-patterns.ts';

export interface PolicyDoubt {
  /** The path to the node of the policy file. */
  readonly at: DataPath;
  readonly message: string;
}

export function lintPolicy(policy: ChangePolicy): readonly PolicyDoubt[] {
  const { rules } = policy;
  return [
    ...defaultDoubts(policy),
    ...rules.flatMap((rule, index) =>
      [
        ...levelDoubts(rule),
        ...pathDoubts(rule),
        ...(rule.value === undefined ? [] : unanchored(rule.value, ['value'])),
        ...effectDoubts(rule, policy),
      ].map(({ at, message }) => ({ at: ['rules', index, ...at], message })),
    ),
  ];
}

function defaultDoubts({ default: usual, rules }: ChangePolicy): readonly PolicyDoubt[] {
  const open =
    usual === 'direct'
      ? [
          'what no rule names is written at once, and nobody is asked: name what may pass, and leave the rest to human',
        ]
      : [];
  const empty = rules.length === 0 ? [`there are no rules, so that every change is ${usual}`] : [];
  return [
    ...open.map((message) => ({ at: ['default'], message })),
    ...empty.map((message) => ({ at: ['rules'], message })),
  ];
}

/** True for a constraint that lists values. Listed values are often the dangerous ones; a bound or a comparison hardly ever describes danger. */
function isListing(value: ChangeRule['value'], change: ChangeRule['change']): boolean {
  return change === undefined && Object.keys(value ?? {}).every((keyword) => LISTING.includes(keyword));
}

const LISTING = ['type', 'enum', 'const', 'pattern'];

function levelDoubts(rule: ChangeRule): readonly PolicyDoubt[] {
  const found: PolicyDoubt[] = [];
  const { level, otherwise, say, value, change } = rule;
  if (isStricter(level, otherwise) && isConstrained(rule) && !isListing(value, change))
    found.push({
      at: ['then'],
      message: `a value that meets the constraint is ${level}, and one that does not is ${otherwise}: exchange then and else, unless the constraint names what is dangerous`,
    });
  if (level === 'deny' && say === undefined)
    found.push({
      at: ['then'],
      message: 'nobody can approve what is denied: add say, with what to do instead',
    });
  const { files, roots, callers, doc, paths, ops } = rule;
  if ([files, roots, callers, doc, paths, ops].every((part) => part === undefined))
    found.push({
      at: [],
      message: 'it names every change, so that the default is never used: set the default instead',
    });
  return found;
}

/** Doubts about paths that name something else than they seem to. */
function pathDoubts({ paths = [] }: ChangeRule): readonly PolicyDoubt[] {
  return paths.flatMap(({ steps }, index) =>
    steps.flatMap((step) => {
      const message = wordDoubt(step);
      return message === undefined ? [] : [{ at: ['paths', index], message }];
    }),
  );
}

function wordDoubt(step: PathWord): string | undefined {
  if (step.kind === 'key' && step.isBare === true && step.key.includes('/'))
    return `${quoted(step.key)} is a part of a key, or several: write metadata["app.io/name"] for a key with dots, and dots between keys`;
  if (step.kind === 'items' && step.field.length > 0 && step.value.includes('*'))
    return `${quoted(step.value)} is that very text, in which * is no pattern: [*] is every item`;
  return undefined;
}

function effectDoubts(rule: ChangeRule, { default: usual, rules }: ChangePolicy): readonly PolicyDoubt[] {
  const [least, most] = levelsOf(rule);
  const others = rules.filter((one) => one !== rule);
  const at = rules.indexOf(rule);
  const stronger = others.find((other) => {
    const [leastOfOther, mostOfOther] = levelsOf(other);
    if (isStricter(most, leastOfOther) || !covers(other, rule)) return false;
    // If two rules say the same, only the second is reported.
    const isSame = covers(rule, other) && !isStricter(mostOfOther, least);
    return !isSame || rules.indexOf(other) < at;
  });
  if (stronger !== undefined)
    return [
      {
        at: [],
        message: `${quoted(rule.id)} has no effect: ${quoted(stronger.id)} names all of it, and is ${levelsText(stronger)} there, which is as strict or stricter`,
      },
    ];
  const isDefault = least === usual && most === usual;
  if (isDefault && others.every((other) => !isStricter(most, levelsOf(other)[0])))
    return [
      {
        at: [],
        message: `${quoted(rule.id)} has no effect: it says ${usual}, as the default does, and no rule is more lenient`,
      },
    ];
  return [];
}

/** Returns the most lenient and the strictest level that the rule can give. */
function levelsOf({ level, otherwise, value, change }: ChangeRule): readonly [Level, Level] {
  if (value === undefined && change === undefined) return [level, level];
  return isStricter(level, otherwise) ? [otherwise, level] : [level, strictest(level, otherwise)];
}

function levelsText(rule: ChangeRule): string {
  const [least, most] = levelsOf(rule);
  return least === most ? least : `${least} or ${most}`;
}
