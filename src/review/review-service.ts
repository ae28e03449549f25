// The review: it lists the pending previews, shows what they would do, and keeps the decisions of reviewers, signed with their keys.
// What it shows is computed from texts and edits. It applies nothing.
import { withMasking } from '../adapters/secrets/mask-text.ts';
import type { PreviewDraft, StoredPreview } from '../security/approval/preview.ts';
import type { ReviewerKey } from '../security/approval/reviewer-key.ts';
import { type Reviewer, reviewerOf } from '../security/approval/reviewers.ts';
import {
  MAX_NOTE_CHARACTERS,
  RECORDED_AS,
  signDecision,
  statedChange,
} from '../security/approval/statement.ts';
import { recordedEvent } from '../security/audit/recorded-event.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { StartError } from '../security/errors/start-error.ts';
import type { Policy } from '../security/policy/policy.ts';
import type { Sandbox } from '../security/sandbox/sandbox.ts';
import { backendOf } from '../security/state/backend.ts';
import type { State } from '../security/state/state.ts';
import type { Decision, Event } from '../state/event.ts';
import { partOf, underPresentRules } from '../tools/index.ts';
import {
  approvalsOf,
  type ChangeDetails,
  type ChangeView,
  changeDetails,
  listChanges,
} from './change-view.ts';
import { type FileView, fileView, type ViewContext } from './file-view.ts';
import { noticeData } from './notice-data.ts';
import { type Notice, type NoticeKind, Notices } from './notices.ts';
import { type ChangePatch, patchOf } from './patches.ts';
import { isPendingElsewhere, listPending, nextPending, type Pending, type PendingFilter } from './pending.ts';
import { type PreviewView, previewView } from './preview-view.ts';
import { requireDecidable } from './require-decidable.ts';
import { type RevealedFile, revealedFiles } from './revealed-files.ts';

export interface ReviewContext {
  readonly policy: Policy;
  readonly sandbox: Sandbox;
  /** The state, with the reviewers whose decisions count; without reviewers nobody can decide. */
  readonly state: State;
  readonly now?: () => Date;
}

/** A preview, and the reviewer who may decide about it. */
interface Decidable {
  readonly stored: StoredPreview;
  readonly reviewer: string;
}

type NewDecision = Pick<Decision, 'decision' | 'note'>;

export class ReviewService {
  readonly #context: Required<ReviewContext> & ViewContext;

  /** Takes the opened state and sandbox. */
  constructor({ policy, sandbox, state, now = () => new Date() }: ReviewContext) {
    const masked = withMasking({ sandbox, policy, maskingKey: state.store.maskingKey });
    this.#context = { policy, sandbox: masked, state, now, backend: backendOf(state, sandbox) };
  }

  /**
   * Returns the `previews` that wait for a decision or for being applied, oldest first. `elsewhere` counts those under other
   * options, such as those of another server on this state. `left` counts those that were too many to be listed.
   */
  async pending(filter?: PendingFilter): Promise<Pending> {
    return listPending(this.#context, (id) => this.#loadIfUsable(id), filter);
  }

  /** True if the preview with this id is pending under other options. */
  isElsewhere(name: string): Promise<boolean> {
    return isPendingElsewhere(this.#context, name);
  }

  /** Shows a preview, to the holder of the key if one is given. Throws PREVIEW_NOT_FOUND, PREVIEW_EXPIRED or PREVIEW_USED. */
  async open(id: string, key?: Pick<ReviewerKey, 'id'>): Promise<PreviewView> {
    return previewView(await this.#load(id), key && this.#reviewer(key), this.#context);
  }

  /** Finds another preview that nobody has decided about. */
  next(id: string): Promise<string | undefined> {
    return nextPending(this.#context, id, (other) => this.#loadIfUsable(other));
  }

  /** Approves a preview. Throws StartError for a key that is not listed, APPROVAL_DECLINED after a rejection, and what `open` throws. */
  async approve(id: string, key: ReviewerKey): Promise<void> {
    await this.#sign(await this.#decidable(id, key), key, { decision: 'approve' });
  }

  /** Rejects a preview; the agent will read `note`. Throws ARGUMENT_INVALID for a note of more than MAX_NOTE_CHARACTERS. */
  async reject(id: string, note: string, key: ReviewerKey): Promise<void> {
    if (note.length > MAX_NOTE_CHARACTERS)
      throw new Refusal(
        'ARGUMENT_INVALID',
        `Cannot reject: the note is longer than ${MAX_NOTE_CHARACTERS} characters.`,
      );
    const decision =
      note === '' ? ({ decision: 'reject' } as const) : ({ decision: 'reject', note } as const);
    await this.#sign(await this.#decidable(id, key, true), key, decision);
  }

  /**
   * Shows what a preview would be with these parts only, given by their index. Throws ARGUMENT_INVALID for none or all of them,
   * and VERIFICATION_FAILED or SCHEMA_VIOLATION where they need the others.
   */
  async part(id: string, selected: readonly number[]): Promise<readonly FileView[]> {
    const { files } = partOf(await this.#load(id), selected, this.#context);
    return files.map((file) => fileView(this.#context, file));
  }

  /** Approves a part, but not the whole, and returns the id of the part's preview. Throws what `part` throws. */
  async approvePart(id: string, selected: readonly number[], key: ReviewerKey): Promise<string> {
    const { stored, reviewer } = await this.#decidable(id, key);
    if (stored.record.origin.kind === 'part')
      throw new Refusal(
        'ARGUMENT_INVALID',
        'Cannot approve a part of this: it is a part itself. Approve another part of the whole preview.',
      );
    const part = await this.#keepNew(partOf(stored, selected, this.#context), key);
    const approved = await this.#signed(await this.#decidable(part, key), key, { decision: 'approve' });
    const { files } = stored.record;
    const event = { type: 'split', about: stored.id, by: part, reviewer, files } as const;
    await this.#decide(stored.id, [recordedEvent(event, this.#context.now()), approved]);
    return part;
  }

  /** Keeps a preview that the reviewer has made. */
  async #keepNew(draft: PreviewDraft, key: ReviewerKey): Promise<string> {
    const reviewer = this.nameOf(key);
    const saved = await this.#context.backend.keep({ draft, reviewer });
    if (saved === undefined)
      throw new Refusal('NO_SPACE', 'Cannot approve this: it is too large to be kept.');
    return saved.id;
  }

  /**
   * Returns the diffs with the masked values. The audit trail records who sees them, before they are shown. Throws StartError
   * for a key that is not listed, and the refusals of reading the files.
   */
  async reveal(id: string, key: ReviewerKey): Promise<readonly RevealedFile[]> {
    const reviewer = this.nameOf(key);
    const stored = await this.#load(id);
    const files = await revealedFiles(stored, this.#context);
    const shown = stored.record.files.map(({ file }) => ({ file }));
    const event = { type: 'revealed', files: shown, about: stored.id, reviewer } as const;
    await this.#context.state.audit([event]);
    return files;
  }

  /** Withdraws a preview that its requester no longer wants. Never throws. */
  async withdraw(name: string): Promise<void> {
    await this.#context.backend.drop({ name }).catch(() => undefined);
  }

  /** Returns the name of the reviewer with this key. Throws StartError if it is not listed. */
  nameOf(key: ReviewerKey): string {
    return this.#reviewer(key).name;
  }

  #reviewer(key: Pick<ReviewerKey, 'id'>): Reviewer {
    const reviewer = reviewerOf(key, this.#context.state.reviewers());
    if (reviewer === undefined)
      throw new StartError('this key is not in the reviewers file: its decisions would count for nothing');
    return reviewer;
  }

  /** Lists the applied changes, newest first. */
  history(): Promise<readonly ChangeView[]> {
    return listChanges(this.#context.backend);
  }

  /** Shows one change, with its effect on the files. Throws CHANGE_NOT_FOUND if it is not kept. */
  change(id: string): Promise<ChangeDetails> {
    return changeDetails(id, this.#context);
  }

  /** Returns a change with the diffs of its files, in which is masked what is masked today. Throws CHANGE_NOT_FOUND. */
  patch(id: string): Promise<ChangePatch> {
    return patchOf(id, this.#context);
  }

  /** Follows the trail for events of these kinds. */
  notices(kinds: readonly NoticeKind[]): Notices {
    return new Notices(this.#context.state, kinds);
  }

  /** Returns what a program is told of an event. */
  noticeData(notice: Notice, withDiff: boolean): Promise<Readonly<Record<string, unknown>>> {
    const load = (id: string) => this.#load(id);
    return noticeData(notice, withDiff, { ...this.#context, load });
  }

  /** Returns the signed approvals of a change, each as a line. Throws CHANGE_NOT_FOUND if it is not kept, or nobody signed it. */
  async record(id: string): Promise<readonly string[]> {
    return approvalsOf(id, this.#context);
  }

  /** Loads a preview; undefined if it is expired, tampered with, just applied, or of another view of the files. */
  async #loadIfUsable(id: string): Promise<StoredPreview | undefined> {
    try {
      return await this.#load(id);
    } catch (error) {
      if (error instanceof Refusal && /^(?:PREVIEW|FILE_CHANGED|CHANGE_NOT)/u.test(error.code))
        return undefined;
      throw error;
    }
  }

  #load(id: string): Promise<StoredPreview> {
    const { backend, sandbox } = this.#context;
    return backend.load({ name: id, policy: sandbox.policyFingerprint });
  }

  /** Loads a preview that the holder of the key can decide about. */
  async #decidable(id: string, key: ReviewerKey, isRejection = false): Promise<Decidable> {
    const stored = await this.#load(id);
    const reviewer = this.#reviewer(key);
    await requireDecidable(stored, { reviewer, isRejection }, this.#context);
    return { stored, reviewer: reviewer.name };
  }

  async #sign(decidable: Decidable, key: ReviewerKey, decision: NewDecision): Promise<void> {
    await this.#decide(decidable.stored.id, [await this.#signed(decidable, key, decision)]);
  }

  async #signed({ stored, reviewer }: Decidable, key: ReviewerKey, decision: NewDecision): Promise<Event> {
    const { id, record } = stored;
    const now = this.#context.now();
    // The signature includes the present end of the trail, so that the decision is valid in this trail only.
    const trail = await this.#context.state.store.head();
    const said = { v: 1, preview: id, ...decision, reviewer, at: now.toISOString(), trail } as const;
    const signed = signDecision(said, statedChange(await underPresentRules(record, this.#context)), key);
    const { files } = record;
    return recordedEvent({ type: RECORDED_AS[decision.decision], about: id, reviewer, files, signed }, now);
  }

  async #decide(id: string, events: readonly Event[]): Promise<void> {
    const recorded = await this.#context.state.store.decide(id, events);
    // Nothing was recorded because the preview is being applied at this moment. Loading it throws the refusal.
    if (recorded === undefined) await this.#load(id);
  }
}
