// The moment at which staged files become the real ones. Every check of every file comes first; should a
// rename fail after all, what was renamed is put back, and the error says whether that worked.
import { ignoring, ioRefusal } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import type { CommitPoint } from './folders.ts';
import type { Staged } from './stage.ts';

/** `onPutBack` hears of each file that was renamed and had to go back, and whether it did. */
export function publish(
  files: readonly Staged[],
  commitPoint: CommitPoint | undefined,
  onPutBack: (file: Staged, isRestored: boolean) => void,
): void {
  for (const file of files) file.requireUnchanged();
  const renamed: Staged[] = [];
  try {
    commitPoint?.commit();
    for (const file of files) {
      // Time has passed since the question above, unless it is a single file: the last one before each rename is its own.
      if (commitPoint !== undefined) file.requireUnchanged();
      file.rename();
      renamed.push(file);
    }
    if (commitPoint === undefined) for (const file of files) file.sync();
    else commitPoint.close();
  } catch (error) {
    // Best before anything goes back. Where it fails, the files themselves will show which way it went.
    ignoring('all', () => commitPoint?.revoke());
    if (renamed.length === 0) throw error;
    const left = renamed.toReversed().filter((file) => {
      const isRestored = ignoring('all', () => file.putBack()) ?? false;
      onPutBack(file, isRestored);
      return !isRestored;
    });
    throw withOutcome(ioRefusal('write the files', error), left);
  }
  // All is as it was to be: a disk that fails only now makes it no less so.
  ignoring('all', () => commitPoint?.forget());
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
