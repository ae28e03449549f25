// Ambient authority: turns the operator's words into a Sandbox. The only place where a path of the
// operator's is resolved. Throws StartError, one line each, for anything that is missing or unsafe.

import { Log } from '../audit/log.ts';
import { chooseContainment } from '../containment/choose.ts';
import type { Containment } from '../containment/held.ts';
import {
  adoptRoots,
  type DirectoryHandle,
  isWithin,
  type PinnedRoot,
  pinRoots,
} from '../containment/roots.ts';
import { StartError } from '../errors/start-error.ts';
import { Admission } from '../paths/admission.ts';
import { compileAllow } from '../paths/pattern.ts';
import type { Limits, Policy } from '../policy/policy.ts';
import { Recovery } from '../writer/recovery.ts';
import { lookForLeftovers, sweep } from '../writer/sweep.ts';
import { OperatorFiles } from './operator-files.ts';
import { type Sandbox, type SandboxContext, sandboxOn } from './sandbox.ts';

/**
 * The same sandbox for another thread of this process, on the very directories that were opened at the start.
 * `recoversPredecessor`: the thread before it ended in the middle of a write, which is brought in order first.
 */
export function reopenSandbox(
  policy: Policy,
  log: Log,
  {
    rootHandles,
    recoversPredecessor,
  }: { readonly rootHandles: readonly DirectoryHandle[]; readonly recoversPredecessor: boolean },
): Sandbox {
  const context = prepare(policy, log, (containment) => adoptRoots(policy, containment, rootHandles));
  if (recoversPredecessor) tidy(context);
  return sandboxOn(context);
}

/** `forced` is for tests of a containment that this machine would not choose; nothing else passes it. */
export function openSandbox(policy: Policy, log: Log, forced?: Containment): Sandbox {
  const { sandbox, settle } = openUnsettled(policy, log, forced);
  settle();
  return sandbox;
}

/**
 * The same, but what killed processes left in the roots is brought in order by `settle`, before the first call: that walks
 * over all folders, for which no client need wait to be greeted.
 */
export function openUnsettled(
  policy: Policy,
  log: Log,
  forced?: Containment,
): { readonly sandbox: Sandbox; readonly settle: () => void } {
  const context = prepare(policy, log, (containment) => pinRoots(policy, containment), forced);
  const { containment, roots, isRunningAsRoot } = context;
  log.event('info', 'sandbox_opened', { containment, count: roots.length });
  if (containment === 'checked') log.event('warn', 'containment_not_race_free', { containment });
  if (isRunningAsRoot) log.event('warn', 'running_as_root');
  const exposed = context.operatorFiles.countWithin(roots);
  if (exposed > 0) log.notice('warn', 'operator_files_in_root', { count: exposed });
  return { sandbox: sandboxOn(context), settle: () => tidy(context) };
}

function tidy({ policy, roots, log, admission, recovery }: SandboxContext): void {
  const isVisible = (components: readonly string[]) => admission.isFolderVisible(components);
  if (policy.readOnly) lookForLeftovers(roots, isVisible, log);
  else sweep(roots, isVisible, { recovery, log });
}

function prepare(
  policy: Policy,
  log: Log,
  rootsOn: (containment: Containment) => readonly PinnedRoot[],
  forced?: Containment,
): SandboxContext {
  if (!Log.isGenuine(log)) throw new TypeError('only a Log made by createLog keeps the audit records');
  requireLimits(policy.limits);
  const own = frozen(policy);
  const admission = new Admission(own);
  const schemas = own.schemas.map((binding) => ({
    binding,
    matches: compileAllow([binding.pattern], own.roots, 'schema'),
  }));
  const containment = forced ?? chooseContainment();
  const roots = rootsOn(containment);
  requireLogOutside(log, roots);
  const isRunningAsRoot = process.geteuid?.() === 0;
  const recovery = recoveryOn(roots, admission, log, own.limits.fileSizeBytes);
  const operatorFiles = new OperatorFiles(own.operatorFiles ?? []);
  return {
    policy: own,
    log,
    containment,
    isRunningAsRoot,
    roots,
    admission,
    operatorFiles,
    recovery,
    schemas,
  };
}

function recoveryOn(
  roots: readonly PinnedRoot[],
  admission: Admission,
  log: Log,
  limitBytes: number,
): Recovery {
  return new Recovery({
    log,
    limitBytes,
    rootNamed: (name) => roots.find((root) => root.name === name)?.directory,
    isAdmitted: (components) => admission.isAdmitted(components),
    isFolderVisible: (components) => admission.isFolderVisible(components),
  });
}

function requireLimits(limits: Limits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new StartError(`limit ${name} must be a whole number above 0`);
  }
}

// An agent that can edit the log can rewrite what it did.
function requireLogOutside(log: Log, roots: readonly PinnedRoot[]): void {
  const { place } = log;
  if (place !== undefined && roots.some((root) => isWithin(place, root.place))) {
    throw new StartError('the log file is inside a root; put it somewhere else');
  }
}

/** A copy: what the operator allowed cannot be widened by changing the object afterwards. */
function frozen(policy: Policy): Policy {
  return Object.freeze({
    ...policy,
    roots: policy.roots.map((root) => ({ ...root })),
    allow: [...policy.allow],
    deny: [...policy.deny],
    operatorFiles: [...(policy.operatorFiles ?? [])],
    schemas: policy.schemas.map((binding) => ({ ...binding })),
    limits: Object.freeze({ ...policy.limits }),
  });
}
