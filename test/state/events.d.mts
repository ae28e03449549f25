import type { Event } from '../../src/state/event.ts';
import type { Preview } from '../../src/state/preview.ts';

type PreviewDraft = Omit<Preview, 'v' | 'nonce'>;

type Fields = Omit<Partial<Event>, 'time'> & { readonly time?: number };

export const ROOTS: string;
export const BOUNDS: { readonly previews: number; readonly totalBytes: number };
export function at(seconds: number): string;
export function draft(
  fields?: Partial<PreviewDraft> & { texts?: readonly string[]; time?: number; lasts?: number },
): PreviewDraft;
export function event(type: Event['type'], about?: string, fields?: Fields): Event;
export function begun(about: string, fields?: Fields & { texts?: readonly string[] }): Event;
export function refused(time?: number): Event;
