// Resolves the roots and holds their folders from the start on, so that renames and links that change later have no effect. Roots
// that are missing, far too broad, or inside each other are refused.
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { ignoring } from '../errors/refusal.ts';
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
  /** The path at the start. It is used for comparisons only, never for opening anything. */
  readonly realPath: string;
}

/** Holds the folders of all roots. Throws StartError where one of them cannot be served. */
export function pinRoots(policy: Policy, containment: Containment): readonly PinnedRoot[] {
  return resolvedRoots(policy).map(({ root: { name }, realPath }) => ({
    ...{ name, realPath },
    directory: pinRoot(containment, realPath),
  }));
}

/** Returns the real paths of the roots. Throws StartError where one of them cannot be served. */
export function checkedRootPaths(policy: Policy): readonly string[] {
  return resolvedRoots(policy).map(({ realPath }) => realPath);
}

function resolvedRoots(policy: Policy): readonly { readonly root: RootSpec; readonly realPath: string }[] {
  requireNames(policy.roots);
  const resolved = policy.roots.map((root) => ({ root, realPath: realPathOf(root) }));
  for (const [index, { root, realPath }] of resolved.entries()) {
    if (!policy.allowBroadRoot && isTooBroad(realPath)) {
      throw new StartError(
        `root ${quoted(root.dir)} is too broad; name a folder of configuration files, or pass --allow-broad-root`,
      );
    }
    const other = resolved
      .slice(0, index)
      .find((earlier) => isWithin(realPath, earlier.realPath) || isWithin(earlier.realPath, realPath));
    if (other !== undefined)
      throw new StartError(`roots ${quoted(other.root.dir)} and ${quoted(root.dir)} overlap`);
  }
  return resolved;
}

/** The data by which another thread of this process holds the very same folder, as long as this one holds it. */
export interface DirectoryHandle extends Identity {
  readonly realPath: string;
  readonly descriptor: number | undefined;
}

export function toDirectoryHandle({ realPath, directory }: Omit<PinnedRoot, 'name'>): DirectoryHandle {
  const { dev, ino } = directory.facts();
  return { realPath, descriptor: directory.descriptor, dev, ino };
}

/** Holds the roots of another thread again, whatever stands at their paths by now. Throws StartError where that fails. */
export function reopenRoots(
  policy: Policy,
  containment: Containment,
  handles: readonly DirectoryHandle[],
): readonly PinnedRoot[] {
  return policy.roots.map(({ name }, index) => {
    const handle = handles[index];
    const directory = handle && reopenDirectory(containment, handle);
    if (handle === undefined || directory === undefined)
      throw new StartError('a root is not the folder that it was when the server started');
    return { name, realPath: handle.realPath, directory };
  });
}

/** Holds the folder of a handle again; returns undefined if another one is at its place by now. */
export function reopenDirectory(
  containment: Containment,
  handle: DirectoryHandle,
): HeldDirectory | undefined {
  const directory =
    handle.descriptor === undefined ? pinRoot(containment, handle.realPath) : fdRootOf(handle.descriptor);
  if (sameInode(directory.facts(), handle)) return directory;
  directory.close();
  return undefined;
}

/** Returns the present real paths of the roots, so that the server's own files can be kept out of them. */
export function rootPaths(roots: readonly RootSpec[]): readonly string[] {
  return roots.map(realPathOf);
}

/**
 * True if the path is the folder or below it, compared by components: /srv/app-old is not in /srv/app. It is also true if the
 * folder has another name on that path, such as that of a bind mount.
 */
export function isWithin(path: string, folder: string): boolean {
  const relativePath = relative(folder, path);
  const isBelow = relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
  if (isBelow) return true;
  const facts = ignoring('all', () => ambientLstat(folder));
  if (facts === undefined) return false;
  for (let at = path; at !== dirname(at); at = dirname(at))
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

function realPathOf(root: RootSpec): string {
  if (root.dir.trim() === '' || root.dir.includes('\0'))
    throw new StartError('a root is empty; pass --root DIR');
  const realPath = realPathIfReachable(resolve(root.dir));
  if (realPath === undefined)
    throw new StartError(`root ${quoted(root.dir)} does not exist or cannot be reached`);
  if (ambientLstat(realPath).kind !== 'directory')
    throw new StartError(`root ${quoted(root.dir)} is not a folder`);
  return realPath;
}

function realPathIfReachable(path: string): string | undefined {
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

function isTooBroad(path: string): boolean {
  return (
    resolve(path, '..') === path ||
    SYSTEM_FOLDERS.some((folder) => folder.toLowerCase() === path.toLowerCase()) ||
    KERNEL_FOLDERS.some((folder) => isWithin(path, folder)) ||
    homeDirectories().some((home) => isWithin(home, path))
  );
}

function homeDirectories(): string[] {
  // In a container the user may have no entry in the password file, and no HOME either.
  const found = [homedir, () => userInfo().homedir].map((read) => ignoring('all', read) ?? '');
  return found.filter((home) => home !== '').map((home) => realPathIfReachable(home) ?? home);
}
