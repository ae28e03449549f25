// Decides by the path alone whether a file of the machine belongs to this server, for a host whose own tools would write it.
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { checkedRootPaths, isWithin } from '../containment/roots.ts';
import { ignoring } from '../errors/refusal.ts';
import { ambientLstat, ambientReadlink, ambientRealpath, errnoOf, sameInode } from '../fs/ambient-fs.ts';
import { Admission } from '../paths/admission.ts';
import type { Policy } from '../policy/policy.ts';

/** The name by which the tools know a served file; no name for a file that neither they nor the host may write. */
export type Guarded = { readonly is: 'served'; readonly file: string } | { readonly is: 'denied' };

/** Tests an absolute path, which need not exist; undefined for a file that the server neither serves nor denies. */
export type WriteGuard = (path: string) => Guarded | undefined;

/** The number of links that are followed from one path, as in the kernel. */
const MAX_LINKS = 40;

/** `others` are files and folders of the operator outside the policy, such as the state. Throws StartError as `openSandbox` does. */
export function writeGuard(policy: Policy, others: readonly string[]): WriteGuard {
  const admission = new Admission(policy);
  const roots = checkedRootPaths(policy).map((realPath, index) => ({
    realPath,
    dir: resolve(policy.roots[index]?.dir ?? realPath),
    name: policy.roots[index]?.name,
  }));
  const operatorPaths = [...(policy.operatorFiles ?? []), ...others].map((path) => leadsTo(resolve(path)));

  const guardedAt = (path: string): Guarded | undefined => {
    if (operatorPaths.some((own) => isWithin(path, own))) return { is: 'denied' };
    for (const { realPath, dir, name } of roots) {
      const components = componentsBelow(path, [realPath, dir]);
      if (components === undefined) continue;
      if (!admission.isFolderVisible(components)) return { is: 'denied' };
      const file = [...(name === undefined ? [] : [`@${name}`]), ...components].join('/');
      if (admission.isAdmitted(components)) return { is: 'served', file };
    }
    return undefined;
  };
  // The host follows links. A link inside a root is judged by its own name as well: the agent may not exchange it.
  return (path) => guardedAt(leadsTo(path)) ?? guardedAt(path);
}

/** Returns the names from a root to a path below it; undefined if the path is outside. */
function componentsBelow(path: string, rootPaths: readonly string[]): readonly string[] | undefined {
  for (const root of rootPaths) {
    const below = relative(root, path);
    if (below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below))
      return below.split(sep);
  }
  // The root may have another name on the way, such as that of a bind mount.
  const facts = rootPaths.flatMap((root) => ignoring('all', () => ambientLstat(root)) ?? []);
  for (let at = dirname(path); ; at = dirname(at)) {
    const here = ignoring('all', () => ambientLstat(at));
    if (here !== undefined && facts.some((one) => sameInode(one, here))) return relative(at, path).split(sep);
    if (at === dirname(at)) return undefined;
  }
}

/** Returns where a write to the path would end: links are followed, also one that leads to nothing yet. */
function leadsTo(path: string): string {
  let at = path;
  let rest = '';
  for (let links = 0; links < MAX_LINKS; ) {
    try {
      return join(ambientRealpath(at), rest);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== 'ENOENT' && errno !== 'ENOTDIR') throw error;
    }
    if (ignoring('all', () => ambientLstat(at))?.kind === 'symlink') {
      at = resolve(leadsTo(dirname(at)), ambientReadlink(at));
      links += 1;
    } else {
      rest = join(relative(dirname(at), at), rest);
      at = dirname(at);
    }
  }
  throw new Error('a chain of links has no end');
}
