// A preview that was loaded: its texts and edits agree with each other, and it belongs to these roots. It may still be one that must not
// be applied, or whose files have changed since. Here is also whose it is, how long it holds, and why it cannot be used.
import { sha256Hex, shortId } from '../../state/canonical.ts';
import type { PreviewStatus } from '../../state/event.ts';
import { type Caller, isWhole, type Preview, type WholePreview } from '../../state/preview.ts';
import { splice } from '../edits/edit.ts';
import { ignoring, Refusal } from '../errors/refusal.ts';
import type { Approval } from '../policy/levels.ts';
import { PREVIEW_MS } from '../policy/policy.ts';

/** The fields of a new preview. The nonce, the times and usually the roots are added when it is kept. */
export type PreviewDraft = Omit<Preview, 'v' | 'nonce' | 'created_at' | 'expires_at' | 'roots'> & {
  /** The hash of its roots. It is left out for a preview of the served roots. */
  readonly roots?: string;
};

export interface StoredPreview {
  readonly id: string;
  /** Its recorded diff is not checked: whoever decides about it is shown a diff that is computed anew. */
  readonly record: Preview;
  /** What had become of it when it was loaded. */
  readonly status: PreviewStatus;
}

/** Stands for all roots, in place of the hash of some: a machine without the files, such as a reviewer's, serves all. */
export const ALL_ROOTS = '*';

/** True if the record belongs to the served roots. */
export function isServed({ roots }: Pick<Preview, 'roots'>, served: string): boolean {
  return served === ALL_ROOTS || roots === served;
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

/** Returns the names of all who proposed the change. Their approval does not count where a rule asks for several or named reviewers. */
export function proposersOf({
  caller,
  proposers = [],
}: Pick<Preview, 'caller' | 'proposers'>): readonly string[] {
  return [...new Set([...(caller.principal === undefined ? [] : [caller.principal]), ...proposers])];
}

/** Returns the field `proposers` of a preview that is derived from another one. It is left out where nobody is named. */
export function withProposers(names: readonly string[]): Pick<Preview, 'proposers'> {
  return names.length === 0 ? {} : { proposers: [...new Set(names)] };
}

/** Returns the times of a preview that is created now. */
export function timesOf(created: Date, approval: Approval): Pick<Preview, 'created_at' | 'expires_at'> {
  const life = approval === 'human' ? PREVIEW_MS.person : PREVIEW_MS.agent;
  return {
    created_at: created.toISOString(),
    expires_at: new Date(created.getTime() + life).toISOString(),
  };
}

/** True if it is too old. A creation time in the future means that the clock was set back. The age is then unknown, and it counts as too old. */
export function isExpired({ expires_at, created_at }: Preview, now: Date): boolean {
  return expires_at <= now.toISOString() || created_at > now.toISOString();
}

/** True if the edits make the results of the bases, as far as these are kept. Those of others are found when it is applied. */
export function isConsistent({ files }: Preview): boolean {
  return files.every(({ base, edits, result_sha256 }) => {
    if (base === undefined) return true;
    // Splicing fails where edits overlap.
    const after = ignoring('all', () => splice(base, edits));
    return after !== undefined && sha256Hex(after) === result_sha256;
  });
}

/** Returns the preview with the texts of its files. Throws ARGUMENT_INVALID for one that waits for nobody, and is kept without them. */
export function requireWhole(preview: Preview): WholePreview {
  if (isWhole(preview)) return preview;
  throw new Refusal(
    'ARGUMENT_INVALID',
    'Cannot look at this preview: it needs no reviewer, and its texts are not kept.',
  );
}

/** Returns the tool call that makes the same preview anew. */
export function repeatedCallOf({ tool, request }: Pick<Preview, 'tool' | 'request'>): {
  readonly do: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
} {
  const args = { ...Object(request), dry_run: true };
  return { do: 'Preview the change on the files as they are now', tool, arguments: args };
}

export function noRoomForPreview(isForPerson: boolean): Refusal {
  if (!isForPerson) return new Refusal('NO_SPACE', 'Cannot keep this preview: there is no room for it.');
  return new Refusal(
    'APPROVAL_UNAVAILABLE',
    'Cannot keep this preview: too many wait for a person already, and none of them is dropped for it.',
    {},
    {
      advice: ['Have a person decide about those that wait, or apply what was approved; then preview again'],
    },
  );
}

export function previewNotFound(): Refusal {
  return new Refusal(
    'PREVIEW_NOT_FOUND',
    'Cannot use this preview: there is none with this id. One that is too old is dropped, and so is the oldest where there are too many. Preview the change again, and apply the new preview.',
  );
}

export function previewExpired(reason: string, preview?: Preview): Refusal {
  return new Refusal(
    'PREVIEW_EXPIRED',
    `Cannot use this preview: ${reason}. Preview the change again.`,
    {},
    preview === undefined ? {} : { again: repeatedCallOf(preview) },
  );
}

/** Makes the refusal. `by` is the id of the preview that holds the edits of this one, and more. */
export function previewReplaced(by: string): Refusal {
  return new Refusal(
    'PREVIEW_REPLACED',
    `Cannot use this preview: preview ${shortId('pv', by)} has taken its place, with more edits or for the files as they are by now. What was decided about this one counts no more.`,
    {},
    { previewId: shortId('pv', by) },
  );
}

export function previewUsed(id: string): Refusal {
  return new Refusal(
    'PREVIEW_USED',
    `Cannot use this preview: it has been applied already, and works once. It became change ${shortId('ch', id)}`,
  );
}
