// Refuses to replace a file whose owner or group the replacement could not keep: it would quietly belong to the
// server's user, or be open to another group. Asked when an edit is previewed, so that nobody approves what cannot be
// written, and again when it is written.
import { walk } from '../containment/walk.ts';
import { ioRefusal } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import type { FileFacts } from '../fs/ambient-fs.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { contextOf, rootOf, type Sandbox } from '../sandbox/sandbox.ts';

/** Throws PERMISSION_DENIED. A file that is gone is not asked about. */
export function requireReplaceable(sandbox: Sandbox, path: SafePath): void {
  const { admission, roots } = contextOf(sandbox);
  admission.requireAdmitted(path);
  const file = path.toString();
  const root = rootOf(path, roots);
  try {
    const folder = walk(root, path.components.slice(0, -1), file);
    try {
      const facts = folder.look(path.components.at(-1) ?? '');
      if (facts !== undefined) requireKeepableOwner(facts, folder.facts(), file);
    } finally {
      if (folder !== root) folder.close();
    }
  } catch (error) {
    throw ioRefusal('write this file', error, file);
  }
}

/** `folder`: the facts of the directory that it stands in. */
export function requireKeepableOwner(facts: FileFacts, folder: FileFacts, file: string): void {
  if (!isOwnFile(facts))
    throw notKept(
      'it belongs to another user, and the replacement would not. The operator can change its owner',
      file,
    );
  if (!canKeepGroup(facts, folder))
    throw notKept(
      'it belongs to a group that the server is not a member of, so that the replacement could not. The operator can change its group, or add the user of the server to it',
      file,
    );
}

/** Whether we could have made the file: it is ours, or we are root, who gives files the owner they had. */
export function isOwnFile(facts: FileFacts): boolean {
  const uid = process.geteuid?.();
  return uid === undefined || uid === 0 || uid === facts.uid;
}

/** A new file has our own group, or that of its folder; an owner may give it to any group that they are in. */
function canKeepGroup({ gid }: FileFacts, folder: FileFacts): boolean {
  const [uid, own] = [process.geteuid?.(), process.getegid?.()];
  if (uid === undefined || uid === 0 || own === gid) return true;
  const isInherited = folder.gid === gid && ((folder.mode & 0o2000) !== 0 || process.platform !== 'linux');
  return isInherited || (process.getgroups?.() ?? []).includes(gid);
}

function notKept(reason: string, file: string): Refusal {
  return new Refusal('PERMISSION_DENIED', `Cannot write this file: ${reason}.`, { file });
}
