// A state directory with its stores over it, and a preview that is small enough to be read: for the tests of what is kept.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  AuditTrail,
  createLog,
  type Decision,
  Decisions,
  makeReviewerKey,
  openStateDir,
  type PreviewDraft,
  type PreviewFile,
  PreviewStore,
  type RecomputePreview,
  type ReviewerKey,
  readReviewers,
  sha256Hex,
  signDecision,
} from '../../../src/security/index.ts';
import type { AppliedChange } from '../../../src/security/store/applied-change.ts';
import type { PreviewBounds } from '../../../src/security/store/retention.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { place } from '../fixture.ts';

const ROOTS = '0'.repeat(64);
const EVERYTHING: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });
export const AT = '2026-11-21T12:00:00.000Z';
export const CHANGE_ID = 'A'.repeat(43);

export const BASE = 'a: 1\n';
const EDITS = [{ start: 3, end: 4, insert: '2' }];
const CHANGE = { op: 'replace', doc: 0, path: 'a', from: '1', to: '2', line: 1 } as const;
/** A stand-in for what an adapter shows. */
export const look: RecomputePreview = (file, base, after) => ({
  diff: `${file}: ${base} -> ${after}`,
  changes: [CHANGE],
  removed_comments: [],
  also_affects: [],
});

export function draft(changes: Partial<PreviewDraft> = {}): PreviewDraft {
  return {
    caller: { name: 'test', version: '1' },
    policy: '0'.repeat(64),
    rules: [],
    approval: 'human',
    tool: 'config_set',
    request: { file: 'a.yaml', path: 'a', json: 2 },
    origin: { kind: 'edit' },
    files: [
      {
        file: 'a.yaml',
        base: BASE,
        base_sha256: sha256Hex(BASE),
        result_sha256: sha256Hex('a: 2\n'),
        edits: EDITS,
        ...look('a.yaml', BASE, 'a: 2\n', EDITS),
      },
    ],
    warnings: [],
    ...changes,
  };
}

export function opened() {
  const here = place(memoryDisk());
  const dir = join(here.base, 'state');
  const state = openStateDir(dir, [{ name: undefined, dir: here.root }]);
  onTestFinished(() => state.close());
  const log = createLog({ level: 'info', format: 'json', file: join(here.base, 'log.jsonl') });
  const key = makeReviewerKey('ann');
  const file = here.write('reviewers', `# who may approve\n${key.line}\n`, 0o600);
  const reviewers = readReviewers(file, [here.root, dir]);
  let time = new Date(AT);
  const now = () => time;
  const trail = new AuditTrail({ folder: state.audit, lock: () => state.lock(), now, ...KEEPS_ALL });
  const stateLog = log.withTrail(trail);
  const decisions = new Decisions({ trail, reviewers: () => reviewers, log });
  const previews = (bounds?: PreviewBounds, roots = ROOTS) =>
    new PreviewStore({
      ...{ roots, folder: state.previews, texts: state.texts, decisions, trail, log: stateLog, now },
      ...(bounds === undefined ? {} : { bounds }),
    });
  return {
    ...{ here, dir, state, log, reviewers, decisions, previews, trail, ann: key.key },
    /** As a reviewer's side does. */
    decide: (decision: Decided, by = key.key) => decideIn(trail, decision, by),
    pass: (minutes: number) => {
      time = new Date(time.getTime() + minutes * 60_000);
    },
  };
}

/** A trail that forgets nothing, on a disk that has room. */
export const KEEPS_ALL = {
  kept: () => ({ previews: EVERYTHING, changes: EVERYTHING, at: '~' }),
  isDiskLow: () => false,
};

type Decided = Omit<Decision, 'v' | 'trail' | 'at' | 'reviewer'> & Partial<Pick<Decision, 'at' | 'reviewer'>>;

export function decideIn(trail: AuditTrail, decided: Decided, key: ReviewerKey): void {
  const { preview, decision: action, reviewer = 'ann', at = AT } = decided;
  trail.append((end) => {
    const signed = signDecision({ v: 1, ...decided, reviewer, at, trail: end }, key);
    return [{ action, outcome: 'kept', preview, reviewer, signed }];
  });
}

export const idOf = (previews: PreviewStore, changes?: Partial<PreviewDraft>) =>
  previews.save(draft(changes))?.id ?? '';

/** A file whose first "1" becomes "2". */
export function fileOf(base: string, file = 'a.yaml'): PreviewFile {
  const start = base.indexOf('1');
  const edits = start === -1 ? [] : [{ start, end: start + 1, insert: '2' }];
  const after = base.replace('1', '2');
  const shas = { base_sha256: sha256Hex(base), result_sha256: sha256Hex(after) };
  return { file, base, ...shas, edits, ...look(file, base, after, edits) };
}

export function changeOf(...files: readonly PreviewFile[]): AppliedChange {
  return {
    ...{ v: 1, nonce: 'n'.repeat(22), at: AT, confirmed_by: 'direct' },
    caller: { name: 'test', version: '1' },
    ...{ policy: '0'.repeat(64), roots: ROOTS },
    origin: { kind: 'edit' },
    files,
  };
}

/** As on Windows, which knows none. */
export function withoutUsers(): void {
  const geteuid = Object.getOwnPropertyDescriptor(process, 'geteuid');
  if (geteuid === undefined) return;
  Object.defineProperty(process, 'geteuid', { ...geteuid, value: undefined });
  onTestFinished(() => {
    Object.defineProperty(process, 'geteuid', geteuid);
  });
}
