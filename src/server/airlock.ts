// An airlock: what the operator allows, the way to the files under it, and the log. Opening one looks
// at the roots and nothing else; a root that cannot be served is a StartError.
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
import type { Tool } from '../tools/index.ts';

export interface Airlock {
  readonly policy: Policy;
  readonly sandbox: Sandbox;
  readonly log: Log;
  /** All of this version's tools unless said otherwise. */
  readonly tools?: readonly Tool[];
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
