// Checks a program that the operator has named and that a command of the operator starts. Nobody else may be able to change it. It
// must be outside of every root, because an agent can write there.
import { isAbsolute } from 'node:path';
import { ignoring } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { ambientLstat, ambientRealpath } from '../fs/ambient-fs.ts';
import { whyUntrusted } from '../fs/trusted-file.ts';
import { quoted } from '../text/visible.ts';
import { isWithin } from './roots.ts';

/** Returns the path of a program that may be started. Throws StartError. `roots` are the folders that an agent can reach. */
export function checkedProgram(file: string, roots: readonly string[]): string {
  const reason = whyRefused(file, roots);
  if (reason !== undefined) throw new StartError(`cannot run ${quoted(file)}: ${reason}`);
  return file;
}

function whyRefused(file: string, roots: readonly string[]): string | undefined {
  if (!isAbsolute(file)) return 'give its absolute path';
  const path = ignoring('all', () => ambientRealpath(file));
  if (path === undefined) return 'it does not exist, or may not be read';
  const { kind, mode } = ambientLstat(path);
  if (kind !== 'file') return 'it is no plain file';
  if ((mode & 0o111) === 0) return 'it may not be executed';
  const isInRoot = roots.some((root) => isWithin(path, ignoring('all', () => ambientRealpath(root)) ?? root));
  return isInRoot ? 'it is inside a root, where an agent could write it' : whyUntrusted(file);
}
