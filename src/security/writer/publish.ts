// The moment at which staged files become the real ones, and deleted ones go. Every check of every file comes first; should
// a rename fail after all, what was renamed is put back, and the refusal says whether that worked.
import { ignoring, ioRefusal } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Folders } from './folders.ts';
import type { Staged } from './stage.ts';

/** A failure after the first rename. */
export interface FailedPublish {
  /** A refusal that says what became of the files, or a bug as it is. */
  readonly error: unknown;
  /** What was replaced; but for what is left, it is the old file again. */
  readonly renamed: readonly Staged[];
  /** What could not go back: it is the new file, or somebody else's by now. */
  readonly left: readonly Staged[];
}

/** Undefined where all went well. Throws where nothing was renamed. */
export function publish(files: readonly Staged[], folders: Folders): FailedPublish | undefined {
  for (const file of files) file.requireUnchanged();
  const renamed: Staged[] = [];
  try {
    for (const file of files) {
      // Time has passed since the question above, unless it is a single file: the last one before each rename is its own.
      if (files.length > 1) file.requireUnchanged();
      file.publish();
      renamed.push(file);
    }
    folders.sync();
    return undefined;
  } catch (error) {
    if (renamed.length === 0) throw error;
    const left = renamed.toReversed().filter((file) => ignoring('all', () => file.putBack()) !== true);
    const refusal = ignoring('all', () => withOutcome(ioRefusal('write the files', error), left));
    return { error: refusal ?? error, renamed, left };
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
