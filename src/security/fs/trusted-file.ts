// Whether somebody who is neither this user nor root could change what the operator named, or put something else in its
// place: by its owner and mode, and by those of every folder and link on the way to it.
import { dirname, join, resolve, sep } from 'node:path';
import { visibleLine } from '../text/visible.ts';
import { ambientLstatIfThere, ambientReadlink, ambientReadText, type FileFacts } from './ambient-fs.ts';

/** The system follows no more. */
const MOST_LINKS = 40;
const WRITABLE_BY_OTHERS = 0o022;
/** In such a folder nobody replaces what belongs to another. */
const STICKY = 0o1000;
/** What a user namespace (a container without root) shows for every owner that it has no number for, root among them. */
const UNMAPPED_UID = 65_534;
const WHOLE_MAP = /^\s*0\s+0\s+4294967295\s*$/u;

/**
 * Why it cannot be trusted, for the operator, with the folder that is at fault; or undefined. What is not there yet is judged
 * by the way to it, and everything is trusted where the system knows no users.
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
  // All at once, for who works with a umask of 002 has many such folders.
  if (open.length > 0)
    reasons.push(
      `others can replace what stands in ${open.join(' and ')} on the way to it: take the right to write there from the group and from all (chmod go-w)`,
    );
  return reasons.length === 0 ? undefined : reasons.join('; and ');
}

/** It may be another user as well: there nobody can tell. */
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

/** Every folder and link by which the system comes to a path, and what is there, in this order. */
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
