// Tells whether one rule names everything that another one names. It says yes only where that is certain.
import {
  type ChangeRule,
  type DocumentMatcher,
  matchesSequence,
  matchesStars,
  type PathWord,
} from '../../../security/index.ts';

/** True if `wide` covers `narrow`; their constraints are not compared. */
export function covers(wide: ChangeRule, narrow: ChangeRule): boolean {
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
