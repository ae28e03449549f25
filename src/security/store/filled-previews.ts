// Previews in whose place others stand, since a person has filled in values: by the audit trail, as all that became of one.
import type { PreviewFacts } from '../audit/facts.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { filled } from './preview-errors.ts';

/** Throws PREVIEW_EXPIRED where another preview stands in its place. */
export function requireNotFilled(trail: AuditTrail, id: string): void {
  if (trail.statusOf(id).filledAs !== undefined) throw filled(latestOf(trail, id));
}

/** The last in its place, or itself. */
export function latestOf(trail: AuditTrail, id: string): string {
  const seen = new Set([id]);
  let latest = id;
  for (;;) {
    const { filledAs } = trail.statusOf(latest);
    if (filledAs === undefined || seen.has(filledAs)) return latest;
    seen.add(filledAs);
    latest = filledAs;
  }
}

/** Whether nothing has become of it yet. */
export function isOpen({ changeId, filledAs }: PreviewFacts): boolean {
  return changeId === undefined && filledAs === undefined;
}
