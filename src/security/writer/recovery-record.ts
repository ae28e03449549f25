// What the log and the audit record say of a recovery. Every file that a dead server meant to write gets the
// outcome that its intent was left without.

import type { Log } from '../audit/log.ts';
import type { AuditOutcome } from '../audit/log-fields.ts';
import type { HeldDirectory } from '../containment/held.ts';
import { Refusal } from '../errors/refusal.ts';
import type { FolderName } from '../locking/intent.ts';
import type { FileState, InterruptedFile } from './interrupted-file.ts';

/** A held folder, as this server names it. */
export interface FolderAt {
  readonly name: FolderName;
  readonly directory: HeldDirectory;
}

export interface Left {
  readonly file: InterruptedFile;
  /** Below its root. */
  readonly components: readonly string[];
  readonly root: string | undefined;
}

const REASONS = {
  out_of_reach: 'it also concerns a folder that this server does not serve',
  not_admitted: 'it concerns a file that the policy does not let through',
  damaged: 'its journal is damaged, or not where it should be',
  not_possible: 'the system does not permit it',
} as const;

const OUTCOMES = { base: 'rolled_back', result: 'applied', other: 'unknown' } as const satisfies Record<
  FileState,
  AuditOutcome
>;

/** Throws where the audit log does not accept records: then do not do what it records. */
export function recordAll(
  log: Log,
  files: readonly Left[],
  outcome: (file: InterruptedFile) => AuditOutcome,
): void {
  for (const { file, components, root } of files) {
    const { base, result } = file.intended;
    log.audit({
      action: 'recover',
      outcome: outcome(file),
      file: shown({ root, path: components }),
      base_sha256: base,
      result_sha256: result,
    });
  }
}

/** How it ended, for each file and as a whole. */
export function report(log: Log, here: FolderAt, files: readonly Left[]): void {
  const states = files.map(({ file }) => file.state());
  const [first] = states;
  const isOne = first !== 'other' && states.every((state) => state === first);
  const state = isOne ? (first === 'result' ? 'finished' : 'undone') : 'conflict';
  log.notice(isOne ? 'warn' : 'error', 'recovered', { state, count: files.length, file: shown(here.name) });
  log.recordOutcome(() => recordAll(log, files, (file) => OUTCOMES[file.state()]));
}

/** The refusal where something has to stay as it is. */
export function waiting(log: Log, here: FolderAt, reason: keyof typeof REASONS, cause?: unknown): Refusal {
  log.notice('error', 'recovery_waiting', { reason, file: shown(here.name) });
  const message = `Cannot write: a batch that was interrupted waits in this folder, and ${REASONS[reason]}. The operator should start the server that wrote it once more.`;
  return new Refusal('BUSY', message, {}, {}, cause);
}

function shown({ root, path }: FolderName): string {
  return [...(root === undefined ? [] : [`@${root}`]), ...path].join('/');
}
