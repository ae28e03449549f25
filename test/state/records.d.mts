import type { Change, NewRecord, Preview, TrailRecord } from '../../src/state/index.ts';

export const ROOTS: string;
export const POLICY: string;
export function at(seconds: number): string;
export function previewDraft(
  fields?: Partial<NewRecord<Preview>> & { texts?: readonly string[]; time?: number; lasts?: number },
): NewRecord<Preview>;
export function changeDraft(
  fields?: Partial<NewRecord<Change>> & { texts?: readonly string[]; time?: number },
): NewRecord<Change>;
export function proposed(preview: string, time?: number): TrailRecord;
export function replacing(preview: string, by: string): TrailRecord;
export function decided(preview: string, action: 'approve' | 'part' | 'reject', time?: number): TrailRecord;
export function committed(
  change: string,
  outcome: 'intent' | 'applied' | 'rolled_back' | 'unknown',
  preview?: string,
  time?: number,
): TrailRecord;
export function refused(time?: number, fields?: Partial<TrailRecord>): TrailRecord;
