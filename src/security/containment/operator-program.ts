// A program that the operator has named, to be started by a command of the operator. Nobody else may be able to change it, and it
// stands outside of every root, where an agent could write it.
import { isAbsolute } from 'node:path';
import { ignoring } from '../errors/io-refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { ambientLstat, ambientRealpath } from '../fs/ambient-fs.ts';
import { whyUntrusted } from '../fs/trusted-file.ts';
import { quoted } from '../text/visible.ts';
import { isWithin } from './roots.ts';

/** Answers the path of a program that may be started. Throws StartError. `roots` are the folders that an agent can reach. */
export function checkedProgram(file: string, roots: readonly string[]): string {
  const reason = whyNot(file, roots);
  if (reason !== undefined) throw new StartError(`cannot run ${quoted(file)}: ${reason}`);
  return file;
}

function whyNot(file: string, roots: readonly string[]): string | undefined {
  if (!isAbsolute(file)) return 'give its absolute path';
  const place = ignoring('all', () => ambientRealpath(file));
  if (place === undefined) return 'it does not exist, or may not be read';
  const { kind, mode } = ambientLstat(place);
  if (kind !== 'file') return 'it is no plain file';
  if ((mode & 0o111) === 0) return 'it may not be executed';
  const isInRoot = roots.some((root) =>
    isWithin(place, ignoring('all', () => ambientRealpath(root)) ?? root),
  );
  return isInRoot ? 'it is inside a root, where an agent could write it' : whyUntrusted(file);
}
