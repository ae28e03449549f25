// Finds the one place of a text within the value of a scalar.
import { cutsPlaceholder, holdsPlaceholder, printNodePath, Refusal } from '../../security/index.ts';
import type { Located } from '../tree/locate.ts';
import { shownPath } from '../tree/path-refusals.ts';

const NOT_THERE = [
  'TEXT_NOT_FOUND',
  'it does not stand in the value',
  'Copy old_text from view "value"; spaces and letter case count',
] as const;
const NO_TEXT = [
  'VALUE_INVALID',
  'old_text is empty',
  'To write before the value, give its first characters in old_text, and the new text with them in new_text',
] as const;

/** Says that old_text is not compared with what is masked, whatever that is. */
export function maskedAdvice(text: string): readonly string[] {
  return holdsPlaceholder(text) ? ['Masked values (<secret:…>) are not compared with old_text'] : [];
}

/** Returns the place; `line` is where the scalar begins. Throws VALUE_INVALID, TEXT_NOT_FOUND and TEXT_AMBIGUOUS. */
export function onlyPlace(value: string, old: string, located: Located, line: number): number {
  const path = printNodePath(located.path);
  const places: number[] = [];
  for (let at = value.indexOf(old); old !== '' && at !== -1; at = value.indexOf(old, at + 1))
    if (!cutsPlaceholder(value, { start: at, end: at + old.length })) places.push(at);
  const [place, second] = places;
  if (place === undefined) {
    const [code, reason, advice] = old === '' ? NO_TEXT : NOT_THERE;
    const message = `Cannot replace this text in ${shownPath(located.path)}: ${reason}`;
    throw new Refusal(
      code,
      message,
      { path, line },
      { existingPath: path, advice: [advice, ...maskedAdvice(value)] },
    );
  }
  if (second === undefined) return place;
  throw new Refusal(
    'TEXT_AMBIGUOUS',
    `Cannot replace this text in ${shownPath(located.path)}: it stands ${places.length} times in the value`,
    { path, line },
    {
      existingPath: path,
      advice: [
        'Give more of the text around the place that is meant, so that old_text stands once',
        'To replace every place in the file send no path, and their number as expect',
      ],
    },
  );
}
