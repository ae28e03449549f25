// Globs of requests: `*`, `?`, `**` and `{a,b}`, and `!` before what is left out, nothing else. Matching takes time proportional to pattern × path, whatever the
// pattern (no regular expression, no backtracking), and the size is limited. Case counts, because a request only narrows what
// it sees and protects nothing.
import { Refusal } from '../errors/refusal.ts';
import { matchesWildcard } from '../text/match-sequence.ts';
import { quoted } from '../text/visible.ts';

const MAX_LENGTH = 2_000;
const MAX_ALTERNATIVES = 256;

/** Compiles a pattern to a test of components below the root. Throws ARGUMENT_INVALID where it is malformed or too large. */
export function compileGlob(pattern: string): (components: readonly string[]) => boolean {
  const glob = new Glob(pattern);
  return (components) => {
    let place: GlobPlace | undefined = glob.start;
    for (const name of components.slice(0, -1)) place = place && glob.enter(place, name);
    return place !== undefined && glob.matches(place, components.at(-1) ?? '');
  };
}

/** For each alternative of a pattern, the parts that the next name may meet. */
export type GlobPlace = readonly (readonly number[])[];

/** A pattern that is matched along a walk, folder by folder, so that no folder is entered below which nothing can match. */
export class Glob {
  readonly #alternatives: readonly (readonly Part[])[];
  /** The place of the root. */
  readonly start: GlobPlace;

  /** Throws ARGUMENT_INVALID where the pattern is malformed or too large. */
  constructor(pattern: string) {
    const reason = malformed(pattern);
    if (reason !== undefined) throw refused(pattern, reason);
    this.#alternatives = expand(pattern).map((alternative) => alternative.split('/').map(toPart));
    this.start = this.#alternatives.map((parts) => withoutFolders(parts, [0]));
  }

  /** Returns the place in the folder `name`; undefined if nothing below it can match. */
  enter(place: GlobPlace, name: string): GlobPlace | undefined {
    const inner = this.#alternatives.map((parts, index) => {
      const next = (place[index] ?? []).flatMap((at) => {
        if (parts[at]?.isMany === true) return [at];
        return parts[at]?.fits(name) === true ? [at + 1] : [];
      });
      return withoutFolders(parts, next);
    });
    return inner.some((next, index) => next.some((at) => this.#alternatives[index]?.[at] !== undefined))
      ? inner
      : undefined;
  }

  /** True if the file `name` of the folder at this place matches. */
  matches(place: GlobPlace, name: string): boolean {
    return this.#alternatives.some((parts, index) =>
      place[index]?.some((at) => {
        const part = parts[at];
        const isLast = part !== undefined && (at === parts.length - 1 || parts.slice(at + 1).every(isMany));
        return isLast && (part.isMany || part.fits(name));
      }),
    );
  }

  /** Returns the only names of this folder that can match or lead to a match; undefined if there may be others. */
  onlyNames(place: GlobPlace): readonly string[] | undefined {
    const parts = this.#alternatives.flatMap((all, index) =>
      (place[index] ?? []).flatMap((at) => all[at] ?? []),
    );
    const names = parts.flatMap(({ literal }) => literal ?? []);
    return names.length === parts.length ? [...new Set(names)] : undefined;
  }
}

/** One part of a pattern, between slashes. */
interface Part {
  /** True for `**`. */
  readonly isMany: boolean;
  /** The part itself, if it has no wildcard. */
  readonly literal: string | undefined;
  readonly fits: (name: string) => boolean;
}

function toPart(text: string): Part {
  const isLiteral = !/[*?]/u.test(text);
  const steps = [...text];
  const [, ending] = /^\*([^*?]+)$/u.exec(text) ?? [];
  const fits =
    ending === undefined
      ? (name: string) => matchesWildcard(steps, [...name])
      : (name: string) => name.endsWith(ending);
  return {
    isMany: text === '**',
    literal: isLiteral ? text : undefined,
    fits: isLiteral ? (name) => name === text : fits,
  };
}

function isMany(part: Part): boolean {
  return part.isMany;
}

/** Adds the parts that come next if a `**` stands for no folder at all. */
function withoutFolders(parts: readonly Part[], places: readonly number[]): readonly number[] {
  const all = new Set(places);
  for (const at of all) if (parts[at]?.isMany === true) all.add(at + 1);
  return [...all];
}

/** Tests whether a file or folder is left out; `root` is the name of its root. */
export type Exclusion = (root: string | undefined, components: readonly string[]) => boolean;

/** Separates a pattern from what it leaves out, as in `*.yaml !a.yaml !vendor`. */
export function splitExclusions(pattern: string): {
  readonly wanted: string;
  readonly excluded: readonly string[];
} {
  const [wanted = '', ...excluded] = ` ${pattern}`.split(' !').map((part) => part.trim());
  return { wanted, excluded };
}

/** Compiles what is left out: files, and folders with all below them; without a slash at any depth. Throws ARGUMENT_INVALID. */
export function compileExclusion(
  excluded: readonly string[],
  roots: readonly { readonly name: string | undefined }[],
): Exclusion {
  const tests = excluded.map((pattern) => {
    const { roots: of, glob = '**' } = meantBy(pattern.replace(/^\.\//u, '').replace(/\/$/u, ''), roots);
    const matches = compileGlob(glob.includes('/') ? glob : `**/${glob}`);
    const names = new Set(of.map(({ name }) => name));
    return (root: string | undefined, path: readonly string[]) => names.has(root) && matches(path);
  });
  return (root, components) => tests.some((test) => test(root, components));
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

function malformed(pattern: string): string | undefined {
  if (pattern === '') return 'it is empty';
  if (pattern.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(pattern)) return 'it contains a control or invisible character';
  if (/[\\[\]()!|]/u.test(pattern))
    return "only '*', '**', '?' and '{a,b}' are special, and ' !' before what is left out; '\\ [ ] ( ) |' are not allowed";
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
