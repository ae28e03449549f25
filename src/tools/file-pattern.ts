// Names many files: by a pattern and what it leaves out. Inside of the server both are one text, such as `**/*.yaml !vendor`, so
// that each call which a reply suggests is for the same files.
import { z } from 'zod';
import { Refusal, splitExclusions } from '../security/index.ts';
import { advertised } from './tool.ts';

/** Models send one pattern, or a list of which some begin with `!`. */
const patterns = z
  .union([z.string(), z.array(z.string())])
  .meta(advertised({ type: 'string' }))
  .optional();

export const patternField = patterns.describe('Which files');
export const excludeField = patterns;

type Patterns = z.infer<typeof patterns>;

/** Returns both as one text. Throws ARGUMENT_INVALID for several patterns that braces cannot join. */
export function joinPatterns(pattern: Patterns, exclude: Patterns): string | undefined {
  const given = [pattern ?? []].flat();
  const wanted = given.filter((text) => !text.startsWith('!'));
  const excluded = [
    ...given.filter((text) => text.startsWith('!')),
    ...[exclude ?? []].flat().flatMap((text) => (/[{}]/u.test(text) ? [text] : text.split(','))),
  ]
    .map((text) => text.trim().replace(/^!/u, ''))
    .filter((text) => text !== '');
  if (wanted.length > 1 && wanted.some((text) => /[{}]| !/u.test(text)))
    throw new Refusal('ARGUMENT_INVALID', 'Cannot join these patterns: write one, such as {a,b}/**/*.yaml');
  const all = wanted.flatMap((text) => (/[*?]/u.test(text) ? [text] : [text, `${text}/**`]));
  const joined = wanted.length > 1 ? `{${all.join(',')}}` : wanted[0];
  return excluded.length === 0 ? joined : [joined ?? '**', ...excluded].join(' !');
}

/** Returns the pattern for one without wildcards: that file, or everything below that folder. What it leaves out stays. */
export function filesBelow(pattern: string): string {
  const { wanted, excluded } = splitExclusions(pattern);
  return [below(wanted === '' && excluded.length > 0 ? '**' : wanted), ...excluded].join(' !');
}

function below(pattern: string): string {
  const plain = pattern.replace(/^(?:\.\/)+/u, '').replace(/\/+$/u, '');
  if (/[*?{},]/u.test(plain)) return plain;
  if (plain === '' || plain === '.') return /^\.\/*$/u.test(pattern) ? '**' : pattern;
  const [, root = '', rest = plain] = /^(@[^/]+\/?)(.*)$/u.exec(plain) ?? [];
  return rest === '' ? `${root.replace(/\/$/u, '')}/**` : `${root}{${rest},${rest}/**}`;
}
