// Lists the queue of a reviewer: the previews that wait for a decision, and those that were decided and not applied yet.
import { isServed, type StoredPreview } from '../security/approval/preview.ts';
import type { WaitingPreview } from '../state/previews.ts';
import type { ViewContext } from './file-view.ts';
import { type Waiting, waitingView } from './preview-view.ts';

export interface Pending {
  /** The previews that wait for a decision or for being applied: those with risks first, and the oldest of either first. */
  readonly previews: readonly Waiting[];
  /** The number of those under other options, such as those of another server on this state. */
  readonly elsewhere: number;
  /** The number of those that were too many to be listed. */
  readonly left: number;
}

/** Selects previews. A field that is left out selects all. */
export interface PendingFilter {
  /** A file, or a folder with all that is in it. */
  readonly file?: string | undefined;
  /** The id of a rule that asked for a reviewer. */
  readonly rule?: string | undefined;
  /** A part of the name of who asked, or of the verified principal. */
  readonly caller?: string | undefined;
}

/** True if `file` is undefined, is one of these files, or is a folder with one of them. */
export function includesFile(files: readonly string[], file: string | undefined): boolean {
  const wanted = file?.replace(/^\.\//u, '').replace(/\/$/u, '');
  return wanted === undefined || files.some((name) => name === wanted || name.startsWith(`${wanted}/`));
}

function matchesFilter(
  { files, rule_ids, asked_by }: Waiting,
  { file, rule, caller = '' }: PendingFilter,
): boolean {
  const isOfRule = rule === undefined || rule_ids.includes(rule);
  return includesFile(files, file) && isOfRule && asked_by.toLowerCase().includes(caller.toLowerCase());
}

/** The time in milliseconds for a listing. Each preview in it is computed anew, and an agent can make hundreds for the largest files. */
const MAX_LISTING_MS = 3_000;

type PendingContext = ViewContext & { readonly now: () => Date };

export async function listPending(
  context: PendingContext,
  load: (id: string) => Promise<StoredPreview | undefined>,
  filter: PendingFilter = {},
): Promise<Pending> {
  const { state, now } = context;
  const waiting = await state.store.waiting();
  const ordered = [...waiting.filter((one) => !one.isDecided), ...waiting.filter((one) => one.isDecided)];
  const until = now().getTime() + MAX_LISTING_MS;
  const views = new Map<string, Waiting>();
  let looked = 0;
  for (const { id, approval } of ordered) {
    if (looked > 0 && now().getTime() > until) break;
    looked += 1;
    const stored = approval === 'human' ? await load(id) : undefined;
    if (stored !== undefined) views.set(id, await waitingView(stored, context));
  }
  return {
    previews: waiting
      .flatMap(({ id }) => views.get(id) ?? [])
      .filter((view) => matchesFilter(view, filter))
      // What is dangerous is read before what is routine; the oldest of either comes first.
      .sort((a, b) => Number(b.risks.length > 0) - Number(a.risks.length > 0)),
    elsewhere: waiting.filter((one) => isForeign(one, context)).length,
    left: waiting.length - looked,
  };
}

/** Finds the oldest preview beside `id` that nobody has decided about. */
export async function nextPending(
  { state, sandbox }: ViewContext,
  id: string,
  load: (id: string) => Promise<StoredPreview | undefined>,
): Promise<string | undefined> {
  for (const one of await state.store.waiting()) {
    const isOpen = one.id !== id && one.approval === 'human' && !one.isDecided;
    const isOurs = one.policy === sandbox.policyFingerprint;
    if (isOpen && isOurs && (await load(one.id)) !== undefined) return one.id;
  }
  return undefined;
}

/** True if the preview with this id is pending under other options. */
export async function isPendingElsewhere(context: PendingContext, name: string): Promise<boolean> {
  const { store } = context.state;
  const id = (await store.find(name))?.id;
  const found = (await store.waiting()).find((one) => one.id === id);
  return found !== undefined && isForeign(found, context);
}

/** True if a person could still decide about it, but it was made under other options about what is seen, or for other roots. */
function isForeign(waiting: WaitingPreview, { state, sandbox, now }: PendingContext): boolean {
  const { approval, policy, expiresAt, isDecided } = waiting;
  const isOurs = policy === sandbox.policyFingerprint && isServed(waiting, state.roots);
  return approval === 'human' && !isDecided && !isOurs && expiresAt > now().toISOString();
}
