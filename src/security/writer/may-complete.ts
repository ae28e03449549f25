// Whether what is left of a killed change may be written, where its files still say so: by a signature of exactly this
// change, or because the rules of now let it pass. What the record says of its own level is nobody's word.
import { splice } from '../edits/edit.ts';
import { unlessRefused } from '../errors/refusal.ts';
import type { Level } from '../policy/levels.ts';
import { canCome } from '../policy/policy.ts';
import { Verdict } from '../policy/verdict.ts';
import { contextOf, type Sandbox } from '../sandbox/sandbox.ts';
import { type Snapshot, sha256AsShown } from '../sandbox/snapshot.ts';
import type { RecordedChange } from '../store/change-store.ts';
import type { State } from '../store/state.ts';

export type ChangedFile = RecordedChange['files'][number];

/** What the rules of now say of a change that is kept. */
export type JudgeChange = (change: Pick<RecordedChange, 'files'>) => Verdict;

/** What stands in the place of a file: undefined for what is neither the base nor the result. */
export interface Found {
  /** What is done to its bytes. */
  readonly file: ChangedFile;
  /** The same as it is shown: what was judged, and signed. */
  readonly shown: ChangedFile;
  readonly snapshot: Snapshot | undefined;
  /** Either holds where a change leaves the file as it was. */
  readonly isBase: boolean;
  readonly isResult: boolean;
}

interface Asked {
  readonly sandbox: Sandbox;
  readonly previews: Pick<State['previews'], 'isApproved'>;
  /** Without one, nothing is completed that may need a person but what was signed. */
  readonly judge: JudgeChange | undefined;
  /** By the trail. */
  readonly recorded: 'unknown' | 'begun';
}

/** The levels at which somebody has to have seen the change, or agreed to it. */
const CONFIRMED = ['preview', 'client', 'human'] as const;

export function mayComplete(change: RecordedChange, found: readonly Found[], asked: Asked): boolean {
  const { sandbox, previews, judge, recorded } = asked;
  const { policy } = contextOf(sandbox);
  if (!CONFIRMED.some((level) => canCome(policy, level))) return true;
  const canNeedReviewer = canCome(policy, 'human');
  if (!canNeedReviewer && recorded === 'begun') return true;
  // What is written is what was judged, and signed.
  if (!found.every((file) => isAsShown(file, sandbox))) return false;
  const { preview, files } = change;
  if (canNeedReviewer && preview !== undefined && previews.isApproved(preview, files)) return true;
  const level = levelOf(change, judge);
  // Without a recorded intent only where nobody had to see it.
  return level === 'direct' || (recorded === 'begun' && (level === 'preview' || level === 'client'));
}

/** `deny` where nobody can tell. */
function levelOf(change: RecordedChange, judge: JudgeChange | undefined): Level {
  const verdict = unlessRefused(() => judge?.(change));
  const isAbout = Verdict.isGenuine(verdict) && verdict.isAbout(change.files);
  return isAbout ? verdict.level : 'deny';
}

/** Whether what is still to be written leads from what the change shows as its base to what it shows as its result. */
function isAsShown({ file, shown, snapshot, isResult }: Found, sandbox: Sandbox): boolean {
  if (isResult) return true;
  if (snapshot === undefined) return false;
  const { origin } = contextOf(sandbox);
  const isShown = (text: string, sha256: string) => sha256AsShown(origin, snapshot.path, text) === sha256;
  const result = splice(snapshot.text, file.edits);
  return isShown(snapshot.text, shown.base_sha256) && isShown(result, shown.result_sha256);
}
