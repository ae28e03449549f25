// How a write is confirmed, from the most lenient level to the strictest.

/**
 * `direct`: `dry_run: false` writes; `preview`: only what was previewed; `client`: and the person at the client agrees;
 * `human`: and a reviewer has signed it, outside the agent's channel.
 */
export const APPROVALS = ['direct', 'preview', 'client', 'human'] as const;
export type Approval = (typeof APPROVALS)[number];

/** Who confirmed a write: as the level asks, or the person at the terminal of the command line. */
export const CONFIRMATIONS = [...APPROVALS, 'terminal'] as const;
export type ConfirmedBy = (typeof CONFIRMATIONS)[number];

/** What is denied nobody can approve. */
export const LEVELS = [...APPROVALS, 'deny'] as const;
export type Level = (typeof LEVELS)[number];

export function isStricter(level: Level, than: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(than);
}

export function strictest(first: Level, ...others: readonly Level[]): Level {
  return others.reduce((most, level) => (isStricter(level, most) ? level : most), first);
}
