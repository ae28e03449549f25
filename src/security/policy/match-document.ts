// Which documents a rule is about, by what they hold before or after: else a change could leave the rule first, and do
// then what the rule denies (Kyverno #3253).
import { foldText } from '../text/fold.ts';
import { isAlike } from './alike.ts';
import type { DocumentMatcher, PathStep } from './change-policy.ts';
import type { DataPath, DocumentData, DocumentVersions, Found, LeafChange } from './facts.ts';
import { textOf, unlessMasked } from './match-path.ts';

/** `perhaps`: it cannot be said for sure. `crossing`: in one of the two versions only, and the change is what does it. */
export type DocumentMatch = 'yes' | 'perhaps' | 'crossing' | 'no';

export function matchDocument(matcher: DocumentMatcher, versions: DocumentVersions): DocumentMatch {
  const sides = [versions.before, versions.after].flatMap((side) =>
    side === undefined ? [] : [holds(matcher, side)],
  );
  if (sides.includes('yes')) return sides.includes('no') ? 'crossing' : 'yes';
  return sides.includes('perhaps') ? 'perhaps' : 'no';
}

/** Whether the change is of a field that the rule finds its documents by, in any spelling. */
export function isMatchedField(matcher: DocumentMatcher, { path }: LeafChange): boolean {
  return matcher.some(({ path: steps }) =>
    steps.every((step, at) => path[at] === undefined || isAlike(`${path[at]}`, textOfStep(step))),
  );
}

type Holds = 'yes' | 'perhaps' | 'no';

/** Each change of a document asks the same. */
const known = new WeakMap<DocumentMatcher, WeakMap<DocumentData, Holds>>();

function holds(matcher: DocumentMatcher, side: DocumentData): Holds {
  const ofMatcher = known.get(matcher) ?? new WeakMap<DocumentData, Holds>();
  known.set(matcher, ofMatcher);
  const answer = ofMatcher.get(side) ?? allHold(matcher, side);
  ofMatcher.set(side, answer);
  return answer;
}

function allHold(matcher: DocumentMatcher, side: DocumentData): Holds {
  const found = matcher.map(({ path, texts }) => {
    const exact = isOneOf(side.at(fieldIn(path, side)), texts);
    if (exact !== 'no') return exact;
    // Another key that some reader, or person, takes for this one.
    return alikeFields(path, side).some((field) => isOneOf(side.at(field), texts) !== 'no')
      ? 'perhaps'
      : 'no';
  });
  if (found.includes('no')) return 'no';
  return found.includes('perhaps') ? 'perhaps' : 'yes';
}

function isOneOf(found: Found, texts: readonly string[]): Holds {
  const value = unlessMasked(found);
  if (value === 'unclear') return 'perhaps';
  const text = textOf(value);
  if (text === undefined) return 'no';
  if (texts.some((wanted) => isLike(text, wanted))) return 'yes';
  // As numbers and words are written; a name in other letters is another name.
  const isPerhaps = (wanted: string) => isAlike(text, wanted) && foldText(text) !== foldText(wanted);
  return texts.some(isPerhaps) ? 'perhaps' : 'no';
}

/** Keys and indexes alone: no other words are read in a matcher. Digits are an index where an item has it. */
function fieldIn(steps: readonly PathStep[], side: DocumentData): DataPath {
  const path: (string | number)[] = [];
  for (const step of steps) path.push(partOf(step, path, side));
  return path;
}

function partOf(step: PathStep, above: DataPath, side: DocumentData): string | number {
  const isItem = 'index' in step && (step.kind === 'index' || side.at([...above, step.index]) !== 'none');
  return isItem ? step.index : textOfStep(step);
}

/** The same field with its keys in each spelling that the document has. */
function alikeFields(steps: readonly PathStep[], side: DocumentData): readonly DataPath[] {
  return steps.reduce<readonly DataPath[]>(
    (paths, step) =>
      paths.flatMap((path) => {
        const part = partOf(step, path, side);
        if (typeof part === 'number') return [[...path, part]];
        return side.keysAt(path).flatMap((key) => (isAlike(key, part) ? [[...path, key]] : []));
      }),
    [[]],
  );
}

function textOfStep(step: PathStep): string {
  return 'key' in step ? step.key : 'index' in step ? `${step.index}` : '';
}

/** `*` is any run of characters. Goes back to the last `*` only, so it takes at most length × length steps. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('*');
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
