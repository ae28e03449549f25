// The names of config-airlock's own files inside a root. All start with `.config-airlock`, which the
// denylist hides from every request. A name proves nothing about who made the file.
import { randomHex } from '../text/random-text.ts';

export const LOCK_NAME = '.config-airlock.lock';

/** One commit, whatever the number of its files. Unguessable, so that nobody can prepare its names. */
export function freshBatchId(): string {
  return randomHex(12);
}

export function isBatchId(text: string): boolean {
  return /^[0-9a-f]{24}$/u.test(text);
}

/** For the new contents of the batch's file number `index` of a folder, beside the file itself. */
export function newNameOf(batch: string, index: number): string {
  return `.config-airlock-${batch}.${index}.new`;
}

/** For the contents that the file had, in case they have to go back. */
export function oldNameOf(batch: string, index: number): string {
  return `.config-airlock-${batch}.${index}.old`;
}

/** While it exists, the batch is to be finished. */
export function journalNameOf(batch: string): string {
  return `.config-airlock-${batch}.journal`;
}

/** For a lock or a journal that is being written and not yet in force. */
export function freshDraftName(): string {
  return `.config-airlock-${freshBatchId()}.draft`;
}

/** The right to break the lock that carries this nonce: there is one name, so one process can have it. */
export function breakerNameOf(nonce: string): string {
  return `${LOCK_NAME}.${nonce}`;
}

export function isOwnName(name: string): boolean {
  return name.toLowerCase().startsWith('.config-airlock');
}

export function isTempName(name: string): boolean {
  return /^\.config-airlock-[0-9a-f]{24}\.(?:\d{1,6}\.(?:new|old)|draft)$/u.test(name);
}

export function isBreakerName(name: string): boolean {
  return /^\.config-airlock\.lock\.[0-9a-f]{32}$/u.test(name);
}

export function isJournalName(name: string): boolean {
  return /^\.config-airlock-[0-9a-f]{24}\.journal$/u.test(name);
}

/** The batch that a temporary file or a journal belongs to. */
export function batchOf(name: string): string {
  return name.slice('.config-airlock-'.length).slice(0, 24);
}
