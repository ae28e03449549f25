// What is kept, and every write: for calls of agents, for commands and for reviewers. Calls are planned in a thread of their own, which
// may be ended at any moment and has neither the state nor files to write. Whatever it has asked here still comes to its end, so that
// nothing is left behind. Questions and answers are plain data.
import { shortId } from '../../state/canonical.ts';
import {
  changeOf,
  isClosed,
  type KeptChange,
  type ListedChange,
  type PreviewStatus,
} from '../../state/event.ts';
import { type Caller, encodePreview, isWhole } from '../../state/preview.ts';
import type { WaitingPreview } from '../../state/previews.ts';
import {
  type Approved,
  type AskedApproval,
  approvalDeclined,
  approvalDeclinedAtClient,
  approve,
} from '../approval/approved.ts';
import { type DecisionStatus, decisionStatus, rejectionIn } from '../approval/decisions.ts';
import {
  ALL_ROOTS,
  type Asker,
  isConsistent,
  isExpired,
  isOwn,
  isServed,
  noRoomForPreview,
  type PreviewDraft,
  previewExpired,
  previewNotFound,
  previewReplaced,
  previewUsed,
  type StoredPreview,
  timesOf,
} from '../approval/preview.ts';
import { recordedEvent } from '../audit/recorded-event.ts';
import { Refusal } from '../errors/refusal.ts';
import type { ApprovalNeed } from '../policy/change-policy.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type CommitRequest, commit, recoverRoots } from '../writer/commit.ts';
import type { State } from './state.ts';

export interface SavedPreview {
  readonly id: string;
  readonly expiresAt: string;
}

/** The questions by name, each with its answer. */
interface Questions {
  /**
   * Keeps and records a preview, or does neither; undefined if it is too large. `replaces` is the full id of the one whose place it
   * takes. Throws APPROVAL_UNAVAILABLE where too many wait for a person, NO_SPACE, and what `load` throws where that one is gone.
   */
  keep: [
    { readonly draft: PreviewDraft; readonly requestId?: string; readonly reviewer?: string } & {
      readonly replaces?: string | undefined;
    },
    SavedPreview | undefined,
  ];
  /**
   * Loads the preview that a short or full id names. `policy` is the fingerprint of what is seen, under which it must have been made.
   * Without `by` it may be anybody's. Throws PREVIEW_*, or BUSY for one that is being applied.
   */
  load: [
    { readonly name: string; readonly policy?: string | undefined; readonly by?: Asker | undefined },
    StoredPreview,
  ];
  /** What reviewers have decided about a preview that needs this by the rules of today. */
  decided: [{ readonly id: string; readonly needs: readonly ApprovalNeed[] }, DecisionStatus];
  /** Removes a preview that nobody has begun to apply, if there is one with this id. */
  drop: [{ readonly name: string }, undefined];
  /** Finds a change by its id or that of its preview; undefined if there is none, or it is not of the one who asks. */
  change: [{ readonly name: string; readonly by?: Asker | undefined }, KeptChange | undefined];
  /** The changes before one of this order, newest first: one portion of them. */
  changes: [{ readonly before: number | undefined }, readonly ListedChange[]];
  /** The previews of the served roots that were not applied, oldest first, whether or not they can be loaded. */
  waiting: [Record<string, never>, readonly WaitingPreview[]];
  /** The number of reviewers. */
  facts: [Record<string, never>, { readonly reviewers: number }];
  /** Writes at once, without a preview. Returns the id of the change. */
  write: [CommitRequest & { readonly preview: PreviewDraft }, string];
  /** Writes a preview, if it is approved. Throws APPROVAL_* otherwise. */
  apply: [AskedApply, Applied];
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

/** The limits for previews of the same roots and kind (for an agent, or for a person). Previews of parts may use twice as much. */
const PREVIEW_LIMITS = { previews: 500, totalBytes: 256e6, previewBytes: 80e6 };
const LISTED_AT_ONCE = 50;

/** Makes the backend of a state and of the sandbox whose files are written. */
export function backendOf(state: State, sandbox: Sandbox): Backend {
  const { store, roots } = state;
  // A preview never changes, and the one that a call has loaded is soon asked about or applied.
  let last: StoredPreview | undefined;
  const loaded = async (id: string) => (last?.id === id ? last : loadFrom(state, { name: id }));
  const change: Backend['change'] = async ({ name, by }) => {
    const { id = '', preview, status } = (await store.find(name)) ?? {};
    if (preview === undefined || status === undefined || !isServed(preview, roots)) return undefined;
    const found = isWhole(preview) ? changeOf(id, preview, status) : undefined;
    return by === undefined || isOwn(by, found?.caller) ? found : undefined;
  };
  const load: Backend['load'] = async (asked) => {
    last = await loadFrom(state, asked).catch(async (error: unknown) => {
      const isUsed = error instanceof Refusal && error.code === 'PREVIEW_USED';
      if (!isUsed || asked.by === undefined) throw error;
      const used = await change(asked);
      if (used === undefined) throw error;
      // The caller of a second apply wants to know what happened to the file.
      if (used.state !== 'open') throw error.at({ file: used.files[0]?.file });
      await recoverRoots(sandbox, state);
      if ((await change(asked))?.state !== 'open') return loadFrom(state, asked);
      throw stillApplied(used);
    });
    return last;
  };
  return {
    ...{ load, change },
    keep: (asked) => keepIn(state, asked),
    decided: async ({ id, needs }) => decisionStatus(await loaded(id), needs, state),
    drop: async ({ name }) => {
      const found = await store.find(name);
      if (found !== undefined) await store.drop(found.id);
      return undefined;
    },
    changes: ({ before }) =>
      store.list({ roots: roots === ALL_ROOTS ? undefined : roots, before, most: LISTED_AT_ONCE }),
    waiting: async () => (await store.waiting()).filter((one) => isServed(one, roots)),
    facts: async () => ({ reviewers: state.reviewers().length }),
    write: (request) => commit(request, sandbox, state),
    apply: async ({ id, confirmed, needs, message, caller, ...request }) => {
      const preview = await loaded(id);
      // It may have large texts.
      last = undefined;
      if (preview.record.approval === 'client' && confirmed === 'declined')
        throw await declined(preview, { caller, requestId: request.requestId }, state);
      const approved = await approve(preview, { confirmed, needs, message }, state);
      const { confirmedBy, reviewer } = approved;
      const written = await commit({ ...request, preview: approved }, sandbox, state);
      return { change: written, confirmedBy, reviewer };
    },
  };
}

async function keepIn(
  state: State,
  { draft, requestId, reviewer, replaces }: Asked<'keep'>,
): Promise<Answer<'keep'>> {
  const { store, roots, now, requireRoom } = state;
  const preview = await encodePreview({ roots, ...draft, ...timesOf(now(), draft.approval) });
  const { created_at: created, expires_at: expiresAt } = preview.preview;
  const { previews, totalBytes, previewBytes } = PREVIEW_LIMITS;
  if (preview.sizeBytes > previewBytes) return undefined;
  // A person makes a part, so it has room of its own: otherwise a flood of previews would keep people from
  // approving parts.
  const isPart = draft.origin.kind === 'part';
  if (!isPart) requireRoom();
  const times = isPart ? 2 : 1;
  const bounds = { previews: previews * times, totalBytes: totalBytes * times };
  const { caller, reason, approval } = draft;
  const said = { caller, reason, reviewer, request_id: requestId, files: draft.files };
  const until = approval === 'human' ? expiresAt : undefined;
  const time = new Date(created);
  const event = recordedEvent({ type: 'previewed', about: preview.id, ...said, expires_at: until }, time);
  const joins =
    replaces === undefined
      ? undefined
      : recordedEvent({ type: 'joined', about: replaces, by: preview.id, caller }, time);
  const kept = await store.keep(preview, event, { bounds, joins });
  if (kept === 'no room') throw noRoomForPreview(approval === 'human');
  if (kept === 'gone') throw goneRefusal(replaces ?? '', await store.statusOf(replaces ?? ''), state);
  return { id: preview.id, expiresAt };
}

/** Loads a preview, and checks that its content has the hash in its id, is consistent, and belongs to these roots. */
async function loadFrom(state: State, { name, policy, by }: Asked<'load'>): Promise<StoredPreview> {
  const { store, log, roots, now } = state;
  const found = await store.find(name);
  if (found === undefined) throw previewNotFound();
  const { id, preview, isKept, status } = found;
  if (by !== undefined && !isOwn(by, preview?.caller)) throw previewNotFound();
  if (!isKept) throw goneRefusal(id, status, state);
  // This check stands first: previews of other roots are not ours, and this policy may not allow even the
  // names of their files.
  if (preview !== undefined && !isServed(preview, roots)) throw previewNotFound();
  if (status.write !== undefined) throw previewUsed(id);
  if (preview !== undefined && policy !== undefined && preview.policy !== policy)
    // The preview is left out of the refusal, because its arguments may hold what is masked by now.
    throw previewExpired(
      'it was made under other options about which files are seen, and what is masked in them',
    );
  if (preview === undefined || !isConsistent(preview)) {
    // Somebody has written to the state: its content no longer has the hash that the id names.
    log.event('error', 'preview_tampered', { sha256: id });
    throw previewNotFound();
  }
  if (isExpired(preview, now())) throw previewExpired('it is too old', preview);
  return { id, record: preview, status };
}

/** Returns the refusal for a preview that is no longer kept, with the reason if the trail knows it. */
function goneRefusal(id: string, status: PreviewStatus, { reviewers }: State): Refusal {
  const { write, joinedInto } = status;
  if (write !== undefined) return previewUsed(id);
  if (joinedInto !== undefined) return previewReplaced(joinedInto);
  if (!isClosed(status)) return previewNotFound();
  return approvalDeclined(rejectionIn(status, reviewers()) ?? { reviewer: '' });
}

/** Records the no of the person at the client, and makes the refusal. Throws if it cannot be recorded. */
async function declined(
  { id, record }: StoredPreview,
  { caller, requestId }: Pick<AskedApply, 'caller' | 'requestId'>,
  state: State,
): Promise<Refusal> {
  const said = { files: record.files, caller, request_id: requestId };
  await state.audit([{ type: 'declined', about: id, ...said }]);
  return approvalDeclinedAtClient('the person at the client said no');
}

function stillApplied({ id, files }: KeptChange): Refusal {
  return new Refusal(
    'BUSY',
    `Cannot apply this preview: it is being applied right now, as change ${shortId('ch', id)}, or the process that did so has ended on another machine. Try again in a moment.`,
    { file: files[0]?.file },
  );
}

/** Yields the changes, newest first; they are read in portions as they are needed. */
export async function* newestFirst({ changes }: Pick<Backend, 'changes'>): AsyncGenerator<ListedChange> {
  let portion = await changes({ before: undefined });
  while (portion.length > 0) {
    yield* portion;
    portion = await changes({ before: portion.at(-1)?.order });
  }
}
