// The moment at which staged files become the real ones. Every check of every file comes first; should a
// rename fail after all, what was renamed is put back, and the error says whether that worked.
import { ioRefusal } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Staged } from './stage.ts';

/** What makes several renames one: see journal.ts. */
export interface Decision {
  /** From here on, whoever finds the batch finishes it. */
  commit(): void;
  /** From here on, whoever finds the batch undoes it. */
  revoke(): void;
  /** Makes the renames durable: nothing is left to be decided. */
  close(): void;
  /** Removes what only an interrupted batch needs. Where that fails, it waits for the next start. */
  forget(): void;
}

/** `onPutBack` hears of each file that was renamed and had to go back, and whether it did. */
export function publish(
  files: readonly Staged[],
  decision: Decision | undefined,
  onPutBack: (file: Staged, isRestored: boolean) => void,
): void {
  for (const file of files) file.requireUnchanged();
  const renamed: Staged[] = [];
  try {
    decision?.commit();
    for (const file of files) {
      // Time has passed since the question above, unless it is a single file: the last one before each rename is its own.
      if (decision !== undefined) file.requireUnchanged();
      file.rename();
      renamed.push(file);
    }
    if (decision === undefined) for (const file of files) file.sync();
    else decision.close();
  } catch (error) {
    // Best before anything goes back. Where it fails, the files themselves will show which way it went.
    attempted(() => decision?.revoke());
    if (renamed.length === 0) throw error;
    const left = renamed.toReversed().filter((file) => {
      const isRestored = attempted(() => file.putBack()) ?? false;
      onPutBack(file, isRestored);
      return !isRestored;
    });
    throw withOutcome(ioRefusal('write the files', error), left);
  }
  // All is as it was to be: a disk that fails only now makes it no less so.
  attempted(() => decision?.forget());
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

function attempted<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
