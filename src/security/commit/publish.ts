// The moment at which staged files become the real ones. Every check of every file comes first; should a
// rename fail after all, what was renamed is put back, and the error says whether that worked.
import { ioRefusal } from '../io-refusal.ts';
import { Refusal } from '../refusal.ts';
import type { Staged } from './stage.ts';

/** `requireUnmoved` throws unless every folder still stands where it was, below its root, and locked. */
export function publish(files: readonly Staged[], requireUnmoved: () => void): void {
  for (const file of files) file.requireUnchanged();
  // The last check of all: from here to the rename nothing else is asked.
  requireUnmoved();
  const renamed: Staged[] = [];
  for (const file of files) {
    try {
      // Time has passed for all but the first.
      if (renamed.length > 0) file.requireUnchanged();
      file.rename();
      renamed.push(file);
      file.sync();
    } catch (error) {
      throw afterPuttingBack(renamed, ioRefusal('write this file', error, file.file));
    }
  }
}

function afterPuttingBack(renamed: readonly Staged[], reason: Refusal): Refusal {
  if (renamed.length === 0) return reason;
  const left = renamed.toReversed().filter((file) => !isBack(file));
  const outcome =
    left.length === 0
      ? `${renamed.length === 1 ? 'The file that was' : `The ${renamed.length} files that were`} already written ${renamed.length === 1 ? 'has' : 'have'} been put back.`
      : 'Files that were already written could NOT all be put back; see the advice.';
  const advice = left.map(
    (file) => `Look at ${file.file}: it may hold the new contents, or those of another program.`,
  );
  return new Refusal(
    reason.code,
    `${reason.message} ${outcome}`,
    reason.where,
    { ...reason.clues, advice },
    reason.cause,
  );
}

function isBack(file: Staged): boolean {
  try {
    const isRestored = file.putBack();
    if (isRestored) file.sync();
    return isRestored;
  } catch {
    return false;
  }
}
