// Decides which documents a rule is about, by their contents before or after the change. With only one of them, a change could
// leave the rule first, and then do what the rule denies (Kyverno #3253).
import { foldText } from '../text/look-alikes.ts';
import { matchesStars } from '../text/match-sequence.ts';
import { alikeFields, fieldIn, isAlike, textOfStep } from './alike.ts';
import type { DocumentMatcher } from './change-policy.ts';
import type { DocumentData, DocumentVersions, Found, LeafChange } from './facts.ts';
import { textOf, unlessMasked } from './match-path.ts';

/** `perhaps` means that it is not certain. `crossing` means that only one of the two versions matches, because of this change. */
export type DocumentMatch = 'yes' | 'perhaps' | 'crossing' | 'no';

export function matchDocument(matcher: DocumentMatcher, versions: DocumentVersions): DocumentMatch {
  const sides = [versions.before, versions.after].flatMap((side) =>
    side === undefined ? [] : [holds(matcher, side)],
  );
  if (sides.includes('yes')) return sides.includes('no') ? 'crossing' : 'yes';
  return sides.includes('perhaps') ? 'perhaps' : 'no';
}

/** True if the change is of a field by which the rule finds its documents, in any spelling. */
export function isMatchedField(matcher: DocumentMatcher, { path }: LeafChange): boolean {
  return matcher.some(({ path: steps }) =>
    steps.every((step, at) => path[at] === undefined || isAlike(`${path[at]}`, textOfStep(step))),
  );
}

type Holds = 'yes' | 'perhaps' | 'no';

/** What was found, by matcher and document, because each change of a document asks the same question. */
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
    // Another key counts as `perhaps` if some reader or person takes it for this one.
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
  if (texts.some((wanted) => matchesStars(wanted, text))) return 'yes';
  // Other spellings of numbers and words are `perhaps`; a name in other letters is another name.
  const isPerhaps = (wanted: string) => isAlike(text, wanted) && foldText(text) !== foldText(wanted);
  return texts.some(isPerhaps) ? 'perhaps' : 'no';
}
