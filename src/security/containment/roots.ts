// The folders that the operator opened to the agent, resolved and pinned once at start. Refuses roots that are missing, far too
// broad, or inside each other. Renames and links that change later have no effect.
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { ignoring } from '../errors/io-refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { ambientLstat, ambientRealpath, type Identity, sameInode } from '../fs/ambient-fs.ts';
import type { Policy, RootSpec } from '../policy/policy.ts';
import { quoted } from '../text/visible.ts';
import { pinRoot } from './choose.ts';
import { fdRootOf } from './fd-walk.ts';
import type { Containment, HeldDirectory } from './held.ts';

export interface PinnedRoot {
  readonly name: string | undefined;
  readonly directory: HeldDirectory;
  /** The path at start; it is used for comparing places only, never for opening anything. */
  readonly place: string;
}

export function pinRoots(policy: Policy, containment: Containment): readonly PinnedRoot[] {
  return placedRoots(policy).map(({ root, place }) => ({
    name: root.name,
    place,
    directory: pinRoot(containment, place),
  }));
}

/** Answers the real paths of the roots. Throws StartError where one of them cannot be served. */
export function checkedPlaces(policy: Policy): readonly string[] {
  return placedRoots(policy).map(({ place }) => place);
}

function placedRoots(policy: Policy): readonly { readonly root: RootSpec; readonly place: string }[] {
  requireNames(policy.roots);
  const places = policy.roots.map((root) => ({ root, place: placeOf(root) }));
  for (const [index, { root, place }] of places.entries()) {
    if (!policy.allowBroadRoot && isBroad(place)) {
      throw new StartError(
        `root ${quoted(root.dir)} is too broad; name a folder of configuration files, or pass --allow-broad-root`,
      );
    }
    const other = places
      .slice(0, index)
      .find((earlier) => isWithin(place, earlier.place) || isWithin(earlier.place, place));
    if (other !== undefined)
      throw new StartError(`roots ${quoted(other.root.dir)} and ${quoted(root.dir)} overlap`);
  }
  return places;
}

/** The data by which another thread of this process holds the very same folder, as long as this one holds it. */
export interface DirectoryHandle extends Identity {
  readonly place: string;
  readonly descriptor: number | undefined;
}

export function toDirectoryHandle({ place, directory }: Omit<PinnedRoot, 'name'>): DirectoryHandle {
  const { dev, ino } = directory.facts();
  return { place, descriptor: directory.descriptor, dev, ino };
}

/** Holds the roots of another thread again, whatever stands at their paths by now. Throws StartError where that fails. */
export function adoptRoots(
  policy: Policy,
  containment: Containment,
  handles: readonly DirectoryHandle[],
): readonly PinnedRoot[] {
  return policy.roots.map(({ name }, index) => {
    const handle = handles[index];
    const directory = handle && heldAgain(containment, handle);
    if (handle === undefined || directory === undefined)
      throw new StartError('a root is not the folder that it was when the server started');
    return { name, place: handle.place, directory };
  });
}

/** Holds the folder of a handle again; answers undefined where another one is at its place by now. */
export function heldAgain(containment: Containment, handle: DirectoryHandle): HeldDirectory | undefined {
  const directory =
    handle.descriptor === undefined ? pinRoot(containment, handle.place) : fdRootOf(handle.descriptor);
  if (sameInode(directory.facts(), handle)) return directory;
  directory.close();
  return undefined;
}

/** Answers the current real paths of the roots, so that other things can be kept out of them. */
export function rootPlaces(roots: readonly RootSpec[]): readonly string[] {
  return roots.map(placeOf);
}

/**
 * True where a place is the folder or stands below it, compared by components: /srv/app-old is not in /srv/app. Also true where
 * the folder has another name on the way, as a bind mount gives it one.
 */
export function isWithin(place: string, folder: string): boolean {
  const way = relative(folder, place);
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return true;
  const facts = ignoring('all', () => ambientLstat(folder));
  if (facts === undefined) return false;
  for (let at = place; at !== dirname(at); at = dirname(at))
    if (ignoring('all', () => sameInode(ambientLstat(at), facts)) === true) return true;
  return false;
}

const ROOT_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/iu;

function requireNames(roots: readonly RootSpec[]): void {
  const taken = new Set<string>();
  for (const { name } of roots) {
    if (name === undefined) {
      if (roots.length > 1) throw new StartError('several roots need names: --root name=DIR');
      continue;
    }
    if (!ROOT_NAME.test(name))
      throw new StartError(`root name ${quoted(name)} may use letters, digits, '-' and '_' only`);
    if (taken.has(name.toLowerCase())) throw new StartError(`root name ${quoted(name)} is given twice`);
    taken.add(name.toLowerCase());
  }
}

function placeOf(root: RootSpec): string {
  if (root.dir.trim() === '' || root.dir.includes('\0'))
    throw new StartError('a root is empty; pass --root DIR');
  const place = realPlace(resolve(root.dir));
  if (place === undefined)
    throw new StartError(`root ${quoted(root.dir)} does not exist or cannot be reached`);
  if (ambientLstat(place).kind !== 'directory')
    throw new StartError(`root ${quoted(root.dir)} is not a folder`);
  return place;
}

function realPlace(path: string): string | undefined {
  return ignoring('all', () => ambientRealpath(path));
}

// Folders of the system, or shared by all users, are too broad. Their subfolders are fine (/etc/my-app), except below the
// kernel's own file systems, where nothing is a file.
const SYSTEM_FOLDERS = [
  ...['/bin', '/boot', '/dev', '/etc', '/home', '/lib', '/lib64', '/media', '/mnt', '/opt'],
  ...['/proc', '/root', '/run', '/sbin', '/srv', '/sys', '/tmp', '/usr', '/var'],
  // macOS
  ...['/Users', '/System', '/Library', '/Applications'],
  ...['/private', '/private/etc', '/private/tmp', '/private/var'],
  // Windows
  ...['C:\\Windows', 'C:\\Users', 'C:\\Program Files', 'C:\\ProgramData'],
] as const;
const KERNEL_FOLDERS = ['/proc', '/sys'] as const;

function isBroad(place: string): boolean {
  return (
    resolve(place, '..') === place ||
    SYSTEM_FOLDERS.some((folder) => folder.toLowerCase() === place.toLowerCase()) ||
    KERNEL_FOLDERS.some((folder) => isWithin(place, folder)) ||
    homes().some((home) => isWithin(home, place))
  );
}

function homes(): string[] {
  // In a container the user may have no entry in the password file, and no HOME either.
  const found = [homedir, () => userInfo().homedir].map((ask) => ignoring('all', ask) ?? '');
  return found.filter((home) => home !== '').map((home) => realPlace(home) ?? home);
}
