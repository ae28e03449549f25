// The only writes to the roots: proven edits, and the recovery of what a killed server left. Takes what it needs of a
// sandbox, which itself can only read; look-alikes of edits and sandboxes are refused.
import { VerifiedEdit } from '../edits/verified-edit.ts';
import { contextOf, rootOf, type Sandbox, type SandboxContext } from '../sandbox/sandbox.ts';
import { type CommitAbout, commit } from './commit.ts';
import { Recovery } from './recovery.ts';
import { lookForLeftovers, sweep } from './sweep.ts';

/** All of the edits or none, if they are approved as the policy asks; see commit.ts. */
export function commitEdits(sandbox: Sandbox, edits: readonly VerifiedEdit[], about: CommitAbout = {}): void {
  const context = contextOf(sandbox);
  const { admission, origin, policy, log, roots } = context;
  const own = [...edits];
  for (const edit of own) {
    if (!VerifiedEdit.isGenuine(edit))
      throw new TypeError('only a VerifiedEdit that was proven can be committed');
    if (!edit.snapshot.isFrom(origin)) throw new TypeError('the snapshot was read through another sandbox');
    admission.requireAdmitted(edit.snapshot.path);
  }
  commit(own, { policy, log, recovery: recoveryOn(context), rootOf: (path) => rootOf(path, roots), about });
}

/** What killed processes left in the roots; a server that may not write only says that something waits. */
export function recoverRoots(sandbox: Sandbox): void {
  const context = contextOf(sandbox);
  const { policy, roots, log, admission } = context;
  const isVisible = (components: readonly string[]) => admission.isFolderVisible(components);
  if (policy.readOnly) lookForLeftovers(roots, isVisible, log);
  else sweep(roots, isVisible, { recovery: recoveryOn(context), log });
}

function recoveryOn({ roots, admission, log, policy }: SandboxContext): Recovery {
  return new Recovery({
    log,
    limitBytes: policy.limits.fileSizeBytes,
    rootNamed: (name) => roots.find((root) => root.name === name)?.directory,
    isAdmitted: (components) => admission.isAdmitted(components),
    isFolderVisible: (components) => admission.isFolderVisible(components),
  });
}
