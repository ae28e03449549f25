// Compares the scan with `yaml` on texts that are nearly YAML, each named by its seed.
import { DEFAULT_LIMITS, type Limits } from '../../../../../src/security/policy/policy.ts';
import { type Random, randomFrom } from '../../../../harness/random.ts';
import { SUITE } from '../../../../harness/yaml-suite.ts';
import { compare } from './compare.ts';
import { nearlyYaml } from './mutate.ts';
import { HOSTILE, NATIVE, REAL } from './texts.ts';

const TEXTS: readonly string[] = [...REAL, ...REAL, ...SUITE, ...NATIVE, ...HOSTILE].map(({ text }) => text);

export interface FuzzRun {
  readonly figures: Readonly<Record<string, number>>;
  /** The first few, each with its seed. */
  readonly faults: readonly string[];
}

/** Mostly the usual ones; now and then so tight that the scan must mind them. */
function limitsFor(random: Random): Limits {
  if (random.below(6) > 0) return DEFAULT_LIMITS;
  return {
    ...DEFAULT_LIMITS,
    tokens: 5 + random.below(400),
    depth: 1 + random.below(6),
    aliases: random.below(4),
    documents: 1 + random.below(3),
  };
}

/** Seeds `from` to `from + count - 1`. */
export function fuzz(from: number, count: number): FuzzRun {
  const figures = { same: 0, unread: 0 };
  const faults: string[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const random = randomFrom(seed);
    const text = nearlyYaml(random, TEXTS);
    const found = compare(text, limitsFor(random));
    figures[found === 'same' ? 'same' : 'unread'] += 1;
    if (found === 'different' && faults.length < 10) faults.push(`seed ${seed}: ${JSON.stringify(text)}`);
  }
  return { figures, faults };
}
