// Reads the body of a POST into its fields. Only fields of our forms are accepted, each once, unless it may repeat.
import { isUtf8 } from 'node:buffer';
import type { PendingFilter } from '../pending.ts';

export type Form = ReadonlyMap<string, readonly string[]>;

const REPEATED = 'part';
const FIELDS: ReadonlySet<string> = new Set(['token', 'note', 'file', 'rule', 'caller', REPEATED]);

/** Returns the fields; undefined for anything that our own forms do not send. */
export function readForm(body: Uint8Array): Form | undefined {
  if (!isUtf8(body)) return undefined;
  const form = new Map<string, readonly string[]>();
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(body))) {
    const before = form.get(name) ?? [];
    if (!FIELDS.has(name) || (before.length > 0 && name !== REPEATED)) return undefined;
    form.set(name, [...before, value]);
  }
  return form;
}

/** Returns the numbers of the ticked parts; undefined if one is no number, or is there twice. */
export function partsIn(form: Form): readonly number[] | undefined {
  const texts = form.get(REPEATED) ?? [];
  if (!texts.every((text) => /^(?:0|[1-9]\d{0,5})$/u.test(text))) return undefined;
  const parts = texts.map(Number).sort((a, b) => a - b);
  return new Set(parts).size === parts.length ? parts : undefined;
}

/** Returns the note as one line; a text area sends its line breaks as \r\n. */
export function noteIn(form: Form): string {
  return (form.get('note')?.[0] ?? '').replaceAll(/\s+/gu, ' ').trim();
}

/** Returns the filter of the queue. An empty field selects all. */
export function filterIn(form: Form): PendingFilter {
  const [file, rule, caller] = ['file', 'rule', 'caller'].map(
    (name) => form.get(name)?.[0]?.trim() || undefined,
  );
  return { file, rule, caller };
}
