// A state in memory with what this layer makes of it, and a preview that is small enough to be read: for tests of approvals.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PREVIEW_LIMITS, type PreviewLimits } from '../../../src/security/approval/previews.ts';
import {
  createLog,
  type Decision,
  Decisions,
  makeReviewerKey,
  type PreviewDraft,
  Previews,
  type ReviewerKey,
  readReviewers,
  signDecision,
} from '../../../src/security/index.ts';
import { openSqliteStore, type StateStore, sha256Hex } from '../../../src/state/index.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { STATED } from '../../harness/signed.ts';
import { trailRecord } from '../../harness/state.ts';
import { place } from '../fixture.ts';

const ROOTS = '0'.repeat(64);
export const AT = '2026-11-21T12:00:00.000Z';
export const [CHANGE_ID, OTHER_ID, PART_ID, PART_2_ID] = ['a', 'b', 'c', 'd'].map((letter) =>
  letter.repeat(52),
) as [string, string, string, string];

export const BASE = 'a: 1\n';
const EDITS = [{ start: 3, end: 4, insert: '2' }];
const CHANGE = { op: 'replace', doc: 0, path: 'a', from: '1', to: '2', line: 1 } as const;
/** A stand-in for what an adapter shows. */
export function look(file: string, base: string, after: string) {
  const changes = [CHANGE];
  return { diff: `${file}: ${base} -> ${after}`, changes, removed_comments: [], also_affects: [] };
}

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
        ...look('a.yaml', BASE, 'a: 2\n'),
      },
    ],
    warnings: [],
    ...changes,
  };
}

export function opened(store: StateStore = openSqliteStore({ file: ':memory:' })) {
  const here = place(memoryDisk());
  onTestFinished(() => store.close());
  const log = createLog({ level: 'info', format: 'json', file: join(here.base, 'log.jsonl') });
  const key = makeReviewerKey('ann');
  const file = here.write('reviewers', `# who may approve\n${key.line}\n`, 0o600);
  const reviewers = readReviewers(file, [here.root]);
  let time = new Date(AT);
  const now = () => time;
  const decisions = new Decisions({ store, reviewers: () => reviewers, log });
  const previews = (limits: PreviewLimits = PREVIEW_LIMITS, roots = ROOTS) =>
    new Previews({ store, log, roots, now, limits, requireRoom: () => undefined });
  return {
    ...{ here, store, log, reviewers, decisions, previews, ann: key.key },
    /** As a reviewer's side does. */
    decide: (decision: Decided, by = key.key) => decideIn(store, decision, by),
    pass: (minutes: number) => {
      time = new Date(time.getTime() + minutes * 60_000);
    },
  };
}

type Decided = Omit<Decision, 'v' | 'trail' | 'at' | 'reviewer'> & Partial<Pick<Decision, 'at' | 'reviewer'>>;

async function decideIn(store: StateStore, decided: Decided, key: ReviewerKey): Promise<void> {
  const { preview, decision: action, reviewer = 'ann', at = AT } = decided;
  const trail = await store.head();
  const signed = signDecision({ v: 1, ...decided, reviewer, at, trail }, STATED, key);
  await store.append([trailRecord({ action, outcome: 'kept', preview, reviewer, signed })], true);
}

export const idOf = async (previews: Previews, changes?: Partial<PreviewDraft>) =>
  (await previews.save(draft(changes)))?.id ?? '';
