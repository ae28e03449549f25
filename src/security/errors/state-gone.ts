// The refusal where what is kept was removed under a running server: no call can mend that, so the operator must.
import { Refusal } from './refusal.ts';

export function stateGone(action: string, cause?: unknown): Refusal {
  return new Refusal(
    'IO_ERROR',
    `Cannot ${action}: the state directory, or a part of it, was removed while it was in use. The operator should look at it, and restart the server.`,
    {},
    { advice: ['Tell the operator: no call can mend this'] },
    cause,
  );
}
