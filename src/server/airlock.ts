// Opens an airlock: the operator's policy, the access to the files, the log and the state. Throws StartError for settings that cannot
// be served.
import { DEFAULT_ALLOW } from '../adapters/formats/extensions.ts';
import type { Engine, EngineContext } from '../engine/engine.ts';
import type { RefusedWrites } from '../engine/refused-writes.ts';
import type { StartedThread } from '../engine/start-thread.ts';
import { WorkerEngine } from '../engine/worker-engine.ts';
import { createLog, type Log } from '../security/audit/log.ts';
import { checkedLogPath } from '../security/audit/sink.ts';
import { ioRefusal } from '../security/errors/refusal.ts';
import { StartError } from '../security/errors/start-error.ts';
import { NO_RULES } from '../security/policy/change-policy.ts';
import {
  DEFAULT_LIMITS,
  DEFAULT_MASKING,
  type Limits,
  type Policy,
  type RootSpec,
} from '../security/policy/policy.ts';
import { openSandbox, requireLogOutside, requireServablePolicy } from '../security/sandbox/open-sandbox.ts';
import type { PostgresSource } from '../security/state/open-store.ts';
import {
  openState,
  requireServable,
  type StateSource,
  startExpiryTimer,
  tidy,
} from '../security/state/state.ts';
import { recoverRoots } from '../security/writer/commit.ts';
import { randomHex } from '../state/canonical.ts';
import type { Tool } from '../tools/index.ts';
import type { Questions } from './questions.ts';

/** The parts of a reply that are sent: some clients show a model only the text, some only the structured content. */
export type Replies = 'both' | 'text';

export interface Airlock extends EngineContext {
  /** Settles what killed processes left, which may write to files. It must be called before the first tool call, and works once. */
  readonly recover?: () => Promise<void>;
  /** The tools; by default all of this version. */
  readonly tools?: readonly Tool[];
  /** The engine for calls; without it they run in the calling thread. `isolate` sets one. */
  readonly engine?: Engine;
  /** The parts of replies; `text` means no structured content, and no output schemas. */
  readonly replies?: Replies;
  /** The time in milliseconds for the person at the client to answer; two minutes by default. */
  readonly answerTimeoutMs?: number;
  /** Shared by all clients, where each request is a connection of its own. */
  readonly shared?: SharedParts;
}

/** The parts of an airlock that otherwise belong to one connection. */
export interface SharedParts {
  readonly questions: Questions;
  readonly refusedWrites: RefusedWrites;
}

export interface AirlockOptions extends Partial<Omit<Policy, 'roots' | 'limits'>> {
  /** One directory, or several with a name each. */
  readonly roots: readonly (string | RootSpec)[];
  readonly limits?: Partial<Limits>;
  readonly replies?: Replies;
  /** The log; by default JSON lines on stderr, for warnings and worse. */
  readonly log?: Log;
  /** The directory for previews, the audit trail and the journal of writes. It is needed unless nothing can be written. */
  readonly stateDir?: string | undefined;
  /** A database for previews and the trail that several machines share; each root then has a name, by which they know it. */
  readonly postgres?: PostgresSource | undefined;
  /** The file that names who may approve. */
  readonly reviewers?: string | undefined;
}

export async function openAirlock(options: AirlockOptions): Promise<Airlock> {
  const { log = createLog({ level: 'warn', format: 'json' }), replies = 'both' } = options;
  const policy = policyOf(options);
  const source = stateSourceOf(options, policy);
  if (source === undefined) {
    const sandbox = openSandbox(policy, log);
    return { policy, log, sandbox, replies, maskingKey: randomHex(32) };
  }
  const state = await openState(source, policy, log);
  const sandbox = openSandbox(policy, log);
  const recover = async () => {
    await recoverRoots(sandbox, state);
    await tidy(state);
  };
  return { policy, sandbox, replies, log, state, recover: once(recover, log) };
}

/** Makes `work` run once, and again only after a failure. A failure is logged, and reported by the next call that is affected. */
function once(work: () => Promise<void>, log: Log): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      log.event('error', 'recovery_waiting', { code: ioRefusal('recover', error).code });
    });
    return done;
  };
}

/** Throws the StartError that `createLog` or `openAirlock` would throw. Opens and creates nothing. */
export function requireServableOptions(options: AirlockOptions, logFile: string | undefined): void {
  const logPath = logFile === undefined ? undefined : checkedLogPath(logFile);
  const policy = policyOf(options);
  const source = stateSourceOf(options, policy);
  const roots = source === undefined ? requireServablePolicy(policy) : requireServable(source, policy).roots;
  requireLogOutside(logPath, roots);
}

/** Returns the policy in force with these options; what is not given has its default. */
export function policyOf(options: AirlockOptions): Policy {
  const { readOnly = false, allowBroadRoot = false, approval = 'direct', verify = 'fast' } = options;
  const { allowEnv = false, formats = [] } = options;
  const { allow = DEFAULT_ALLOW, deny = [], schemas = [], operatorFiles = [], roots, limits } = options;
  const { masking = DEFAULT_MASKING, changes = NO_RULES } = options;
  return {
    ...{ readOnly, allowBroadRoot, approval, changes, verify, masking, allow, deny, schemas, operatorFiles },
    ...{ allowEnv, formats },
    roots: roots.map((root) => (typeof root === 'string' ? { name: undefined, dir: root } : root)),
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
}

/** Returns where the state is; undefined for a server that cannot write, which stores nothing. */
function stateSourceOf(
  { stateDir, postgres, reviewers }: AirlockOptions,
  { readOnly }: Policy,
): StateSource | undefined {
  if (readOnly) return undefined;
  if (postgres !== undefined) return { location: { postgres, journal: stateDir }, reviewers };
  if (stateDir === undefined)
    throw new StartError('no state directory: name one with --state-dir, for previews and the audit trail');
  return { location: { directory: stateDir }, reviewers };
}

/** An airlock that a hostile file cannot block. Its engine has to be closed before the process ends. */
export interface IsolatedAirlock extends Airlock {
  readonly engine: WorkerEngine;
}

/**
 * Serves the airlock in a thread of its own; undefined if the containment of this machine works in the main thread only.
 * `started` is a thread of `startThread`.
 */
export function isolate(airlock: Airlock, started?: StartedThread): IsolatedAirlock | undefined {
  if (airlock.state !== undefined) startExpiryTimer(airlock.state);
  if (airlock.sandbox.containment === 'cwd-walk') return undefined;
  return { ...airlock, engine: new WorkerEngine(airlock, { started }) };
}
