// The next steps where a file cannot be used: the file that was probably meant, those of the folder, the nearest ones, or all.
import type { FileGuess } from './guess-file.ts';
import { again, type Call, files, listed, lookAt, type RecoveryStep } from './steps.ts';

export function filesInstead(
  file: string | undefined,
  call: Call,
  { meant, nearest, folder }: FileGuess,
): RecoveryStep[] {
  const [first] = nearest;
  const below = folder === undefined ? [] : [listed(folder, 'See the files of this folder')];
  if (meant !== undefined && file !== undefined) {
    const args = withFile(call.args, file, meant);
    if (args !== undefined) return [again({ ...call, args }, `Use ${meant}`), ...below];
  }
  if (below.length > 0) return below;
  return first === undefined ? [files()] : [lookAt(first, `Look at the nearest file, ${first}`), files()];
}

/** Returns the same arguments for another file; undefined if they do not name this one. */
function withFile(args: Call['args'], from: string, to: string): Call['args'] | undefined {
  if (args['file'] === from) return { ...args, file: to };
  const { edits } = args;
  const isOfIt = (edit: unknown) => Object(edit).file === from;
  if (!Array.isArray(edits) || !edits.some(isOfIt)) return undefined;
  return { ...args, edits: edits.map((edit) => (isOfIt(edit) ? { ...Object(edit), file: to } : edit)) };
}
