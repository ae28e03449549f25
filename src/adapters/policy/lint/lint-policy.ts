// Finds what is accepted in a policy but was probably not meant: rules or parts without effect, constraints that no value can
// meet, a default that lets everything pass. It is advice for the author; a server starts with all of it.
import {
  type ChangePolicy,
  type ChangeRule,
  type DataPath,
  type DocumentMatcher,
  isConstrained,
  isStricter,
  type Json,
  type Level,
  matchesSequence,
  matchesStars,
  type PathWord,
  quoted,
  strictest,
} from '../../../security/index.ts';

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

// Tells whether one rule names everything that another one names. It says yes only where that is certain.

/** True if `wide` covers `narrow`; their constraints are not compared. */
function covers(wide: ChangeRule, narrow: ChangeRule): boolean {
  return (
    coversList(wide.files, narrow.files, coversGlob) &&
    coversList(wide.roots, narrow.roots, matchesStars) &&
    coversList(wide.callers, narrow.callers, matchesStars) &&
    coversList(wide.ops, narrow.ops, (one, other) => one === other) &&
    coversList(wide.paths, narrow.paths, (one, other) => coversPath(one.steps, other.steps)) &&
    coversDocument(wide.doc, narrow.doc)
  );
}

/** Compares two lists; no list means everything. */
function coversList<Item>(
  wide: readonly Item[] | undefined,
  narrow: readonly Item[] | undefined,
  coversItem: (wide: Item, narrow: Item) => boolean,
): boolean {
  if (wide === undefined) return true;
  return narrow?.every((item) => wide.some((one) => coversItem(one, item))) === true;
}

const WILD = /[*?[\]{}!()]/u;

function coversGlob(wide: string, narrow: string): boolean {
  if (wide === narrow || wide === '**' || wide === '**/*') return true;
  const folder = wide.endsWith('/**') ? wide.slice(0, -2) : undefined;
  if (folder !== undefined && !WILD.test(folder)) return narrow.startsWith(folder);
  const name = wide.startsWith('**/') ? wide.slice(3) : undefined;
  if (name === undefined || name.includes('/')) return false;
  const last = narrow.slice(narrow.lastIndexOf('/') + 1);
  if (name === last) return true;
  const [ending = ''] = name.startsWith('*') ? [name.slice(1)] : [];
  return ending !== '' && !WILD.test(ending) && last.endsWith(ending) && !/[{}[\]!()]/u.test(last);
}

/** A path names what stands below it as well. */
function coversPath(wide: readonly PathWord[], narrow: readonly PathWord[]): boolean {
  return matchesSequence(
    [...wide, { kind: 'deep' } as const],
    narrow,
    ({ kind }) => kind === 'deep',
    coversStep,
  );
}

function coversStep(wide: PathWord, narrow: PathWord): boolean {
  if (narrow.kind === 'deep') return false;
  if (wide.kind !== 'every') return JSON.stringify(wide) === JSON.stringify(narrow);
  if (!wide.isItem) return true;
  return narrow.kind === 'every' ? narrow.isItem : narrow.kind === 'index' || narrow.kind === 'items';
}

function coversDocument(wide: DocumentMatcher | undefined, narrow: DocumentMatcher | undefined): boolean {
  if (wide === undefined) return true;
  return wide.every((field) =>
    narrow?.some(
      ({ path, texts }) =>
        JSON.stringify(path) === JSON.stringify(field.path) &&
        texts.every((text) => field.texts.some((pattern) => matchesStars(pattern, text))),
    ),
  );
}

// Finds patterns in the constraint of a rule that match more than they seem to, because they match a part of a text.

interface Doubt {
  readonly at: DataPath;
  readonly message: string;
}

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
  return alternativesIn(pattern.replace(/^\(\?[a-zA-Z]+\)/u, '')).every((branch) => {
    const inner = /^\((?:\?(?:[a-zA-Z]*:|P?<\w+>))?(.*)\)$/su.exec(branch)?.[1];
    if (inner !== undefined && alternativesIn(branch.slice(0, -1)).length === 1 && isWhole(inner))
      return isAnchored(inner);
    return /^(?:\^|\\A)/u.test(branch) && /(?:^|[^\\])(?:\\\\)*(?:\$|\\z)$/u.test(branch);
  });
}

/** True if each closing bracket has its opening one in it. */
function isWhole(pattern: string): boolean {
  return levelsIn(pattern).every(({ level }) => level >= 0);
}

/** Returns the alternatives at the top level. */
function alternativesIn(pattern: string): readonly string[] {
  const cuts = levelsIn(pattern).flatMap(({ level, char, at }) => (level === 0 && char === '|' ? [at] : []));
  return [...cuts, pattern.length].map((end, index) =>
    pattern.slice(index === 0 ? 0 : (cuts[index - 1] ?? 0) + 1, end),
  );
}

/** Returns each character that is neither escaped nor in a class, with the number of groups around it. */
function levelsIn(
  pattern: string,
): readonly { readonly level: number; readonly char: string; readonly at: number }[] {
  let level = 0;
  return [...pattern.matchAll(/\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|./gsu)].map(
    ({ 0: char, index: at }) => {
      level += char === '(' ? 1 : char === ')' ? -1 : 0;
      return { level, char, at };
    },
  );
}
