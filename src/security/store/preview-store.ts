// The previews, each stored under its hash, for a time and in a bounded number; each text that was read is stored once,
// under its own hash. What was decided about a preview, and whether it was applied, the audit trail says. Several processes
// may share the folders: of two that apply one preview, one succeeds.
import { type Approved, approvedByReviewer, declined } from '../approval/approved.ts';
import type { Decisions } from '../approval/decisions.ts';
import { expiryOf, type Preview } from '../approval/preview.ts';
import {
  previewIn,
  type RecomputePreview,
  type StoredPreview,
  storedPreview,
} from '../approval/stored-preview.ts';
import type { Log } from '../audit/log.ts';
import type { AuditRecord } from '../audit/log-fields.ts';
import { stateRefusal } from '../audit/state-refusal.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { Refusal } from '../errors/refusal.ts';
import { encodeFresh } from '../records/fields.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { canonicalJson, isContentId } from '../text/canonical-json.ts';
import { fullId } from '../text/short-id.ts';
import { expired, notFound, tooMany, used } from './preview-errors.ts';
import { PreviewFiles, type SavedPreview } from './preview-files.ts';
import {
  idsIn,
  KeptPreviews,
  type NewPreview,
  PREVIEW_BOUNDS,
  type PreviewBounds,
  sizedOf,
} from './retention.ts';

/** What a preview is before the store gives it a nonce, a time and the roots that the store is for. */
export type PreviewDraft = Omit<Preview, 'v' | 'nonce' | 'created_at' | 'expires_at' | 'roots'>;

export interface PreviewStoreOptions {
  readonly folder: StateFolder;
  readonly texts: StateFolder;
  readonly decisions: Decisions;
  readonly trail: AuditTrail;
  readonly log: Log;
  /** Hash of the roots that are served: servers of other roots may share the folders. */
  readonly roots: string;
  readonly now: () => Date;
  readonly bounds?: PreviewBounds;
}

export class PreviewStore {
  readonly #options: Required<PreviewStoreOptions>;
  readonly #files: PreviewFiles;
  readonly #kept: KeptPreviews;
  /** Where the trail ended behind the last preview that was saved here. */
  #lastSeq: number | undefined;

  constructor(options: PreviewStoreOptions) {
    this.#options = { bounds: PREVIEW_BOUNDS, ...options };
    const { folder, texts, bounds } = this.#options;
    this.#files = new PreviewFiles(folder, texts, bounds.previewBytes);
    this.#kept = new KeptPreviews(folder, texts);
  }

  /**
   * Kept and recorded, or neither. Undefined for a preview that is too large to be kept. Throws APPROVAL_UNAVAILABLE where
   * too many wait for a person, NO_SPACE where there is no room for its record.
   */
  save(
    draft: PreviewDraft,
    recordsOf: (id: string) => readonly AuditRecord[] = () => [],
  ): SavedPreview | undefined {
    const { log, roots, now, bounds } = this.#options;
    const created = now();
    const expiresAt = expiryOf(created, draft.approval);
    const preview = { v: 1, created_at: created.toISOString(), expires_at: expiresAt, ...draft, roots };
    const { id, line } = encodeFresh(preview);
    const sizes = [line, ...draft.files.map(({ base }) => base)].map((text) => Buffer.byteLength(text));
    const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);
    if (sizeBytes > Math.min(bounds.previewBytes, bounds.totalBytes)) return undefined;
    try {
      // With the trail's lock held, so that nobody drops a text that this preview needs.
      log.noteAll((end) => {
        this.#put({ ...sizedOf(draft, line), id, roots, expiresAt }, line, draft, end.seq);
        const records = recordsOf(id);
        this.#lastSeq = end.seq + records.length;
        return records;
      });
    } catch (error) {
      this.discard(id);
      // The trail may come to that number by the records of others.
      this.#lastSeq = undefined;
      throw error;
    }
    return { id, expiresAt };
  }

  #put(kept: NewPreview, line: string, { origin, files }: PreviewDraft, seq: number): void {
    const { trail, log, now, bounds } = this.#options;
    // A part is made by a person and has room of its own: else a flood of previews would keep people from approving parts.
    const times = origin.kind === 'part' ? 2 : 1;
    const own = { ...bounds, previews: bounds.previews * times, totalBytes: bounds.totalBytes * times };
    // Whoever saves a preview records it: a trail that has not grown means that nobody else has saved one.
    const context = { now: now(), isDone: this.#isDone, isCurrent: seq === this.#lastSeq };
    try {
      if (origin.kind !== 'part') trail.requireRoom();
      if (!this.#kept.makeRoom(own, kept, context)) throw tooMany(kept.isForPerson);
      this.#files.put(kept.id, line, files);
      this.#kept.add({ ...kept, since: this.#files.since(kept.id) });
    } catch (error) {
      throw stateRefusal('keep the preview', error, log);
    }
  }

  /**
   * The preview that the id names, short or full, checked. Throws PREVIEW_NOT_FOUND, PREVIEW_USED or PREVIEW_EXPIRED.
   * `policy`: the fingerprint of the one that it must have been made under, if it is to be applied.
   */
  load(name: string, recompute: RecomputePreview, policy?: string): StoredPreview {
    const { log, roots, now } = this.#options;
    try {
      const id = this.idOf(name);
      if (id === undefined) throw notFound();
      const text = this.#files.read(id);
      if (text === undefined) throw this.#gone(id);
      const read = previewIn(id, text);
      // Before anything in it is looked at: previews of other roots are not ours, and this policy may not even let its files
      // be named.
      if (read !== undefined && read.roots !== roots) throw notFound();
      this.requireOpen(id);
      if (read !== undefined && policy !== undefined && read.policy !== policy)
        throw expired('it was made under another policy', read);
      const preview = read === undefined ? undefined : storedPreview(id, read, recompute);
      if (preview === undefined) {
        // Somebody has written to the state directory: what the id named is no longer there.
        log.event('error', 'preview_tampered', { sha256: id });
        throw notFound();
      }
      if (preview.isExpired(now())) throw expired('it is too old', preview.record);
      return preview;
    } catch (error) {
      throw stateRefusal('read the preview', error, log);
    }
  }

  /**
   * Until when a person may decide about a preview that was made under another policy, or for other roots; undefined for
   * any other. Nothing else of it may be shown under this policy.
   */
  foreignUntil(id: string, policy: string): string | undefined {
    const preview = this.#recordOf(id);
    const isForeign = preview?.policy !== policy || preview.roots !== this.#options.roots;
    return preview?.approval === 'human' && isForeign ? preview.expires_at : undefined;
  }

  /** The full id of a preview that is kept, or that the trail knows. */
  idOf(name: string): string | undefined {
    const { folder, trail } = this.#options;
    return fullId('pv', name, () => [...idsIn(folder.names()), ...trail.previewIds()]);
  }

  /** Why it is not kept, as far as the trail knows. */
  #gone(id: string): Refusal {
    const { rejectedBy, changeId } = this.#options.trail.statusOf(id);
    if (changeId !== undefined) return used(changeId);
    return rejectedBy === undefined ? notFound() : declined({ state: 'rejected', reviewer: rejectedBy });
  }

  /** By what was read of the trail so far. */
  readonly #isDone = (id: string): boolean => {
    const { trail } = this.#options;
    const { changeId, rejectedBy } = trail.statusSoFar(id);
    // Recovery asks for the preview of a change that is not finished.
    return rejectedBy !== undefined || (changeId !== undefined && !trail.isOpen(changeId));
  };

  /** For a preview whose id was never given out. Never throws. */
  discard(id: string): void {
    this.#files.remove(id);
  }

  /**
   * Throws APPROVAL_DECLINED or APPROVAL_REQUIRED where the approval no longer holds, and PREVIEW_USED where another
   * process was faster: from the record of its intent on, nobody else applies it.
   */
  requireStillApproved({ preview, confirmedBy }: Approved): void {
    const { trail, decisions } = this.#options;
    this.requireOpen(preview.id);
    // With the reviewer's note, where somebody has rejected it.
    if (confirmedBy === 'human') approvedByReviewer(preview, decisions);
    const { rejectedBy } = trail.statusSoFar(preview.id);
    if (rejectedBy !== undefined) throw declined({ state: 'rejected', reviewer: rejectedBy });
  }

  /** Whether a reviewer has signed that exactly these files are changed so, and nobody has rejected it. */
  isApproved(id: string, files: Preview['files']): boolean {
    const preview = this.#recordOf(id);
    if (preview === undefined || canonicalJson(preview.files) !== canonicalJson(files)) return false;
    return this.#options.decisions.status(id, preview).state === 'approved';
  }

  /** Throws PREVIEW_USED. */
  requireOpen(id: string): void {
    const { changeId } = this.#options.trail.statusOf(id);
    if (changeId !== undefined) throw used(changeId);
  }

  /** Who asked for it; undefined where it is not kept, whatever became of it. */
  callerOf(name: string): Preview['caller'] | undefined {
    return this.#recordOf(this.idOf(name) ?? '')?.caller;
  }

  #recordOf(id: string): Preview | undefined {
    return isContentId(id) ? previewIn(id, this.#files.read(id) ?? '') : undefined;
  }

  /** What the preview became when it was applied, or is becoming. */
  changeOf(name: string): string | undefined {
    return this.#options.trail.statusOf(this.idOf(name) ?? name).changeId;
  }

  /** The ids of previews that were not applied, of any roots, and whether or not they can be loaded. Oldest first. */
  waiting(): readonly string[] {
    const { folder, trail } = this.#options;
    trail.readOn();
    return idsIn(folder.names())
      .filter((id) => trail.statusSoFar(id).changeId === undefined)
      .map((id) => ({ id, since: this.#files.since(id) }))
      .sort((a, b) => (a.since < b.since ? -1 : 1))
      .map(({ id }) => id);
  }

  /** How many of these roots were not applied, whether or not they can be loaded. */
  get waitingCount(): number {
    const { roots, trail } = this.#options;
    trail.readOn();
    const isWaiting = (id: string) => trail.statusSoFar(id).changeId === undefined;
    return this.#kept.all().filter((kept) => kept.roots === roots && isWaiting(kept.id)).length;
  }

  /** Those that a checkpoint has to remember: a rejection of the whole counts for its parts. */
  get remembered(): ReadonlySet<string> {
    return new Set(this.#kept.all().flatMap((preview) => [preview.id, preview.partOf ?? preview.id]));
  }

  /** What has expired goes. */
  tidy(): void {
    const { trail, now } = this.#options;
    // As each preview is saved: else a text could go that a new one has just relied on.
    trail.locked(() => this.#kept.dropExpired(now()));
  }
}
