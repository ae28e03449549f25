// Finds what is accepted in a policy but was probably not meant: a path or a pattern that means
// something else than it seems to, a default that lets everything pass. It is advice for the author; a server starts with all of it.

import type { DataPath, PathWord } from '../../../security/node-paths/node-path.ts';
import {
  type ChangePolicy,
  type ChangeRule,
  isConstrained,
  type Json,
} from '../../../security/policy/change-policy.ts';
import { isStricter } from '../../../security/policy/levels.ts';
import { quoted } from '../../../security/text/visible.ts';

interface PolicyDoubt {
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

interface Doubt {
  readonly at: DataPath;
  readonly message: string;
}

/** Finds patterns of a constraint that match more than they seem to, because they match a part of a text. */
function unanchored(schema: Json, at: DataPath): readonly Doubt[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]): readonly Doubt[] => {
    const place = [...at, Array.isArray(schema) ? Number(key) : key];
    if (key !== 'pattern' || typeof value !== 'string') return unanchored(value, place);
    if (isAnchored(value)) return [];
    return [
      { at: place, message: 'it holds for every text that has this in it: begin with ^ and end with $' },
    ];
  });
}

/** True if each alternative is anchored at both ends of the whole text; false if that is not certain. */
function isAnchored(pattern: string): boolean {
  if (/\(\?[a-zA-Z]*m|\\Q/u.test(pattern)) return false;
  // What is escaped, in a class or in a group is no anchor and no alternative of the whole.
  let outer = pattern
    .replace(/^\(\?[a-zA-Z]+\)/u, '')
    .replaceAll(/\\[^Az]|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]/gsu, '');
  for (let whole = ''; whole !== outer; ) {
    whole = outer;
    outer = whole.replaceAll(/\([^()]*\)/gu, '');
  }
  return outer.split('|').every((branch) => /^(?:\^|\\A).*(?:\$|\\z)$/su.test(branch));
}
