// What an edit answers: the diff first, then what the diff does not say by itself.
import { counted, countedPaths } from '../adapters/index.ts';
import type { Approval, ConfirmedBy, Policy, SavedPreview } from '../security/index.ts';
import type { Shown } from './shown-files.ts';
import type { Reply } from './tool.ts';

const MAX_LISTED = 10;

/** Why a preview was not kept, and so cannot be applied. */
export type NotKept = 'no change' | 'cut' | 'read-only' | 'too large';

export function previewReply(
  shown: Shown,
  isDryRun: boolean,
  saved: SavedPreview | NotKept,
  { approval }: Policy,
): Reply {
  const { files, warnings } = shown;
  const state = { ok: true, dry_run: isDryRun, applied: false } as const;
  if (typeof saved === 'string')
    return { text: notKeptText(shown, saved), data: { ...state, files, warnings } };
  const { id, expiresAt } = saved;
  const next = { tool: 'config_apply', arguments: { preview_id: id } };
  return {
    // Some models see the text only: what applies the preview must stand in it.
    text: `Preview: ${summary(shown)}; nothing was written.\n${details(shown)}${NEXT_STEP[approval](id)} It expires at ${expiresAt}.`,
    data: { ...state, preview_id: id, expires_at: expiresAt, files, warnings, next },
  };
}

const NEXT_STEP: Readonly<Record<Approval, (id: string) => string>> = {
  direct: (id) => `To write exactly this: config_apply with preview_id ${id}.`,
  preview: (id) => `To write exactly this: config_apply with preview_id ${id}.`,
  client: (id) =>
    `To write exactly this: config_apply with preview_id ${id}; the person at the client will be asked.`,
  human: (id) =>
    `A person has to approve it first, with "config-airlock approve ${id}" in a terminal and the options that this server was started with. Then call config_apply with preview_id ${id}: it applies the change once approved, and otherwise reports its status.`,
};

function notKeptText(shown: Shown, reason: NotKept): string {
  const preview = `Preview: ${summary(shown)}; nothing was written.\n${details(shown)}`;
  switch (reason) {
    case 'no change':
      return `No change: ${shown.files.length === 1 ? 'the file says' : 'the files say'} this already. Nothing was written.`;
    case 'cut':
      return `Preview, cut: nothing was written.\n${details(shown)}It has no preview_id, for nobody may apply what nobody saw: change less at a time.`;
    case 'read-only':
      return `${preview}This server is read-only, and the preview was not kept: hand the diff to a person.`;
    case 'too large':
      return `${preview}It has no preview_id, for it is too large to be kept: change fewer files at a time.`;
  }
}

/** How and as what it was applied. */
export interface Applied {
  readonly change_id: string;
  readonly confirmed_by: ConfirmedBy;
  readonly reviewer?: string | undefined;
}

export function appliedReply(shown: Shown, { change_id, confirmed_by, reviewer }: Applied): Reply {
  const who = reviewer === undefined ? {} : { reviewer };
  const state = { ok: true, dry_run: false, applied: true, change_id, confirmed_by, ...who } as const;
  return {
    text: `Applied: ${summary(shown)}.\n${details(shown)}This is change ${change_id}.`,
    data: { ...state, files: shown.files, warnings: shown.warnings },
  };
}

/** Every diff with its notes below it, then the warnings. */
function details({ files, warnings }: Shown): string {
  const parts = files.map((file) =>
    [
      file.diff,
      ...noteLines('Also changes, through an alias or merge', file.also_affects, file.also_affects_omitted),
      ...noteLines('Removed comments', file.removed_comments, file.removed_comments_omitted),
    ].join(''),
  );
  return [...parts, ...warnings.map((warning) => `Warning: ${warning}\n`)].join('');
}

function noteLines(label: string, notes: readonly string[], omitted = 0): string[] {
  if (notes.length === 0) return [];
  const left = Math.max(notes.length - MAX_LISTED, 0) + omitted;
  const more = left > 0 ? `; and ${left} more` : '';
  return [`${label}: ${notes.slice(0, MAX_LISTED).join('; ')}${more}\n`];
}

function summary({ files, paths }: Shown): string {
  const changed = files.filter(({ diff }) => diff !== '').length;
  const same = files.length - changed;
  return `${countedPaths(paths)} in ${counted(changed, 'file')}${same === 0 ? '' : ` (${same} more without a change)`}`;
}
