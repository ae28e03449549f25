// What is pending, what it would do, and what reviewers decide, signed with their keys. It shows what it has
// computed itself, never what a file of the state directory claims. It applies nothing.
import { recomputePreview, withMasking } from '../adapters/index.ts';
import {
  countsForNone,
  type Decision,
  declined,
  ERROR_CATEGORIES,
  MAX_NOTE_CHARACTERS,
  type Policy,
  proposersOf,
  Refusal,
  type ReviewerKey,
  reviewerOf,
  type Sandbox,
  StartError,
  type State,
  type StoredPreview,
  signDecision,
} from '../security/index.ts';
import { partOf } from '../tools/index.ts';
import { type ChangeDetails, type ChangeView, changeDetails, listChanges } from './change-view.ts';
import { type FileView, fileView, type ViewContext } from './file-view.ts';
import { type PreviewView, previewView, type Waiting, waitingView } from './preview-view.ts';
import { type RevealedFile, revealedFiles } from './revealed-files.ts';

export interface ReviewContext {
  readonly policy: Policy;
  readonly sandbox: Sandbox;
  /** With the reviewers whose decisions count; without any, nobody can decide. */
  readonly state: State;
  readonly now?: () => Date;
}

type NewDecision = Pick<Decision, 'decision' | 'note' | 'part'>;

/** All of each preview is computed anew to be listed, and an agent can make hundreds for the largest files. */
const MOST_LISTING_MS = 3_000;

export class ReviewService {
  readonly #context: Required<ReviewContext> & ViewContext;

  /** The state directory and the roots are open already. */
  constructor({ policy, sandbox, state, now = () => new Date() }: ReviewContext) {
    const recompute = recomputePreview((file) => sandbox.parse(file), policy.limits);
    const masked = withMasking(sandbox, { policy, state, key: state.dir.maskingKey });
    this.#context = { policy, sandbox: masked, state, now, recompute };
  }

  /**
   * `previews`: what a person has to decide, and what is decided and not applied yet; oldest first. `elsewhere`: how many
   * are pending under other options, such as those of another server on this state directory. `left`: how many more there are.
   */
  pending(): { readonly previews: readonly Waiting[]; readonly elsewhere: number; readonly left: number } {
    const { state, now } = this.#context;
    const { decisions } = state;
    const ids = state.previews.waiting();
    const isOpen = (id: string) => decisions.of(id).length === 0;
    const until = now().getTime() + MOST_LISTING_MS;
    const looked = new Map<string, StoredPreview | undefined>();
    for (const id of [...ids.filter(isOpen), ...ids.filter((one) => !isOpen(one))]) {
      if (looked.size > 0 && now().getTime() > until) break;
      looked.set(id, this.#loadIfUsable(id));
    }
    return {
      previews: ids.flatMap((id) => {
        const stored = looked.get(id);
        return stored?.record.approval === 'human' ? [waitingView(stored, decisions)] : [];
      }),
      elsewhere: [...looked].filter(([id, stored]) => stored === undefined && this.isElsewhere(id)).length,
      left: ids.length - looked.size,
    };
  }

  /** Whether the preview with this id is pending under other options. */
  isElsewhere(name: string): boolean {
    const { state, sandbox, now } = this.#context;
    const id = state.previews.idOf(name);
    if (id === undefined || state.decisions.of(id).length > 0) return false;
    const until = state.previews.foreignUntil(id, sandbox.policyFingerprint) ?? '';
    return until > now().toISOString();
  }

  /** Throws PREVIEW_NOT_FOUND, PREVIEW_EXPIRED or PREVIEW_USED. */
  open(id: string): PreviewView {
    return previewView(this.#load(id), this.#context.state.decisions, this.#context);
  }

  /**
   * Throws StartError for a key that is not on the list, APPROVAL_DECLINED for what somebody has rejected, and what
   * `open` throws.
   */
  approve(id: string, key: ReviewerKey): void {
    this.#decide(id, key, { decision: 'approve' });
  }

  /** `note`: which the agent will read. Throws ARGUMENT_INVALID for a longer one than MAX_NOTE_CHARACTERS. */
  reject(id: string, note: string, key: ReviewerKey): void {
    if (note.length > MAX_NOTE_CHARACTERS)
      throw new Refusal(
        'ARGUMENT_INVALID',
        `Cannot reject: the note is longer than ${MAX_NOTE_CHARACTERS} characters.`,
      );
    this.#decide(id, key, note === '' ? { decision: 'reject' } : { decision: 'reject', note });
  }

  /**
   * What a preview would be with these parts only, by their index. Throws ARGUMENT_INVALID for none or all of
   * them, and VERIFICATION_FAILED or SCHEMA_VIOLATION where they need the others.
   */
  part(id: string, selected: readonly number[]): readonly FileView[] {
    const { files } = partOf(this.#load(id), selected, this.#context);
    return files.map((file) => fileView(this.#context, file));
  }

  /** Answers the id of the preview of the part, which is approved; the whole is not. Throws what `part` throws. */
  approvePart(id: string, selected: readonly number[], key: ReviewerKey): string {
    const { previews } = this.#context.state;
    const stored = this.#load(id);
    this.#requireDecidable(stored, key, false);
    if (stored.record.origin.kind === 'part')
      throw new Refusal(
        'ARGUMENT_INVALID',
        'Cannot approve a part of this: it is a part itself. Approve another part of the whole preview.',
      );
    const saved = previews.save(partOf(stored, selected, this.#context));
    if (saved === undefined)
      throw new Refusal('NO_SPACE', 'Cannot approve this part: it is too large to be kept.');
    // The approval of the part first: cut off between the two, it harms nothing.
    this.#decide(saved.id, key, { decision: 'approve' });
    this.#decide(stored.id, key, { decision: 'part', part: saved.id });
    return saved.id;
  }

  /**
   * The diffs with the values that are masked in them. The audit trail says who has seen them, before they are shown. Throws
   * StartError for a key that is not on the list, and the refusals of reading the files.
   */
  reveal(id: string, key: ReviewerKey): readonly RevealedFile[] {
    const reviewer = this.nameOf(key);
    const stored = this.#load(id);
    const files = revealedFiles(stored, this.#context);
    this.#context.state.log.auditAll(() =>
      files.map(({ file }) => ({ action: 'reveal', outcome: 'kept', file, preview: stored.id, reviewer })),
    );
    return files;
  }

  /** For a preview that the person who asked for it does not want after all. Never throws. */
  withdraw(name: string): void {
    const { previews } = this.#context.state;
    previews.discard(previews.idOf(name) ?? name);
  }

  /** Whose key it is. Throws StartError for one that is not on the list. */
  nameOf(key: ReviewerKey): string {
    const reviewer = reviewerOf(key, this.#context.state.reviewers());
    if (reviewer === undefined)
      throw new StartError('this key is not in the reviewers file: its decisions would count for nothing');
    return reviewer.name;
  }

  /** What was applied, newest first. */
  history(): readonly ChangeView[] {
    return listChanges(this.#context.state.changes);
  }

  /** One change, with what it did to its files. Throws a Refusal for one that is not kept. */
  change(id: string): ChangeDetails {
    return changeDetails(id, this.#context.state.changes, this.#context);
  }

  /** Undefined for what is expired, tampered with, applied in this moment or of another policy. */
  #loadIfUsable(id: string): StoredPreview | undefined {
    try {
      return this.#load(id);
    } catch (error) {
      if (error instanceof Refusal && ERROR_CATEGORIES[error.code] === 'conflict') return undefined;
      throw error;
    }
  }

  #load(id: string): StoredPreview {
    const { state, sandbox, recompute } = this.#context;
    return state.previews.load(id, recompute, sandbox.policyFingerprint);
  }

  /** Answers the reviewer's name. A rejection is final: whoever thinks otherwise has the change previewed again. */
  #requireDecidable({ id, record }: StoredPreview, key: ReviewerKey, isRejection: boolean): string {
    const name = this.nameOf(key);
    if (record.approval !== 'human')
      throw new Refusal('ARGUMENT_INVALID', 'Cannot decide this preview: it needs no reviewer.');
    const standing = this.#context.state.decisions.status(id, record);
    if (!isRejection && standing.state === 'rejected') throw declined(standing, 'approve');
    const { needs = [] } = record;
    if (!isRejection && countsForNone(needs, name, proposersOf(record)))
      throw new Refusal(
        'ARGUMENT_INVALID',
        `Cannot approve this: it would not count, because ${name} has proposed the change, or is not among those whom the rule asks for. You can still reject it.`,
      );
    return name;
  }

  #decide(name: string, key: ReviewerKey, decision: NewDecision): void {
    const stored = this.#load(name);
    const { id } = stored;
    const reviewer = this.#requireDecidable(stored, key, decision.decision === 'reject');
    const at = this.#context.now().toISOString();
    const { previews, log } = this.#context.state;
    // Signed at the end of the trail, and recorded there before anybody else can add to it; and not what is being applied.
    log.auditAll((trail) => {
      previews.requireOpen(id);
      const signed = signDecision({ v: 1, preview: id, ...decision, reviewer, at, trail }, key);
      return stored.record.files.map(({ file, base_sha256, result_sha256, changes }, index) => ({
        ...{ action: decision.decision, outcome: 'kept', preview: id, reviewer },
        ...{ file, base_sha256, result_sha256, paths: changes.map(({ path }) => path) },
        signed: index === 0 ? signed : undefined,
      }));
    });
  }
}
