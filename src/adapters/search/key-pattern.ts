// Matches `key` of a search with a path: the last key alone, or the end of the path, or all of it.
import { matchesSequence, unlessRefused } from '../../security/index.ts';
import { keyOf, type NodePath, type Segment } from '../tree/node-path.ts';
import { indexIn, type PathWord, parsePath } from '../tree/path-syntax.ts';
import type { Selector } from '../tree/select-item.ts';
import { compileWildcard, ignoringCase, withoutCase } from '../tree/wildcard.ts';

/** True where the selector names the item with this path. */
type IsSelected = (selector: Selector, item: NodePath) => boolean;

/**
 * Compiles a pattern. `image` is a key at any depth, `containers[*].image` the end of a path, and `/spec/replicas` a whole one.
 * A word is one step, as in an edit: `*` is any part, `[*]` any item, `**` any number of steps. Throws ARGUMENT_INVALID.
 */
export function compileKeyPattern(pattern: string): (path: NodePath, isSelected: IsSelected) => boolean {
  const wanted = withoutRoot(withoutCase(pattern));
  const isInAnyCase = withoutCase(pattern) !== pattern;
  const compile = (text: string) => compileWildcard(isInAnyCase ? ignoringCase(text) : text);
  const isKey = compile(wanted);
  const isWhole = wanted.startsWith('/');
  const words = isWhole || /[.[]/.test(wanted) ? unlessRefused(() => parsePath(wanted)) : undefined;
  if (words === undefined) return (path) => isLastKey(path, isKey);
  const steps = words.map((word): Step => ({ word, isKey: 'key' in word ? compile(word.key) : undefined }));
  const all = isWhole ? steps : [ANY_DEPTH, ...steps];
  return (path, isSelected) => {
    if (isLastKey(path, isKey)) return true;
    return matchesSequence(all, path, isDeep, (step, segment) =>
      step.word.kind === 'items' && typeof segment === 'number'
        ? isSelected(step.word, path.slice(0, path.indexOf(segment) + 1))
        : fits(step, segment),
    );
  };
}

interface Step {
  readonly word: PathWord;
  readonly isKey: ((text: string) => boolean) | undefined;
}

const ANY_DEPTH: Step = { word: { kind: 'deep', end: 0 }, isKey: undefined };

function isDeep({ word }: Step): boolean {
  return word.kind === 'deep';
}

/** True where the step is one to the segment; a selector is none by itself. */
function fits({ word, isKey }: Step, segment: Segment): boolean {
  if (word.kind === 'every') return !word.isItem || typeof segment === 'number';
  if (typeof segment !== 'number') return isKey?.(keyOf(segment) ?? '') === true;
  const index =
    word.kind === 'key' && word.isBare ? indexIn(word.key) : 'index' in word ? word.index : undefined;
  return index === segment;
}

/** Removes the root of a pattern: `$.a` and `.a` become `a`. */
export function withoutRoot(pattern: string): string {
  return pattern.replace(/^\$(?=[.[])/, '').replace(/^\.(?=.)/, '');
}

function isLastKey(path: NodePath, isKey: (text: string) => boolean): boolean {
  const key = keyOf(path.at(-1));
  return key !== undefined && isKey(key);
}
