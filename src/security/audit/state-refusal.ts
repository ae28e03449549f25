// Failures of the state directory as refusals of the contract, logged as well: no file of the agent's has changed, and
// only the operator can mend them.
import { ioRefusal, stateGone } from '../errors/io-refusal.ts';
import { ERROR_CATEGORIES, Refusal } from '../errors/refusal.ts';
import { errnoOf } from '../fs/ambient-fs.ts';

/** Of the log. */
interface EventLog {
  event(level: 'error', event: string, fields: { readonly code: string }): void;
}

/** `action` completes "Cannot …". A refusal of the stores themselves passes through unchanged. */
export function stateRefusal(action: string, error: unknown, log: EventLog): Refusal {
  const isGone = errnoOf(error) === 'ENOENT' || (error instanceof Refusal && error.code === 'FILE_CHANGED');
  const refusal = isGone ? stateGone(action, error) : ioRefusal(action, error);
  const { code } = refusal;
  if (ERROR_CATEGORIES[code] === 'system' && code !== 'BUSY') log.event('error', 'state_unusable', { code });
  return refusal;
}
