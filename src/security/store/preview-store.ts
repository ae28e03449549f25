// The previews: kept under the hash of all they say, for a time, in a bounded number. An id that was dropped
// or used is known as that for a while. Several processes may share the folder: of two that claim one preview,
// one gets it.
import { Approved, approvedByReviewer, declined } from '../approval/approved.ts';
import { type ClaimedPreview, claimedPreview } from '../approval/claimed-preview.ts';
import type { DecisionStore } from '../approval/decision-store.ts';
import { expiryOf, type Preview } from '../approval/preview.ts';
import {
  previewIn,
  type RecomputePreview,
  type StoredPreview,
  storedPreview,
} from '../approval/stored-preview.ts';
import type { AuditIndex } from '../audit/audit-index.ts';
import type { Log } from '../audit/log.ts';
import { stateRefusal } from '../audit/state-refusal.ts';
import { ignoring } from '../errors/io-refusal.ts';
import type { Refusal } from '../errors/refusal.ts';
import { encodeFresh } from '../records/fields.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { canonicalJson, isContentId } from '../text/canonical-json.ts';
import { expired, notFound, tooMany, used, WHY_GONE } from './preview-errors.ts';
import { idsIn, idsWith, KeptPreviews, PREVIEW_BOUNDS, type PreviewBounds, whyGone } from './retention.ts';

/** What a preview is before the store gives it a nonce, a time and the roots that the store is for. */
export type PreviewDraft = Omit<Preview, 'v' | 'nonce' | 'created_at' | 'expires_at' | 'roots'>;

export interface PreviewStoreOptions {
  readonly folder: StateFolder;
  readonly decisions: DecisionStore;
  readonly auditIndex: AuditIndex;
  readonly log: Log;
  /** Of the servers' that share the folder, whose they are. */
  readonly roots: string;
  readonly now: () => Date;
  readonly bounds?: PreviewBounds;
}

export interface SavedPreview {
  readonly id: string;
  readonly expiresAt: string;
}

export class PreviewStore {
  readonly #options: Required<PreviewStoreOptions>;
  readonly #kept: KeptPreviews;

  constructor(options: PreviewStoreOptions) {
    this.#options = { bounds: PREVIEW_BOUNDS, ...options };
    this.#kept = new KeptPreviews(options.folder);
  }

  /** Undefined for a preview that is too large to be kept. Throws APPROVAL_UNAVAILABLE where too many wait for a person. */
  save(draft: PreviewDraft): SavedPreview | undefined {
    const { folder, roots, now, bounds } = this.#options;
    const created = now();
    const expiresAt = expiryOf(created, draft.approval);
    const preview: Omit<Preview, 'nonce'> = {
      v: 1,
      created_at: created.toISOString(),
      expires_at: expiresAt,
      ...draft,
      roots,
    };
    const { id, text } = encodeFresh(preview);
    const bytes = Buffer.byteLength(text);
    if (bytes > bounds.previewBytes || bytes > bounds.totalBytes) return undefined;
    try {
      this.#makeRoom(draft, bytes);
      // Not synced: a preview that a power cut takes, or tears, no longer matches its id, and is made again.
      folder.put(`${id}.json`, text);
    } catch (error) {
      throw stateRefusal('keep the preview', error, this.#options.log);
    }
    return { id, expiresAt };
  }

  /**
   * The preview that the id names, whole and true. Throws PREVIEW_NOT_FOUND, PREVIEW_USED or PREVIEW_EXPIRED.
   * `policy`: the fingerprint of the one that it must have been made under, if it is to be applied.
   */
  load(id: string, recompute: RecomputePreview, policy?: string): StoredPreview {
    const { folder, log, roots, now, bounds } = this.#options;
    if (!isContentId(id)) throw notFound();
    try {
      const text = folder.read(`${id}.json`, bounds.previewBytes);
      if (text === undefined) throw this.#gone(id);
      const read = previewIn(id, text);
      // Before anything in it is looked at: what others' servers keep here is none of ours, and another policy may not
      // even let its files be named.
      if (read !== undefined && read.roots !== roots) throw notFound();
      if (this.#isUsed(id)) throw used(this.changeOf(id));
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
      throw stateRefusal('read the preview', error, this.#options.log);
    }
  }

  /**
   * Until when a person may decide about it, for a preview that was made under another policy than this one, or for other roots; undefined
   * for any other. What else it says is none of this policy's business.
   */
  foreignUntil(id: string, policy: string): string | undefined {
    const text = this.#options.folder.read(`${id}.json`, this.#options.bounds.previewBytes);
    const preview = text === undefined ? undefined : previewIn(id, text);
    const isForeign = preview?.policy !== policy || preview.roots !== this.#options.roots;
    return preview?.approval === 'human' && isForeign ? preview.expires_at : undefined;
  }

  /** The trail as well as the mark: a mark can be taken away. */
  #isUsed(id: string): boolean {
    const { folder, auditIndex } = this.#options;
    return auditIndex.statusOf(id).changeId !== undefined || folder.facts(`${id}.used`) !== undefined;
  }

  /** Why it is not kept, as far as that is known, and only for the servers of its roots. */
  #gone(id: string): Refusal {
    const { folder, auditIndex, roots } = this.#options;
    const reason = whyGone(folder, id, roots);
    if (reason === undefined) return notFound();
    if (this.#isUsed(id)) return used(this.changeOf(id));
    const { rejectedBy } = auditIndex.statusOf(id);
    return rejectedBy === undefined
      ? expired(WHY_GONE[reason])
      : declined({ state: 'rejected', reviewer: rejectedBy });
  }

  /**
   * Of the same kind, and no more than must. A part was made by a person, and has room of its own: else a flood of
   * proposals would leave nothing to decide but all or nothing.
   */
  #makeRoom({ approval, origin }: PreviewDraft, newBytes: number): void {
    const { folder, decisions, auditIndex, roots, now, bounds } = this.#options;
    const kind = { roots, isForPerson: approval === 'human' };
    const more = origin.kind === 'part' ? 2 : 1;
    const wide = { ...bounds, previews: bounds.previews * more, totalBytes: bounds.totalBytes * more };
    const done = () => {
      const used = new Set(idsWith(folder, '.used'));
      auditIndex.readOn();
      return (id: string) => used.has(id) || auditIndex.statusSoFar(id).rejectedBy !== undefined;
    };
    const { dropped, isRoom } = this.#kept.makeRoom(wide, { kind, newBytes, now: now(), done });
    for (const id of dropped) decisions.forget(id);
    if (!isRoom) throw tooMany(kind.isForPerson);
  }

  /** For a preview whose id was never given out. Never throws. */
  discard(id: string): void {
    // One that stays lies there until it expires; its id is known to nobody.
    ignoring('all', () => this.#options.folder.remove(`${id}.json`));
  }

  /** Whoever comes first; throws PREVIEW_USED for everybody else. `changeId`: what it is about to become. */
  claim(approved: Approved, changeId: string): ClaimedPreview {
    if (!Approved.isGenuine(approved)) throw new TypeError('only a preview that was approved can be claimed');
    const { id } = approved.preview;
    try {
      const marker = canonicalJson({ v: 1, change_id: changeId });
      if (!this.#options.folder.create(`${id}.used`, marker)) throw used(this.changeOf(id));
    } catch (error) {
      throw stateRefusal('claim the preview', error, this.#options.log);
    }
    return claimedPreview(approved, changeId, () => this.#requireStillApproved(approved));
  }

  #requireStillApproved({ preview, confirmedBy }: Approved): void {
    const { auditIndex, decisions } = this.#options;
    this.requireNotApplied(preview.id);
    // With the reviewer's note, where somebody has rejected it.
    if (confirmedBy === 'human') approvedByReviewer(preview, decisions);
    const { rejectedBy } = auditIndex.statusOf(preview.id);
    if (rejectedBy !== undefined) throw declined({ state: 'rejected', reviewer: rejectedBy });
  }

  /** By what is recorded, whatever mark is there. Throws PREVIEW_USED. */
  requireNotApplied(id: string): void {
    const { changeId } = this.#options.auditIndex.statusOf(id);
    if (changeId !== undefined) throw used(changeId);
  }

  /** For an apply that changed nothing: the preview can be tried again. Never throws. */
  release(previewId: string, changeId: string): void {
    // One that fails stays used, which is the safe side.
    ignoring('all', () => {
      if (this.changeOf(previewId) === changeId) this.#options.folder.remove(`${previewId}.used`);
    });
  }

  /** What the preview became when it was applied, or is becoming. */
  changeOf(previewId: string): string | undefined {
    const text = this.#options.folder.read(`${previewId}.used`, 1_000);
    const marked = /^\{"change_id":"([\w-]{43})","v":1\}$/u.exec(text ?? '')?.[1];
    return this.#options.auditIndex.statusOf(previewId).changeId ?? marked;
  }

  /** The ids of previews that wait, whatever their worth and their roots: load each to know. Oldest first. */
  waiting(): readonly string[] {
    const { folder } = this.#options;
    return this.#unused()
      .map((id) => ({ id, since: folder.facts(`${id}.json`)?.mtimeNs ?? 0n }))
      .sort((a, b) => (a.since < b.since ? -1 : 1))
      .map(({ id }) => id);
  }

  /** How many of these roots wait, whatever their worth. */
  get waitingCount(): number {
    const { roots } = this.#options;
    const unused = new Set(this.#unused());
    return this.#kept.all().filter((preview) => preview.roots === roots && unused.has(preview.id)).length;
  }

  #unused(): readonly string[] {
    const names = this.#options.folder.names();
    const used = new Set(idsIn(names, '.used'));
    return idsIn(names, '.json').filter((id) => isContentId(id) && !used.has(id));
  }

  /** What has expired goes. */
  tidy(): void {
    const { decisions, now } = this.#options;
    for (const id of this.#kept.dropExpired(now())) decisions.forget(id);
  }
}
