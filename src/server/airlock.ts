// An airlock: what the operator allows, the way to the files under it, and the log. Opening one looks
// at the roots and nothing else; a root that cannot be served is a StartError.
import { type Engine, WorkerEngine } from '../engine/index.ts';
import {
  createLog,
  DEFAULT_ALLOW,
  DEFAULT_LIMITS,
  type Limits,
  type Log,
  openSandbox,
  type Policy,
  type RootSpec,
  type Sandbox,
} from '../security/index.ts';
import { TOOLS, type Tool } from '../tools/index.ts';

export interface Airlock {
  readonly policy: Policy;
  readonly sandbox: Sandbox;
  readonly log: Log;
  /** All of this version's tools unless said otherwise. */
  readonly tools?: readonly Tool[];
  /** What serves the calls: the thread that asks for them, unless `isolate` was asked for another. */
  readonly engine?: Engine;
}

export interface AirlockOptions extends Partial<Omit<Policy, 'roots' | 'limits'>> {
  /** One directory, or several with a name each. */
  readonly roots: readonly (string | RootSpec)[];
  readonly limits?: Partial<Limits>;
  /** JSON lines on stderr, warnings and worse, unless said otherwise. */
  readonly log?: Log;
}

export function openAirlock({
  roots,
  limits,
  log = createLog({ level: 'warn', format: 'json' }),
  ...rest
}: AirlockOptions): Airlock {
  const policy: Policy = {
    readOnly: false,
    allow: DEFAULT_ALLOW,
    deny: [],
    schemas: [],
    allowBroadRoot: false,
    approval: 'direct',
    ...rest,
    roots: roots.map((root) => (typeof root === 'string' ? { name: undefined, dir: root } : root)),
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
  return { policy, sandbox: openSandbox(policy, log), log };
}

/** An airlock whose calls are served in a thread of its own. Close its engine before the process ends. */
export interface IsolatedAirlock extends Airlock {
  readonly engine: Engine;
  /** Rejects with StartError where the thread cannot be started: then nothing is served. */
  readonly started: Promise<void>;
}

/** The same airlock; undefined where the containment of this machine works in the main thread only. */
export function isolate(airlock: Airlock): IsolatedAirlock | undefined {
  if (airlock.sandbox.containment === 'cwd-walk') return undefined;
  const engine = new WorkerEngine({ tools: TOOLS, ...airlock });
  return { ...airlock, engine, started: engine.started };
}
