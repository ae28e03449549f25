// Failures of the state as refusals of the contract, logged as well: no file of the agent's has changed.
import { type FaultKind, StateFault } from '../../state/driver.ts';
import type { Store } from '../../state/store.ts';
import { type Clues, ONLY_THE_OPERATOR, Refusal } from '../errors/refusal.ts';
import type { ErrorCode } from '../errors/refusals.ts';
import type { Log } from './log.ts';

interface Explanation {
  readonly code: ErrorCode;
  readonly because: string;
  readonly clues?: Clues;
}

const PUT_BACK =
  'The operator should stop all servers, run "config-airlock audit verify", and put the whole state back from a backup, or start with a new --state-dir.';

const EXPLANATIONS: Readonly<Record<FaultKind, Explanation>> = {
  busy: {
    code: 'BUSY',
    because: 'another process is writing to the state. Try again in a moment',
  },
  full: {
    code: 'NO_SPACE',
    because:
      'the disk of the state takes no more: it is full, nobody may write to it, or a quota or a limit of the process (ulimit) is reached. Free some space and try again',
  },
  damaged: {
    code: 'IO_ERROR',
    because: `the database of the state is damaged, or another program has changed it. ${PUT_BACK}`,
    clues: ONLY_THE_OPERATOR,
  },
  replaced: {
    code: 'IO_ERROR',
    because: `the state was removed, replaced or put back while it was in use. ${PUT_BACK}`,
    clues: ONLY_THE_OPERATOR,
  },
  newer: {
    code: 'IO_ERROR',
    because: 'a newer version of this program has written the state. The operator should start that version',
    clues: ONLY_THE_OPERATOR,
  },
  unreachable: {
    code: 'IO_ERROR',
    because: 'the database of the state cannot be reached. Try again, or ask the operator to look at it',
  },
};

/** Translates a failure of the state. Any other error is a bug and is answered as it is. */
export function stateRefusal(error: unknown): unknown {
  if (!(error instanceof StateFault)) return error;
  const { code, because, clues = {} } = EXPLANATIONS[error.kind];
  return new Refusal(code, `Cannot go on: ${because}.`, {}, clues, error);
}

/** Wraps a store so that its failures become refusals, and are logged where there is a log. */
export function withRefusals(store: Store, log?: Log): Store {
  return new Proxy(store, {
    get(target, name): unknown {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...values: readonly unknown[]) => {
        try {
          return await member.apply(target, values);
        } catch (error) {
          const refusal = stateRefusal(error);
          if (refusal instanceof Refusal && refusal.code !== 'BUSY')
            log?.event('error', 'state_unusable', { code: refusal.code });
          throw refusal;
        }
      };
    },
  });
}
