// An audit trail in a state directory of its own, and what somebody may do to its files behind its back.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { checkpointName } from '../../../src/security/audit/chain-reader.ts';
import { writeHead } from '../../../src/security/audit/record.ts';
import type { TrailOptions } from '../../../src/security/audit/trail.ts';
import {
  AuditTrail,
  canonicalJson,
  finishedChanges,
  openStateDir,
  sha256Hex,
  verifyTrail,
} from '../../../src/security/index.ts';
import { jsonLines } from '../../harness/json-lines.ts';
import { place, refusalOf } from '../fixture.ts';
import { KEEPS_ALL } from '../store/ground.ts';

export const NOT_WHOLE = {
  code: 'IO_ERROR',
  message:
    'Cannot go on: the audit trail is not whole, or not the one that it was. The operator should run "config-airlock audit verify".',
};

type Entry = Readonly<Record<string, unknown>>;

/** Of a rotation after each append: each file but the first begins with its seal. */
export const EACH = { rotateBytes: 1 };

export function trailGround(records = 0, options: Partial<TrailOptions> = {}) {
  const here = place();
  const dir = join(here.base, 'state');
  const state = openStateDir(dir, [{ name: undefined, dir: here.root }]);
  onTestFinished(() => state.close());
  const folder = state.audit;
  /** What was done with the lock, in its order. */
  const events: string[] = [];
  const lock = () => {
    const held = state.lock();
    events.push('lock');
    return {
      ...held,
      release: () => {
        events.push('release');
        held.release();
      },
    };
  };
  let seconds = 0;
  // Each append is a second younger than the one before.
  const now = () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++));
  /** As another process would open it. */
  const again = (more: Partial<TrailOptions> = {}) =>
    new AuditTrail({ ...KEEPS_ALL, folder, lock, now, ...options, ...more });
  const trail = again();
  const append = (...entries: readonly Entry[]) => trail.append(() => entries);
  for (let n = 1; n <= records; n += 1) append({ action: 'apply', file: `f${n}.yaml` });
  const at = (name: string) => join(dir, 'audit', name);
  const file = (number = 1) => at(`audit-00000${number}.jsonl`);
  const lines = (number = 1) => (existsSync(file(number)) ? linesIn(readFileSync(file(number), 'utf8')) : []);
  return {
    ...{ here, dir, state, folder, events, trail, again, append, file, lines },
    head: at('head.json'),
    checkpoint: (number: number) => at(checkpointName(number)),
    /** What stands in the head. */
    headNow: () => jsonLines(readFileSync(at('head.json'), 'utf8'))[0],
    verify: (isWithChanges = false) =>
      verifyTrail(folder, isWithChanges ? finishedChanges(state.changes, state.previews) : undefined),
    parsed: (number = 1) => lines(number).map((line): Entry => JSON.parse(line)),
    /** A trail that read all from the start, and one that has nothing to read but the second file and its checkpoint. */
    fromBoth: () => {
      const fromStart = again();
      fromStart.readOn();
      again(EACH).append(() => [{ action: 'propose' }]);
      fromStart.readOn();
      rmSync(file(1));
      return [fromStart, again()];
    },
    /** Puts other lines in the place of those that are there. */
    rewrite: (change: (lines: readonly string[]) => readonly string[], number = 1) => {
      writeFileSync(file(number), linesOf(change(lines(number))), { mode: 0o600 });
    },
    /** A whole trail of these, the head with it: as somebody could write it who owns the directory. */
    forge: (...entries: readonly Entry[]) => {
      const chain = chained(entries);
      writeFileSync(file(), linesOf(chain.lines), { mode: 0o600 });
      const size = Buffer.byteLength(linesOf(chain.lines));
      writeHead(folder, { seq: entries.length, sha256: chain.sha256, file: 1, size });
    },
  };
}

/** Lines that follow each other from the start; a record may bring a time, a number or a hash that is not its own. */
export function chained(entries: readonly Entry[]) {
  let prev = '0'.repeat(64);
  const lines = entries.map((entry, index) => {
    const line = canonicalJson({ seq: index + 1, prev, time: '2026-01-01T00:00:00.000Z', ...entry });
    prev = sha256Hex(line);
    return line;
  });
  return { lines, sha256: prev };
}

/** What an agent is told, by its code and its words. */
export function toldBy(act: () => unknown): { readonly code: string; readonly message: string } | undefined {
  const refusal = refusalOf(act);
  return refusal === undefined ? undefined : { code: refusal.code, message: refusal.message };
}

function linesIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
