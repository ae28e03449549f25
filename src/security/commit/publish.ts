// The moment at which staged files become the real ones. Every check of every file comes first; should a
// rename fail after all, what was renamed is put back, and the error says whether that worked.
import { ioRefusal } from '../io-refusal.ts';
import { Refusal } from '../refusal.ts';
import type { Staged } from './stage.ts';

/** `onPutBack` hears of each file that was renamed and had to go back, and whether it did. */
export function publish(
  files: readonly Staged[],
  onPutBack: (file: Staged, isRestored: boolean) => void,
): void {
  for (const file of files) file.requireUnchanged();
  const renamed: Staged[] = [];
  try {
    for (const file of files) {
      // Time has passed for all but the first, so the last question before each rename is its own.
      if (renamed.length > 0) file.requireUnchanged();
      file.rename();
      renamed.push(file);
      file.sync();
    }
  } catch (error) {
    if (renamed.length === 0) throw error;
    const left = renamed.toReversed().filter((file) => {
      const isRestored = isPutBack(file);
      onPutBack(file, isRestored);
      return !isRestored;
    });
    throw withOutcome(ioRefusal('write the files', error), left);
  }
}

function withOutcome({ code, message, where, clues, cause }: Refusal, left: readonly Staged[]): Refusal {
  const names = left.map((file) => file.edit.snapshot.path.toString());
  const outcome =
    names.length === 0
      ? 'What was already written has been put back.'
      : `What was already written could NOT be put back in: ${names.join(', ')}.`;
  const advice = names.map(
    (name) => `Look at ${name}: it may hold the new contents, or those of another program.`,
  );
  return new Refusal(code, `${message} ${outcome}`, where, { ...clues, advice }, cause);
}

function isPutBack(file: Staged): boolean {
  try {
    const isRestored = file.putBack();
    if (isRestored) file.sync();
    return isRestored;
  } catch {
    return false;
  }
}
