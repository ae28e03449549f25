// The last checks before the disk is written, which repeat earlier ones: the policy allows writes, the change has its approval, and
// the replacement can keep the file's mode, owner and group.

import type { Approved } from '../approval/approved.ts';
import { coversNeeds } from '../approval/quorum.ts';
import { withFolderOf } from '../containment/held.ts';
import { ioRefusal, Refusal } from '../errors/refusal.ts';
import type { FileFacts } from '../fs/ambient-fs.ts';
import type { SafePath } from '../paths/safe-path.ts';
import type { Approval, ConfirmedBy } from '../policy/levels.ts';
import type { Policy } from '../policy/policy.ts';
import type { Verdict } from '../policy/verdict.ts';
import { rootOf } from '../sandbox/file-opener.ts';
import { contextOf, type Sandbox } from '../sandbox/sandbox.ts';

/** The confirmations that only a person can give. */
export const PEOPLE: readonly ConfirmedBy[] = ['client', 'human', 'terminal'];

/** The confirmations that are enough at each level. */
const ACCEPTED_BY_LEVEL: Readonly<Record<Approval, readonly ConfirmedBy[]>> = {
  direct: ['direct', 'preview', ...PEOPLE],
  preview: ['preview', ...PEOPLE],
  client: PEOPLE,
  human: ['human'],
};

/** Throws POLICY_DENIED, or PREVIEW_REQUIRED if no preview was approved. Throws a plain Error for an approval that is not enough. */
export function requireApproved(
  { level, needs }: Pick<Verdict, 'level' | 'needs'>,
  approved: Approved | undefined,
): void {
  if (level === 'deny') throw policyDenied();
  if (approved === undefined) {
    if (level !== 'direct') throw previewRequired();
    return;
  }
  if (!coversNeeds(approved.needs, needs))
    throw new Error('the preview was approved for less than the judge asks for');
  if (!ACCEPTED_BY_LEVEL[level].includes(approved.confirmedBy))
    throw new Error('the preview was not approved as the policy asks');
}

function policyDenied(): Refusal {
  return new Refusal('POLICY_DENIED', 'Cannot write: a rule of the operator denies this change.');
}

/** Makes the refusal PREVIEW_REQUIRED. */
export function previewRequired(): Refusal {
  return new Refusal(
    'PREVIEW_REQUIRED',
    'Cannot write: this server writes only what was previewed. Send the same call with dry_run true.',
  );
}

/** Throws PERMISSION_DENIED where the file's owner or group could not be kept. A file that does not exist is fine. */
export function requireReplaceable(sandbox: Sandbox, path: SafePath): void {
  const { admission, roots } = contextOf(sandbox);
  admission.requireAdmitted(path);
  const file = path.toString();
  try {
    withFolderOf(rootOf(path, roots), { components: path.components, file }, (folder, name) => {
      const facts = folder.factsOf(name);
      if (facts !== undefined) requireKeepableOwner(facts, folder.facts(), file);
    });
  } catch (error) {
    throw ioRefusal('write this file', error, file);
  }
}

/**
 * Refuses to replace a file whose owner or group the replacement could not keep: it would silently belong to the server's user,
 * or be open to another group. `folder` holds the facts of its directory.
 */
export function requireKeepableOwner(facts: FileFacts, folder: FileFacts, file: string): void {
  if (!isOwnFile(facts))
    throw ownerNotKept(
      'it belongs to another user, and the replacement would not. The operator can change its owner',
      file,
    );
  if (!isGroupKeepable(facts, folder))
    throw ownerNotKept(
      'it belongs to a group that the server is not a member of, so that the replacement could not. The operator can change its group, or add the user of the server to it',
      file,
    );
}

export type OwnerAndMode = Pick<FileFacts, 'uid' | 'gid' | 'mode'>;

/**
 * Returns owner and mode of a new file: our user, and for group and others no more than the folder gives them. Root gives it
 * the folder's owner, as the files beside it have. `mode` is that of a file that is created again.
 */
export function newFileIn(folder: FileFacts, mode: number | undefined): OwnerAndMode {
  return { ...ownerIn(folder), mode: mode ?? (0o644 & folder.mode) | 0o600 };
}

/** Returns owner and mode of a new folder. It passes on its group to new files where the folder above does so. */
export function newFolderIn(folder: FileFacts): OwnerAndMode {
  return { ...ownerIn(folder), mode: (0o2755 & folder.mode) | 0o700 };
}

function ownerIn(folder: FileFacts): Pick<FileFacts, 'uid' | 'gid'> {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
  if (uid === undefined || gid === undefined || uid === 0) return { uid: folder.uid, gid: folder.gid };
  return { uid, gid: (folder.mode & 0o2000) === 0 && process.platform === 'linux' ? gid : folder.gid };
}

/** True if the file is ours, or we are root and can give it any owner. */
function isOwnFile(facts: FileFacts): boolean {
  const uid = process.geteuid?.();
  return uid === undefined || uid === 0 || uid === facts.uid;
}

/** True if a new file can have this group: our own, that of its folder, or any other of which we are a member. */
function isGroupKeepable({ gid }: FileFacts, folder: FileFacts): boolean {
  const [uid, ownGid] = [process.geteuid?.(), process.getegid?.()];
  if (uid === undefined || uid === 0 || ownGid === gid) return true;
  const isInherited = folder.gid === gid && ((folder.mode & 0o2000) !== 0 || process.platform !== 'linux');
  return isInherited || (process.getgroups?.() ?? []).includes(gid);
}

function ownerNotKept(reason: string, file: string): Refusal {
  return new Refusal('PERMISSION_DENIED', `Cannot write this file: ${reason}.`, { file });
}

/** Throws READ_ONLY where the policy forbids all writes. */
export function requireWritable(policy: Policy): void {
  if (!policy.readOnly) return;
  throw new Refusal(
    'READ_ONLY',
    'Cannot write: this server is read-only. A dry run shows what would change.',
  );
}

/** Throws READ_ONLY for a read-only file. A rename would not respect the mode, because it needs rights in the folder only. */
export function requireWritableMode(facts: FileFacts, file: string): void {
  if ((facts.mode & 0o200) !== 0) return;
  throw new Refusal(
    'READ_ONLY',
    'Cannot write this file: its mode is read-only. Ask the operator to make it writable.',
    { file },
  );
}
