// What a call asks of the thread that has the state and the files: everything that is kept, and every write. Calls are planned in a
// thread of their own, which may be ended at any moment. Whatever it has asked here still comes to its end, so that nothing is left
// behind. Questions and answers are plain data.
import { shortId } from '../../state/canonical.ts';
import type { KeptChange, ListedChange } from '../../state/event.ts';
import type { Caller } from '../../state/preview.ts';
import type { WaitingPreview } from '../../state/previews.ts';
import {
  type Approved,
  type AskedApproval,
  approvalDeclinedAtClient,
  approve,
} from '../approval/approved.ts';
import type { DecisionStatus } from '../approval/decisions.ts';
import { type Asker, isOwn, type PreviewDraft, type SavedPreview } from '../approval/previews.ts';
import type { StoredPreview } from '../approval/stored-preview.ts';
import { auditedFiles } from '../audit/recorded-event.ts';
import { Refusal } from '../errors/refusal.ts';
import type { ApprovalNeed } from '../policy/change-policy.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type CommitRequest, commit, recoverRoots } from '../writer/commit.ts';
import type { State } from './state.ts';

/** The questions by name, each with its answer. */
interface Questions {
  /** Keeps a preview; undefined if it is too large. `replaces` is the full id of the one whose place it takes. */
  keep: [
    { readonly draft: PreviewDraft; readonly requestId: string; readonly replaces: string | undefined },
    SavedPreview | undefined,
  ];
  /** Loads a preview of the one who asks, made under this policy. Throws PREVIEW_*, or BUSY for one that is being applied. */
  load: [{ readonly name: string; readonly policy: string; readonly by: Asker }, StoredPreview];
  /** What reviewers have decided about a preview that needs this by the rules of today. */
  decided: [{ readonly id: string; readonly needs: readonly ApprovalNeed[] }, DecisionStatus];
  /** Finds a change of the one who asks, by its id or that of its preview; undefined if there is none. */
  change: [{ readonly name: string; readonly by: Asker }, KeptChange | undefined];
  /** The changes before one of this order, newest first: one portion of them. */
  changes: [{ readonly before: number | undefined }, readonly ListedChange[]];
  /** The previews that were not applied, oldest first. */
  waiting: [Record<string, never>, readonly WaitingPreview[]];
  facts: [Record<string, never>, Facts];
  /** Writes at once, without a preview. Returns the id of the change. */
  write: [CommitRequest & { readonly preview: PreviewDraft }, string];
  /** Writes a preview, if it is approved. Throws APPROVAL_* otherwise. */
  apply: [AskedApply, Applied];
}

interface Facts {
  readonly reviewers: number;
  /** The previews of these roots that wait. */
  readonly waiting: number;
  /** True if other machines may share the state. */
  readonly isShared: boolean;
}

type AskedApply = Omit<CommitRequest, 'preview'> &
  AskedApproval & { readonly id: string; readonly caller: Caller };

interface Applied extends Pick<Approved, 'confirmedBy' | 'reviewer'> {
  readonly change: string;
}

export type Question = keyof Questions;
export type Asked<Name extends Question> = Questions[Name][0];
export type Answer<Name extends Question> = Questions[Name][1];

export type Backend = { readonly [Name in Question]: (asked: Asked<Name>) => Promise<Answer<Name>> };

/** Makes the backend of a state and of the sandbox whose files are written. */
export function backendOf(state: State, sandbox: Sandbox): Backend {
  const { previews, decisions, changes } = state;
  // A preview never changes, and the one that a call has loaded is soon asked about or applied.
  let last: StoredPreview | undefined;
  const loaded = async (id: string) => (last?.id === id ? last : previews.load(id));
  return {
    keep: ({ draft, requestId, replaces }) => previews.save(draft, { request_id: requestId }, replaces),
    load: async ({ name, policy, by }) => {
      last = await previews.load(name, policy, by).catch(async (error: unknown) => {
        if (!(error instanceof Refusal) || error.code !== 'PREVIEW_USED') throw error;
        const change = await changes.find(name);
        if (change === undefined || !isOwn(by, change.caller)) throw error;
        // The caller of a second apply wants to know what happened to the file.
        if (change.state !== 'open') throw error.at({ file: change.files[0]?.file });
        await recoverRoots(sandbox, state);
        if ((await changes.find(name))?.state !== 'open') return previews.load(name, policy, by);
        throw stillApplied(change);
      });
      return last;
    },
    decided: async ({ id, needs }) => {
      const { record, status } = await loaded(id);
      return decisions.status(id, { ...record, needs }, status);
    },
    change: async ({ name, by }) => {
      const change = await changes.find(name);
      return change !== undefined && isOwn(by, change.caller) ? change : undefined;
    },
    changes: ({ before }) => changes.before(before),
    waiting: () => previews.waiting(),
    facts: async () => ({
      reviewers: state.reviewers().length,
      waiting: await previews.countWaiting(),
      isShared: !state.location.isLocal,
    }),
    write: (request) => commit(request, sandbox, state),
    apply: async ({ id, confirmed, needs, message, caller, ...request }) => {
      const preview = await loaded(id);
      // It may have large texts.
      last = undefined;
      if (preview.record.approval === 'client' && confirmed === 'declined')
        throw await declined(preview, { caller, requestId: request.requestId }, state);
      const approved = await approve(preview, { confirmed, needs, message }, decisions);
      const { confirmedBy, reviewer } = approved;
      return {
        change: await commit({ ...request, preview: approved }, sandbox, state),
        confirmedBy,
        reviewer,
      };
    },
  };
}

/** Records the no of the person at the client, and makes the refusal. Throws if it cannot be recorded. */
async function declined(
  { id, record }: StoredPreview,
  { caller, requestId }: Pick<AskedApply, 'caller' | 'requestId'>,
  state: State,
): Promise<Refusal> {
  const files = auditedFiles(record.files);
  await state.audit([{ type: 'declined', about: id, files, caller, request_id: requestId }]);
  return approvalDeclinedAtClient('the person at the client said no');
}

function stillApplied({ id, files }: KeptChange): Refusal {
  return new Refusal(
    'BUSY',
    `Cannot apply this preview: it is being applied right now, as change ${shortId('ch', id)}, or the process that did so has ended on another machine. Try again in a moment.`,
    { file: files[0]?.file },
  );
}
