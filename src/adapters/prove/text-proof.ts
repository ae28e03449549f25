// The proof of an edit of the text itself: the result must have no more problems than the text had before.
import { Refusal } from '../../security/index.ts';
import { type ConfigFile, findProblems } from '../formats/registry.ts';
import { counted } from '../tree/wording.ts';
import { differs } from './expected.ts';

/** Throws VERIFICATION_FAILED where `after` has more problems than `before`; each is read by itself. */
export function requireNoWorse(before: ConfigFile, after: ConfigFile): void {
  const [old, next] = [problemsOf(before), problemsOf(after)];
  const isBroken = after.unreadable !== undefined && before.unreadable === undefined;
  if (next.length <= old.length && !isBroken) return;
  const [first] = next;
  const { line, column } = first ?? {};
  const place = first === undefined ? '' : `: line ${line}, column ${column}: ${first.message}`;
  const what =
    isBroken && first === undefined
      ? `of the file only the text could be read: ${after.unreadable?.message}`
      : old.length === 0
        ? `the file would no longer be valid ${after.format.name}`
        : `the file has ${counted(old.length, 'problem')}, and would have ${next.length}`;
  throw differs(`${what}${place}`, {
    advice: [
      'Replace the rest in the same call: texts that are replaced one after the other are proven together',
    ],
  }).at({ line, column });
}

/** Throws VALUE_INVALID for the content of a new file that is not valid. */
export function requireValid(file: ConfigFile): void {
  const [first] = problemsOf(file);
  if (first === undefined) return;
  throw new Refusal(
    'VALUE_INVALID',
    `Cannot use this value as content: it is not valid ${file.format.name}: line ${first.line}, column ${first.column}: ${first.message}`,
    {},
    { advice: ['Correct it; config_validate with "text" finds every problem of a YAML text'] },
  );
}

function problemsOf(file: ConfigFile) {
  if (file.unreadable !== undefined) return file.unreadable.clues.problems ?? [];
  return file.stream.hasStructure === false ? [] : findProblems(file);
}
