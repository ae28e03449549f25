// Chooses the containment for this machine by its platform and a test at the start, never by the environment or a request. Where
// none works, the server does not start.
import { ignoring } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import {
  ambientChdir,
  ambientCwd,
  ambientFileSystemType,
  ambientOpen,
  closeFd,
  factsOfFd,
  O_DIRECTORY,
  O_NOFOLLOW,
  O_PATH,
  sameInode,
} from '../fs/ambient-fs.ts';
import { checkedRoot } from './checked.ts';
import { cwdRoot } from './cwd-walk.ts';
import { fdRoot } from './fd-walk.ts';
import type { Containment, HeldDirectory } from './held.ts';

/** Returns the strongest containment that works here. Throws StartError where there is none. */
export function chooseContainment(): Containment {
  refusePermissionModel();
  if (process.platform === 'win32') return 'checked';
  if (process.platform === 'linux' && fdWalkWorks()) return 'fd-walk';
  refuseWorker();
  return 'cwd-walk';
}

/** Opens the root and holds it. `realPath` is absolute and has no symlinks left in it. */
export function pinRoot(containment: Containment, realPath: string): HeldDirectory {
  switch (containment) {
    case 'fd-walk':
      return fdRoot(realPath);
    case 'cwd-walk':
      return cwdRoot(realPath);
    case 'checked':
      return checkedRoot(realPath);
  }
}

// Under --permission Node refuses fsync and /proc/self/fd, and follows symlinks out of its own grant;
// granting /proc/self/fd to make the walk work would void the model altogether.
function refusePermissionModel(): void {
  if (Reflect.get(process, 'permission') === undefined) return;
  throw new StartError(
    "cannot start under Node's --permission: it forbids the file access that is safe. Use a container instead",
  );
}

const PROCFS = 0x9fa0;

/** Tests the walk itself, because a tmpfs mounted over /proc would let its owner decide where `/proc/self/fd/N` leads. */
function fdWalkWorks(): boolean {
  if (ambientFileSystemType('/proc') !== PROCFS) return false;
  const opened: number[] = [];
  const open = (path: string, flags: number) => {
    const fd = ambientOpen(path, flags);
    opened.push(fd);
    return fd;
  };
  const isProcfs = ignoring('all', () => {
    const directory = open('/', O_PATH | O_DIRECTORY | O_NOFOLLOW);
    const again = open(`/proc/self/fd/${directory}`, O_PATH | O_DIRECTORY);
    const link = open('/proc/self', O_PATH | O_NOFOLLOW);
    return sameInode(factsOfFd(directory), factsOfFd(again)) && factsOfFd(link).kind === 'symlink';
  });
  for (const fd of opened) closeFd(fd);
  return isProcfs === true;
}

function refuseWorker(): void {
  try {
    ambientChdir(ambientCwd());
  } catch (cause) {
    throw new StartError('cannot start here: without procfs the server must run in the main thread', {
      cause,
    });
  }
}
