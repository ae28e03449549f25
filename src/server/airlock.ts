// An airlock: what the operator allows, the way to the files under it, the log and what is kept. Opening one
// looks at the roots and the state directory and nothing else; what cannot be served is a StartError.
import { DEFAULT_ALLOW } from '../adapters/index.ts';
import {
  type Engine,
  type EngineContext,
  type RefusedWrites,
  type StartedThread,
  WorkerEngine,
} from '../engine/index.ts';
import {
  checkedLogPlace,
  createLog,
  DEFAULT_LIMITS,
  DEFAULT_MASKING,
  ioRefusal,
  type Limits,
  type Log,
  NO_RULES,
  openSandbox,
  openState,
  type Policy,
  type PostgresSource,
  type RootSpec,
  randomHex,
  recoverRoots,
  requireLogOutside,
  requireServable,
  requireServablePolicy,
  StartError,
  type StateSource,
  startExpiryTimer,
  tidy,
} from '../security/index.ts';
import type { Tool } from '../tools/index.ts';
import type { Questions } from './questions.ts';

/** For clients that show a model one of the two only, or both. */
export type Replies = 'both' | 'text';

export interface Airlock extends EngineContext {
  /**
   * Settles what killed processes left, and writes where they did. Whoever serves calls has it done before the first one; it
   * works once.
   */
  readonly recover?: () => Promise<void>;
  /** All of this version's tools unless said otherwise. */
  readonly tools?: readonly Tool[];
  /** What serves the calls: the thread that asks for them, unless `isolate` was asked for another. */
  readonly engine?: Engine;
  /** What calls are answered with; `text`: no structured content, and no output schemas. */
  readonly replies?: Replies;
  /** How long the person at the client may take to answer; two minutes unless said otherwise. */
  readonly patienceMs?: number;
  /** Held for all clients together, where each request is a connection of its own. */
  readonly shared?: Shared;
}

/** What else belongs to one connection. */
export interface Shared {
  readonly questions: Questions;
  readonly refusedWrites: RefusedWrites;
}

export interface AirlockOptions extends Partial<Omit<Policy, 'roots' | 'limits'>> {
  /** One directory, or several with a name each. */
  readonly roots: readonly (string | RootSpec)[];
  readonly limits?: Partial<Limits>;
  readonly replies?: Replies;
  /** JSON lines on stderr, warnings and worse, unless said otherwise. */
  readonly log?: Log;
  /** Where previews and the audit trail are kept. Needed unless nothing can be written. */
  readonly stateDir?: string | undefined;
  /** The same, in a database that several machines use: then each root has a name, by which they know it. */
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

/** What has failed is tried again. A disk or a trail that fails is logged, and reported by the call that needs it. */
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

/** Throws the StartError that `createLog` or `openAirlock` would throw. Opens nothing, and makes nothing. */
export function requireServableOptions(options: AirlockOptions, logFile: string | undefined): void {
  const place = logFile === undefined ? undefined : checkedLogPlace(logFile);
  const policy = policyOf(options);
  const source = stateSourceOf(options, policy);
  const roots = source === undefined ? requireServablePolicy(policy) : requireServable(source, policy).roots;
  requireLogOutside(place, roots);
}

function policyOf(options: AirlockOptions): Policy {
  const { readOnly = false, allowBroadRoot = false, approval = 'direct', verify = 'fast' } = options;
  const { allow = DEFAULT_ALLOW, deny = [], schemas = [], operatorFiles = [], roots, limits } = options;
  const { masking = DEFAULT_MASKING, changes = NO_RULES } = options;
  return {
    ...{ readOnly, allowBroadRoot, approval, changes, verify, masking, allow, deny, schemas, operatorFiles },
    roots: roots.map((root) => (typeof root === 'string' ? { name: undefined, dir: root } : root)),
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
}

/** A server that cannot write stores nothing, and opens nothing that could be stored to. */
function stateSourceOf(
  { stateDir, postgres, reviewers }: AirlockOptions,
  { readOnly }: Policy,
): StateSource | undefined {
  if (readOnly) return undefined;
  if (postgres !== undefined) return { place: { postgres }, reviewers };
  if (stateDir === undefined)
    throw new StartError('no state directory: name one with --state-dir, for previews and the audit trail');
  return { place: { directory: stateDir }, reviewers };
}

/** An airlock that a hostile file cannot hold up. Close its engine before the process ends. */
export interface IsolatedAirlock extends Airlock {
  readonly engine: WorkerEngine;
}

/**
 * The same airlock, served in a thread of its own; undefined where the containment of this machine works in
 * the main thread only. `started`: a thread of `startThread`.
 */
export function isolate(airlock: Airlock, started?: StartedThread): IsolatedAirlock | undefined {
  if (airlock.state !== undefined) startExpiryTimer(airlock.state);
  if (airlock.sandbox.containment === 'cwd-walk') return undefined;
  return { ...airlock, engine: new WorkerEngine(airlock, { started }) };
}
