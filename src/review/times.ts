// Writes times for people.
import { counted } from '../adapters/tree/wording.ts';

const MINUTE_MS = 60_000;

/** Returns the distance of a time from now: `now`, `in 6 days` or `3 minutes ago`. */
export function distance(iso: string, now: Date): string {
  const minutes = Math.round((Date.parse(iso) - now.getTime()) / MINUTE_MS);
  const size = Math.abs(minutes);
  if (size < 1) return 'now';
  const amount =
    size < 120
      ? counted(size, 'minute')
      : size < 48 * 60
        ? counted(Math.round(size / 60), 'hour')
        : counted(Math.round(size / 1440), 'day');
  return minutes > 0 ? `in ${amount}` : `${amount} ago`;
}

/** Returns a time as `2026-11-21 12:00:00Z`. */
export function instant(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/u, 'Z');
}

/** Returns a time with its distance: `2026-11-21 12:00:00Z (3 minutes ago)`. */
export function moment(iso: string, now: Date): string {
  return `${instant(iso)} (${distance(iso, now)})`;
}
