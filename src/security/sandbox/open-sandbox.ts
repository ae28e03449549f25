// Opens a Sandbox by the operator's settings. Throws StartError, with a message of one line, for anything that is missing or unsafe.
import type { Log } from '../audit/log.ts';
import { chooseContainment } from '../containment/choose.ts';
import type { Containment } from '../containment/held.ts';
import {
  checkedRootPaths,
  type DirectoryHandle,
  isWithin,
  type PinnedRoot,
  pinRoots,
  reopenRoots,
} from '../containment/roots.ts';
import { StartError } from '../errors/start-error.ts';
import { Admission } from '../paths/admission.ts';
import { requireMaskingPatterns } from '../paths/masking-patterns.ts';
import { compileSchema } from '../paths/operator-pattern.ts';
import { compileRuleFiles, requireServedRoots } from '../paths/rule-files.ts';
import { type Limits, maskedSizeBytes, type Policy } from '../policy/policy.ts';
import { ReadCache } from './read-cache.ts';
import { type Sandbox, type SandboxContext, sandboxOn } from './sandbox.ts';
import { OperatorFiles } from './sandbox-file.ts';

/** Opens a sandbox. `forced` is for tests of a containment that this machine would not choose. */
export function openSandbox(policy: Policy, log: Log, forced?: Containment): Sandbox {
  const context = prepare(policy, log, (containment) => pinRoots(policy, containment), forced);
  const { containment, roots, isRunningAsRoot } = context;
  log.event('info', 'sandbox_opened', { containment, count: roots.length });
  if (containment === 'checked') log.event('warn', 'containment_not_race_free', { containment });
  if (isRunningAsRoot) log.event('warn', 'running_as_root');
  const exposed = context.operatorFiles.countWithin(roots);
  if (exposed > 0) log.notice('warn', 'operator_files_in_root', { count: exposed });
  return sandboxOn(context);
}

/** Opens the same sandbox for another thread of this process, on the very directories that were opened at the start. */
export function reopenSandbox(policy: Policy, log: Log, rootHandles: readonly DirectoryHandle[]): Sandbox {
  return sandboxOn(prepare(policy, log, (containment) => reopenRoots(policy, containment, rootHandles)));
}

/** Checks a policy as `openSandbox` would, without opening anything; returns the real paths of the roots. Throws what `openSandbox` throws. */
export function requireServablePolicy(policy: Policy): readonly string[] {
  requireLimits(policy.limits);
  patternsOf(policy);
  requireServedRoots(policy);
  return checkedRootPaths(policy);
}

function prepare(
  policy: Policy,
  log: Log,
  rootsOn: (containment: Containment) => readonly PinnedRoot[],
  forced?: Containment,
): SandboxContext {
  requireLimits(policy.limits);
  // This is a copy, so that changing the object afterwards cannot widen what the operator allowed.
  const ownPolicy = Object.freeze(structuredClone(policy));
  const { admission, schemas, ruleFiles } = patternsOf(ownPolicy);
  const containment = forced ?? chooseContainment();
  const roots = rootsOn(containment);
  requireLogOutside(
    log.path,
    roots.map(({ realPath }) => realPath),
  );
  const { fileSizeBytes, parsedSizeBytes } = ownPolicy.limits;
  const origin = {
    fileSizeBytes,
    maskedSizeBytes: maskedSizeBytes(ownPolicy.limits),
    readCache: new ReadCache(parsedSizeBytes),
  };
  return {
    policy: ownPolicy,
    log,
    containment,
    isRunningAsRoot: process.geteuid?.() === 0,
    roots,
    admission,
    operatorFiles: new OperatorFiles(ownPolicy.operatorFiles ?? []),
    origin: Object.freeze(origin),
    schemas,
    ruleFiles,
  };
}

function patternsOf(policy: Policy): Pick<SandboxContext, 'admission' | 'schemas' | 'ruleFiles'> {
  const schemas = policy.schemas.map((binding) => ({
    binding,
    matches: compileSchema(binding.pattern, policy.roots),
  }));
  const ruleFiles = policy.changes.rules.map((rule) => compileRuleFiles(rule, policy));
  requireMaskingPatterns(policy);
  return { admission: new Admission(policy), schemas, ruleFiles };
}

function requireLimits(limits: Limits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new StartError(`limit ${name} must be a whole number above 0`);
  }
}

/** Throws StartError where the log is inside a root, because an agent that can edit it could hide what it did. `roots` are real paths. */
export function requireLogOutside(path: string | undefined, roots: readonly string[]): void {
  if (path !== undefined && roots.some((root) => isWithin(path, root))) {
    throw new StartError('the log file is inside a root; put it somewhere else');
  }
}
