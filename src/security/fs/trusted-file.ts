// Decides whether anybody but this user and root could change or replace a file that the operator named. It looks at the owner
// and mode of the file, and of every folder and link on the way to it.
import { dirname, join, resolve, sep } from 'node:path';
import { visibleLine } from '../text/visible.ts';
import { ambientLstatIfThere, ambientReadlink, ambientReadText, type FileFacts } from './ambient-fs.ts';

/** The system follows at most this many links in one path. */
const MOST_LINKS = 40;
const WRITABLE_BY_OTHERS = 0o022;
/** In a folder with this bit, nobody can replace a file of another user. */
const STICKY = 0o1000;
/** A user namespace (a container without root) shows this number for every owner that it has no number for, root among them. */
const UNMAPPED_UID = 65_534;
const WHOLE_MAP = /^\s*0\s+0\s+4294967295\s*$/u;

/**
 * Tells the operator why a path cannot be trusted, with the folder at fault; undefined if it can. A file that does not
 * exist is judged by the way to it, and everything is trusted where the system has no users.
 */
export function whyUntrusted(path: string): string | undefined {
  const self = process.geteuid?.();
  if (self === undefined) return undefined;
  try {
    return whyNot(wayTo(resolve(path)), self);
  } catch {
    return 'a folder on the way to it cannot be looked at';
  }
}

function whyNot(way: readonly Step[], self: number): string | undefined {
  const open: string[] = [];
  const reasons: string[] = [];
  for (const [index, { at, kind, uid, mode }] of way.entries()) {
    const isEnd = index === way.length - 1;
    if (uid !== self && uid !== 0 && !isRootElsewhere(uid))
      return `${isEnd ? 'it' : `"${visibleLine(at)}" on the way to it`} belongs to another user`;
    if (kind === 'symlink' || (mode & WRITABLE_BY_OTHERS) === 0) continue;
    if (kind === 'directory' && (mode & STICKY) === 0) open.push(`"${visibleLine(at)}"`);
    else if (kind !== 'directory') reasons.push('others may write to it; it needs a mode such as 0644');
  }
  // All folders are named at once, because a user with the umask 002 has many of them.
  if (open.length > 0)
    reasons.push(
      `others can replace what stands in ${open.join(' and ')} on the way to it: take the right to write there from the group and from all (chmod go-w)`,
    );
  return reasons.length === 0 ? undefined : reasons.join('; and ');
}

/** True if the owner may be root outside of this user namespace. It may be another user as well; the system does not say. */
function isRootElsewhere(uid: number): boolean {
  if (uid !== UNMAPPED_UID) return false;
  try {
    return !WHOLE_MAP.test(ambientReadText('/proc/self/uid_map'));
  } catch {
    return false;
  }
}

interface Step extends FileFacts {
  readonly at: string;
}

/** Lists every folder and link through which the system reaches a path, and the file itself, in this order. */
function wayTo(path: string): readonly Step[] {
  const found: Step[] = [];
  const names = path.split(sep);
  let at: string = sep;
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = name === '..' ? dirname(at) : join(at, name);
    const facts = ambientLstatIfThere(next);
    if (facts === undefined) break;
    found.push({ at: next, ...facts });
    if (facts.kind !== 'symlink') {
      at = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw new Error('too many links');
    const target = ambientReadlink(next);
    if (target.startsWith(sep)) at = sep;
    names.unshift(...target.split(sep));
  }
  return found;
}
