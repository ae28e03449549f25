// The levels of approval, weakest first.

/**
 * How a write is confirmed. `direct`: `dry_run: false` writes; `preview`: only what was previewed; `client`: and
 * the person at the client agrees; `human`: and a reviewer has signed it, outside the agent's channel.
 */
export const APPROVALS = ['direct', 'preview', 'client', 'human'] as const;
export type Approval = (typeof APPROVALS)[number];

/** Who confirmed a write: as the level asks, or the person at the terminal of the command line. */
export const CONFIRMATIONS = [...APPROVALS, 'terminal'] as const;
export type ConfirmedBy = (typeof CONFIRMATIONS)[number];
