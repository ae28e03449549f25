// Globs of requests: `*`, `?`, `**` and `{a,b}`, nothing else. Matching takes time proportional to pattern × path, whatever the
// pattern (no regular expression, no backtracking), and the size is limited. Case counts, because a request only narrows what
// it sees and protects nothing.
import { Refusal } from '../errors/refusal.ts';
import { matchesSequence, matchesWildcard } from '../text/match-sequence.ts';
import { quoted } from '../text/visible.ts';

const MAX_LENGTH = 256;
const MAX_ALTERNATIVES = 64;

/** Compiles a pattern to a test of components below the root. Throws ARGUMENT_INVALID where it is malformed or too large. */
export function compileGlob(pattern: string): (components: readonly string[]) => boolean {
  const reason = malformed(pattern);
  if (reason !== undefined) throw refused(pattern, reason);
  const alternatives = expand(pattern).map((alternative) => alternative.split('/').map((part) => [...part]));
  return (components) => {
    const names = components.map((name) => [...name]);
    return alternatives.some((parts) => matchesPath(parts, names));
  };
}

/** The roots that a pattern is for, and the pattern below them: `@name/…` is for the root of that name, as in the name of a file. */
export function meantBy<Root extends { readonly name: string | undefined }>(
  pattern: string | undefined,
  roots: readonly Root[],
): { readonly roots: readonly Root[]; readonly glob: string | undefined } {
  const [, named, rest] = /^@([^/]+)\/(.+)$/u.exec(pattern ?? '') ?? [];
  const root = roots.find(({ name }) => name !== undefined && name === named);
  return root === undefined ? { roots, glob: pattern } : { roots: [root], glob: rest };
}

/** The folders that a valid pattern names before its first wildcard: everything that it matches is below them. */
export function foldersOf(pattern: string): readonly string[] {
  const parts = pattern.split('/').slice(0, -1);
  const first = parts.findIndex((part) => /[*?{}]/u.test(part));
  return first === -1 ? parts : parts.slice(0, first);
}

function malformed(pattern: string): string | undefined {
  if (pattern === '') return 'it is empty';
  if (pattern.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(pattern)) return 'it contains a control or invisible character';
  if (/[\\[\]()!|]/u.test(pattern))
    return "only '*', '**', '?' and '{a,b}' are special; '\\ [ ] ( ) ! |' are not allowed";
  if (pattern.startsWith('/')) return 'it is absolute; patterns are relative to the root';
  // The expanded texts are checked, because braces can hide a component: "{.,}./x".
  if (expand(pattern).some((text) => text.split('/').some((part) => /^\.{0,2}$/u.test(part)))) {
    return "it contains an empty, '.' or '..' component";
  }
  return undefined;
}

function refused(pattern: string, reason: string): Refusal {
  return new Refusal(
    'ARGUMENT_INVALID',
    `Cannot use the pattern ${quoted(pattern)}: ${reason}. Use one like **/*.yaml.`,
  );
}

/** Expands every combination of the braces, which do not nest. */
function expand(pattern: string): string[] {
  let texts = [''];
  for (const part of pattern.split(/(\{[^{}]*\})/u)) {
    const isGroup = part.startsWith('{') && part.endsWith('}');
    if (!isGroup && /[{}]/u.test(part)) throw refused(pattern, 'its braces do not pair, or nest');
    const choices = isGroup ? part.slice(1, -1).split(',') : [part];
    if (texts.length * choices.length > MAX_ALTERNATIVES) {
      throw refused(pattern, `its braces make more than ${MAX_ALTERNATIVES} combinations`);
    }
    texts = texts.flatMap((text) => choices.map((choice) => text + choice));
  }
  return texts;
}

type Part = readonly string[];

/** Matches a path; `**` as a whole component stands for any number of folders, also none. */
function matchesPath(parts: readonly Part[], names: readonly Part[]): boolean {
  return matchesSequence(parts, names, (part) => part.join('') === '**', matchesWildcard);
}
