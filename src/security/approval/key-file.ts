// Reads and writes the file with a reviewer's private key. Only its owner may be able to read it, and it is never overwritten. The key is also
// encrypted, so that whoever copies the file still needs the passphrase.
import { dirname } from 'node:path';
import { ignoring } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import {
  ambientLstat,
  ambientMkdir,
  ambientOpen,
  ambientUnlink,
  chmodFd,
  closeFd,
  errnoOf,
  O_CREAT,
  O_EXCL,
  O_NOFOLLOW,
  O_WRONLY,
  syncFd,
  writeAll,
} from '../fs/ambient-fs.ts';
import { readOperatorFile } from '../policy/operator-file.ts';
import { quoted } from '../text/visible.ts';

/** True if something of any kind has this name. */
export function hasKeyFile(file: string): boolean {
  return ignoring('all', () => ambientLstat(file)) !== undefined;
}

/** Writes a new key file. Throws StartError if the name is taken or the file cannot be written. */
export function createKeyFile(file: string, sealed: string): void {
  const fd = created(file);
  try {
    // The umask may have taken bits that the owner needs.
    chmodFd(fd, 0o600);
    writeAll(fd, sealed);
    syncFd(fd);
  } catch {
    // Half a key is useless, and would block its name for ever.
    ambientUnlink(file);
    throw refused('write', file, 'the disk does not take it');
  } finally {
    closeFd(fd);
  }
}

/** Reads the key file. Throws StartError if it is missing, is no plain file, or others could read it. */
export function readKeyFile(file: string): string {
  const facts = ignoring('all', () => ambientLstat(file));
  if (facts === undefined)
    throw refused('use', file, 'there is none; make one with "config-airlock keygen NAME"');
  const self = process.geteuid?.();
  if (facts.kind !== 'file') throw refused('use', file, 'it is no plain file');
  // Windows has neither owners nor modes, so there is nothing to check.
  if (self !== undefined && facts.uid !== self) throw refused('use', file, 'it belongs to another user');
  if (self !== undefined && (facts.mode & 0o077) !== 0)
    throw refused('use', file, 'others may read it; it needs mode 0600');
  return readOperatorFile(file);
}

function created(file: string): number {
  try {
    ambientMkdir(dirname(file), 0o700);
  } catch {
    throw refused('write', file, 'its folder cannot be made');
  }
  try {
    return ambientOpen(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch (error) {
    const isTaken = errnoOf(error) === 'EEXIST';
    throw refused(
      'write',
      file,
      isTaken ? 'something is there already, and a key is never overwritten' : 'it cannot be made',
    );
  }
}

function refused(action: string, file: string, reason: string): StartError {
  return new StartError(`cannot ${action} the reviewer key ${quoted(file)}: ${reason}`);
}
