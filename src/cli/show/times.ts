// Instants as people say them, with the instant itself beside it.
import { counted } from '../../adapters/index.ts';

const MINUTE_MS = 60_000;

export function ago(at: string, now: Date): string {
  return `${instant(at)} (${amount(now.getTime() - Date.parse(at))} ago)`;
}

export function left(until: string, now: Date): string {
  return `expires in ${amount(Date.parse(until) - now.getTime())}`;
}

/** `2026-11-21 12:00:00Z` */
export function instant(at: string): string {
  return at.replace('T', ' ').replace(/\.\d+Z$/u, 'Z');
}

function amount(ms: number): string {
  const minutes = Math.max(Math.round(ms / MINUTE_MS), 0);
  if (minutes < 120) return counted(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}
