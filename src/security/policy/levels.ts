// How a write is confirmed, from the most lenient level to the strictest.

export type { ConfirmedBy } from '../../state/event.ts';

import { APPROVALS, LEVELS } from '../../state/preview.ts';

export { APPROVALS, LEVELS };
export type Approval = (typeof APPROVALS)[number];
export type Level = (typeof LEVELS)[number];

export function isStricter(level: Level, than: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(than);
}

export function strictest(first: Level, ...others: readonly Level[]): Level {
  return others.reduce((most, level) => (isStricter(level, most) ? level : most), first);
}
