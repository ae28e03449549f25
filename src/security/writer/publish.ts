// Replaces the real files by the staged ones, and deletes files, after all files were checked. If a rename fails nevertheless, the
// files that were renamed are put back, and the refusal says whether that worked.
import { ignoring, ioRefusal } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Folders } from './folders.ts';
import type { Staged } from './stage.ts';

/** A failure after the first rename. */
export interface FailedPublish {
  /** A refusal that says what happened to the files, or a bug as it is. */
  readonly error: unknown;
  /** The files that could not be put back; they are new, or somebody else has changed them. */
  readonly left: readonly Staged[];
}

/** Publishes all files. Answers undefined where that succeeds. Throws where it fails before the first rename. */
export function publish(files: readonly Staged[], folders: Folders): FailedPublish | undefined {
  for (const file of files) file.requireUnchanged();
  const renamed: Staged[] = [];
  try {
    for (const file of files) {
      // Time has passed since the first check, so that each of several files is checked again before its rename.
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
    return { error: refusal ?? error, left };
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
