// Random edits of random files under random policies, judged by the server's code and by naive-judge.ts.
import { readFileSync } from 'node:fs';
import type { ConfigFile } from '../../../src/adapters/formats/registry.ts';
import { FORMATS } from '../../../src/adapters/formats/registry.ts';
import type { Operation } from '../../../src/adapters/operations/registry.ts';
import { factsOf } from '../../../src/adapters/policy/facts.ts';
import { readPolicy } from '../../../src/adapters/policy/read-policy.ts';
import { Refusal } from '../../../src/security/errors/refusal.ts';
import { compileRules, judge } from '../../../src/security/policy/judge.ts';
import { type Random, randomFrom } from '../../harness/random.ts';
import { attempt, type Language, parse } from '../editing/attempt.ts';
import { operationsOn } from '../editing/operations.ts';
import { placesIn } from '../editing/places.ts';
import { EXAMPLES, generated } from '../editing/sources.ts';
import { generateJsonc } from '../formats/jsonc/generate-jsonc.ts';
import {
  isLaxer,
  leastLevel,
  type NaiveLevel,
  type NaivePolicy,
  type NaiveRule,
  type Part,
  pathsIn,
  readPlainly,
  type Word,
} from './naive-judge.ts';

export interface Judgements {
  readonly compared: number;
  /** How often the naive judge asked for this level. */
  readonly asked: Readonly<Record<string, number>>;
  /** The first few that were laxer, each with its seed. */
  readonly laxer: readonly string[];
}

interface Source {
  readonly text: string;
  readonly language: Language;
}

const TOML = ['Cargo.toml', 'pyproject.toml', 'netlify.toml', 'service.toml'].map((name) => ({
  text: readFileSync(new URL(`../formats/toml/corpus/${name}`, import.meta.url), 'utf8'),
  language: 'toml' as const,
}));

/** Lists of items that have names, and what is shared. */
const NAMED: readonly Source[] = [
  'items:\n  - name: a\n    port: 1\n  - name: b\n    port: 2\n    on: true\n  - name: c\nname: x\nlimit: 5\n',
  'base: &base\n  limit: 5\n  name: a\nweb:\n  <<: *base\n  limit: 7\njob:\n  <<: [*base, {x: 1}]\nn: &n 3\nm: *n\nl: [*n, 4]\n',
].map((text) => ({ text, language: 'yaml' }));

/** Seeds from `from` on, one file, policy and batch each. */
export async function judgeRandomly(from: number, count: number): Promise<Judgements> {
  const asked: Record<string, number> = {};
  const laxer: string[] = [];
  let compared = 0;
  for (let seed = from; seed < from + count; seed++) {
    const random = randomFrom(seed);
    const { text, language } = sourceFor(random, seed);
    const operations = operationsFor(random, text, language);
    const after = operations.at(-1)?.after ?? text;
    const [old, next] = [readPlainly(text, language), readPlainly(after, language)];
    if (old === undefined || next === undefined || old.length !== next.length || after === text) continue;
    const policy = policyFor(random, [...old, ...next]);
    const least = old
      .map((data, doc) => leastLevel(data, next[doc], policy))
      .reduce((most, level) => (isLaxer(most, level) ? level : most));
    const level = await levelOf(policy, text, after, language);
    compared += 1;
    asked[least] = (asked[least] ?? 0) + 1;
    if (isLaxer(level, least))
      laxer.push(
        `seed ${seed}: ${level}, and not ${least}: ${JSON.stringify(operations.map(({ operation }) => operation))}\n${policyText(policy)}\n--- of\n${text}\n--- to\n${after}`,
      );
  }
  return { compared, asked, laxer: laxer.slice(0, 3) };
}

function sourceFor(random: Random, seed: number): Source {
  switch (random.below(8)) {
    case 0:
      return random.pick(TOML);
    case 1:
      return { text: generateJsonc(seed), language: 'jsonc' };
    case 2:
      return random.pick(EXAMPLES);
    case 3:
    case 4:
      return random.pick(NAMED);
    default:
      return generated(seed);
  }
}

interface Carried {
  readonly operation: Operation;
  readonly after: string;
}

/** One to three, each on what the one before has left. */
function operationsFor(random: Random, text: string, language: Language): readonly Carried[] {
  const carried: Carried[] = [];
  const values = language === 'yaml' ? 'yaml' : 'json';
  for (let tries = 1 + random.below(3); tries > 0; tries--) {
    const current = carried.at(-1)?.after ?? text;
    const place = random.pick([...placesIn(parse(current, language))]);
    const operation = random.pick([...operationsOn(place, values)]);
    const outcome = attempt(current, operation, language);
    if (!(outcome instanceof Refusal)) carried.push({ operation, after: outcome.after });
  }
  return carried;
}

const LEVELS = ['direct', 'preview', 'client', 'human', 'deny'] as const;
const OPS = ['add', 'remove', 'replace'] as const;

function policyFor(random: Random, data: readonly unknown[]): NaivePolicy {
  const paths = data.flatMap((value) => [...pathsIn(value)]).filter((path) => path.length > 0);
  const rules = Array.from({ length: paths.length === 0 ? 0 : 1 + random.below(5) }, (_, n): NaiveRule => {
    const words = wordsFor(random, random.pick(paths));
    const level = random.pick(LEVELS);
    const limit =
      random.below(3) === 0
        ? { most: random.below(9), otherwise: random.pick(LEVELS.filter((other) => other !== level)) }
        : {};
    // What is only removed meets no constraint: such a rule stops the start.
    const own = 'most' in limit ? 'replace' : random.pick(OPS);
    const ops = random.below(3) === 0 ? { ops: [own, random.pick(OPS)] } : {};
    return { id: `r${n}`, words, level, ...limit, ...ops };
  });
  return { usual: random.pick(LEVELS), rules };
}

/** The path itself, or a pattern that names it among others. */
function wordsFor(random: Random, path: readonly Part[]): readonly Word[] {
  const upTo = random.pick([path.length, path.length, 1 + random.below(path.length)]);
  const own = path.slice(0, upTo);
  switch (random.below(6)) {
    case 0:
      return [{ any: 'depth' }, ...own.slice(random.below(own.length))];
    case 1:
      return own.map((part) =>
        random.below(2) === 0 ? part : { any: typeof part === 'number' ? 'item' : 'key' },
      );
    case 2:
      // Of a list within a list the item is named by its index: two selectors in a row are of one item.
      return own.map((part, at) => {
        const isItem = typeof part === 'number' && typeof own[at - 1] !== 'number';
        return isItem ? { name: random.pick(['a', 'b', 'c']) } : part;
      });
    default:
      return own;
  }
}

function policyText({ usual, rules }: NaivePolicy): string {
  const lines = rules.map(({ id, words, level, ops, most, otherwise }) =>
    JSON.stringify({
      id,
      paths: [words.map(wordText).join('')],
      ...(ops === undefined ? {} : { ops: [...new Set(ops)] }),
      ...(most === undefined ? {} : { value: { type: 'integer', maximum: most }, else: otherwise }),
      ...Object.fromEntries([['then', level]]),
    }),
  );
  return `default: ${usual}\nrules:${lines.length === 0 ? ' []' : ''}\n${lines.map((line) => `  - ${line}\n`).join('')}`;
}

function wordText(word: Word, index: number): string {
  if (typeof word === 'number') return `[${word}]`;
  if (typeof word === 'string') return `[${JSON.stringify(word)}]`;
  if ('name' in word) return `[name=${word.name}]`;
  if (word.any === 'item') return '[*]';
  return `${index === 0 ? '' : '.'}${word.any === 'key' ? '*' : '**'}`;
}

async function levelOf(
  policy: NaivePolicy,
  before: string,
  after: string,
  language: Language,
): Promise<NaiveLevel> {
  const read = (text: string): ConfigFile => ({ format: FORMATS[language], stream: parse(text, language) });
  const rules = await readPolicy(policyText(policy));
  const matches = rules.rules.map(() => 'yes' as const);
  return judge(factsOf(read(before), read(after)), compileRules(rules), matches, 'direct').level;
}
