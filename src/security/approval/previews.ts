// Previews as capabilities. Each is kept with a record in the trail, and loaded only where its content has the hash that the id
// names, is consistent, and belongs to these roots. The trail says whether it was used or rejected.
import type { Event, PreviewStatus } from '../../state/event.ts';
import { type Caller, encodePreview, type Preview } from '../../state/preview.ts';
import type { WaitingPreview } from '../../state/previews.ts';
import type { Store } from '../../state/store.ts';
import type { Log } from '../audit/log.ts';
import { auditedFiles, recordedEvent } from '../audit/recorded-event.ts';
import { isServed } from './all-roots.ts';
import { approvalDeclined } from './approved.ts';
import { timesOf } from './preview.ts';
import {
  noRoomForPreview,
  previewExpired,
  previewNotFound,
  previewReplaced,
  previewUsed,
} from './preview-errors.ts';
import { isConsistent, isExpired, type StoredPreview } from './stored-preview.ts';

/** The fields of a new preview. The nonce, the times and usually the roots are added when it is saved. */
export type PreviewDraft = Omit<Preview, 'v' | 'nonce' | 'created_at' | 'expires_at' | 'roots'> & {
  /** The hash of its roots. It is left out for a preview of the served roots. */
  readonly roots?: string;
};

/** Limits for previews of the same roots and kind (for an agent, or for a person). Previews of parts may use twice as much. */
export interface PreviewLimits {
  readonly previews: number;
  readonly totalBytes: number;
  readonly previewBytes: number;
}

const PREVIEW_LIMITS: PreviewLimits = { previews: 500, totalBytes: 256e6, previewBytes: 80e6 };

export interface PreviewsContext {
  readonly store: Store;
  readonly log: Log;
  /** Hash of the roots that are served, as in `State`: servers of other roots may share the state. */
  readonly roots: string;
  readonly now: () => Date;
  /** Throws NO_SPACE where the free space is reserved for people's decisions. */
  readonly requireRoom: () => void;
  readonly limits?: PreviewLimits;
}

export interface SavedPreview {
  readonly id: string;
  readonly expiresAt: string;
}

/** Who asks for what is kept: a caller, or a command of the operator, which can read the state anyway and owns all of it. */
export interface Asker {
  readonly caller: Caller;
  readonly isOperator?: boolean | undefined;
}

/**
 * True if it belongs to the one who asks: the principal that a transport has verified. For everybody else the id of it is answered
 * like an id that does not exist.
 */
export function isOwn({ caller, isOperator = false }: Asker, by: Caller | undefined): boolean {
  return isOperator || ownerOf(caller) === ownerOf(by);
}

/** Returns the principal; undefined for users of this machine, where no transport has verified anybody. */
export function ownerOf(caller: Caller | undefined): string | undefined {
  return caller?.scopes === undefined ? undefined : caller.principal;
}

export class Previews {
  readonly #context: Required<PreviewsContext>;

  constructor(context: PreviewsContext) {
    this.#context = { limits: PREVIEW_LIMITS, ...context };
  }

  /**
   * Keeps and records the preview, or does neither. Returns undefined for a preview that is too large to be kept. `replaces`: the
   * full id of the preview whose place it takes. Throws APPROVAL_UNAVAILABLE where too many wait for a person, NO_SPACE where
   * there is no room for it, and what `load` throws where the preview that it replaces is gone.
   */
  async save(
    draft: PreviewDraft,
    recorded: Partial<Pick<Event, 'reviewer' | 'request_id'>> = {},
    replaces?: string,
  ): Promise<SavedPreview | undefined> {
    const { store, roots, now, limits, requireRoom } = this.#context;
    const preview = encodePreview({ roots, ...draft, ...timesOf(now(), draft.approval) });
    const { created_at: time, expires_at: expiresAt } = preview.preview;
    if (preview.sizeBytes > Math.min(limits.previewBytes, limits.totalBytes)) return undefined;
    // A person makes a part, so it has room of its own: otherwise a flood of previews would keep people from
    // approving parts.
    const isPart = draft.origin.kind === 'part';
    if (!isPart) requireRoom();
    const times = isPart ? 2 : 1;
    const bounds = { previews: limits.previews * times, totalBytes: limits.totalBytes * times };
    const { caller, reason, approval } = draft;
    const about = { about: preview.id, caller, reason, files: auditedFiles(draft.files), ...recorded };
    const until = approval === 'human' ? expiresAt : undefined;
    const event = recordedEvent({ type: 'previewed', ...about, expires_at: until }, new Date(time));
    const joins =
      replaces === undefined
        ? undefined
        : recordedEvent({ type: 'joined', about: replaces, by: preview.id, caller }, new Date(time));
    const kept = await store.keep(preview, event, { bounds, joins });
    if (kept === 'no room') throw noRoomForPreview(approval === 'human');
    if (kept === 'gone') throw goneRefusal(replaces ?? '', await store.statusOf(replaces ?? ''));
    return { id: preview.id, expiresAt };
  }

  /**
   * Loads the preview that the short or full id names, and checks it. `policy` is the fingerprint of what is seen, under
   * which it must have been made, if it is to be applied. Without `by` the preview may be anybody's. Throws PREVIEW_NOT_FOUND, PREVIEW_USED or PREVIEW_EXPIRED.
   */
  async load(name: string, policy?: string, by?: Asker): Promise<StoredPreview> {
    const { store, log, roots, now } = this.#context;
    const found = await store.find(name);
    if (found === undefined) throw previewNotFound();
    const { id, preview, isKept, status } = found;
    if (by !== undefined && !isOwn(by, preview?.caller)) throw previewNotFound();
    if (!isKept) throw goneRefusal(id, status);
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

  /** The full id of a preview that is kept, or that the trail knows. */
  async idOf(name: string): Promise<string | undefined> {
    return (await this.#context.store.find(name))?.id;
  }

  /** Returns all previews of any roots that were not applied, oldest first, whether or not they can be loaded. */
  waiting(): Promise<readonly WaitingPreview[]> {
    return this.#context.store.waiting();
  }

  /** Counts the previews of the served roots that were not applied. */
  async countWaiting(): Promise<number> {
    return (await this.waiting()).filter((one) => isServed(one, this.#context.roots)).length;
  }

  /** True if a person could still decide about it, but it was made under other options about what is seen, or for other roots. */
  isForeign(waiting: WaitingPreview, policy: string): boolean {
    const { approval, policy: madeUnder, expiresAt } = waiting;
    const isOurs = madeUnder === policy && isServed(waiting, this.#context.roots);
    return approval === 'human' && !isOurs && expiresAt > this.#context.now().toISOString();
  }

  /** Removes a preview; does nothing where there is none with this id. */
  async discard(name: string): Promise<void> {
    const id = await this.idOf(name);
    if (id !== undefined) await this.#context.store.drop(id);
  }
}

/** Returns the refusal for a preview that is no longer kept, with the reason if the trail knows it. */
function goneRefusal(id: string, { write, decisions, joinedInto }: PreviewStatus) {
  if (write !== undefined) return previewUsed(id);
  if (joinedInto !== undefined) return previewReplaced(joinedInto);
  const rejection = decisions.find(({ type }) => type === 'rejected');
  return rejection === undefined
    ? previewNotFound()
    : approvalDeclined({ state: 'rejected', reviewer: rejection.reviewer ?? '' });
}
