import type { Event, EventType, PreviewDraft } from '../../src/state/index.ts';

type Fields = Omit<Partial<Event>, 'time'> & { readonly time?: number };

export const ROOTS: string;
export const BOUNDS: { readonly previews: number; readonly totalBytes: number };
export function at(seconds: number): string;
export function draft(
  fields?: Partial<PreviewDraft> & { texts?: readonly string[]; time?: number; lasts?: number },
): PreviewDraft;
export function event(type: EventType, about?: string, fields?: Fields): Event;
export function begun(about: string, fields?: Fields & { texts?: readonly string[] }): Event;
export function refused(time?: number): Event;
