// Writes the reply to an edit as text and as data. Each is complete, because some clients show a model only one of them.
import { SECRET_REMOVED } from '../adapters/secrets/kept-alike.ts';
import type { Approval, ConfirmedBy } from '../security/policy/levels.ts';
import type { SavedPreview } from '../security/state/backend.ts';
import { shortId } from '../state/canonical.ts';
import { type Requirements, ruleLine } from './rule-notes.ts';
import type { Shown } from './shown-edits.ts';
import type { Reply } from './tool.ts';

/** The reasons why a preview was not kept, so that it cannot be applied. */
export type NotKept = 'cut' | 'read-only' | 'too large' | 'too long to ask';

/** Replies that nothing changes, with the notes. `request` shows whether some of it was to be added only where it is missing. */
export function noChangeReply(
  request: Readonly<Record<string, unknown>>,
  warnings: readonly string[] = [],
): Reply {
  const why = /"if_missing":true/.test(JSON.stringify(request)) ? NOTHING_MISSING : NO_CHANGE;
  const note = [why, ...warnings].join('\n');
  return { text: note, data: { ok: true, note } };
}

export function previewReply(shown: Shown, saved: SavedPreview | NotKept, needs: Requirements): Reply {
  const { approval } = needs;
  const state = { ok: true, dry_run: true } as const;
  const { summary } = shown;
  const facts = { ...state, summary, ...details(shown) };
  if (typeof saved === 'string') {
    const note = WHY_NOT_KEPT[saved];
    const title = saved === 'cut' ? 'Preview, cut' : `Preview: ${summary}`;
    return { text: `${title}; nothing was written.\n${detailsText(shown)}${note}`, data: { ...facts, note } };
  }
  const id = shortId('pv', saved.id);
  const next = NEXT_STEP[approval];
  const apply = `config_apply {"preview_id":"${id}"}`;
  const approve = approval === 'human' ? `config-airlock approve ${id}\nThen, and for its status: ` : '';
  return {
    // The id is placed where it can be copied without anything else.
    text: `Preview: ${summary}; nothing was written.\n${detailsText(shown)}${needsText(needs)}Expires ${saved.expiresAt}. ${next}: ${approve}${apply}`,
    data: {
      ...facts,
      preview_id: id,
      expires_at: saved.expiresAt,
      ...(approval === 'direct' || approval === 'preview'
        ? {}
        : { needs: approval, note: DATA_NOTE[approval] }),
      ...(needs.rules.length === 0 ? {} : { rules: needs.rules.map(ruleLine) }),
    },
  };
}

/** Names the rules that require an approval. */
function needsText({ rules }: Requirements): string {
  return rules.map((note) => `Rule ${ruleLine(note)}\n`).join('');
}

const NEXT_STEP: Readonly<Record<Approval, string>> = {
  direct: 'To write exactly this',
  preview: 'To write exactly this',
  client: 'To write exactly this, once the person at the client, who will be asked, agrees',
  human:
    'A person has to approve it first, in a terminal, with the options that this server was started with',
};

const DATA_NOTE: Readonly<Record<'client' | 'human', string>> = {
  client: 'config_apply asks the person at the client.',
  human:
    'A person has to approve it first, in a terminal, with "config-airlock approve" and the options that this server was started with. Then config_apply writes it; before, it says the status.',
};

const NO_CHANGE = 'No change: the files already say this. Nothing was written.';
const NOTHING_MISSING =
  'No change: the files already say this, or it exists wherever it was to be created only if missing. Nothing was written.';

const WHY_NOT_KEPT: Readonly<Record<NotKept, string>> = {
  cut: 'It has no preview_id, because not all of it could be shown, so it cannot be applied: change less at a time.',
  'read-only': 'This server is read-only, and the preview was not kept: hand the diff to a person.',
  'too large': 'It has no preview_id, because it is too large to be kept: change fewer files at a time.',
  'too long to ask':
    'It has no preview_id, because it is too long for the person at the client to be asked about it in one question: change less at a time.',
};

interface Applied {
  readonly change_id: string;
  readonly confirmed_by: ConfirmedBy;
  readonly reviewer?: string;
}

/** Replies with an applied change. `warnings` are all of its warnings, including those that its preview showed. */
export function appliedReply(shown: Shown, applied: Applied, warnings: readonly string[]): Reply {
  const { summary } = shown;
  const change_id = shortId('ch', applied.change_id);
  const by = applied.reviewer === undefined ? '' : `, approved by ${applied.reviewer}`;
  const isFinal = warnings.some((warning) => warning.endsWith(SECRET_REMOVED));
  // The warning already says that it cannot be undone.
  const undo = isFinal ? '' : `To undo it: config_revert {"change_id":"${change_id}"}`;
  return {
    text: `Applied: ${summary}${by}.\n${detailsText(shown)}${undo}`.trimEnd(),
    data: {
      ok: true,
      applied: true,
      ...applied,
      change_id,
      summary,
      ...details(shown),
    },
  };
}

/** Returns the details of a change without empty parts. */
function details({ diff, alsoAffects, removedComments, sha256, warnings }: Shown) {
  return {
    ...(diff === '' ? {} : { diff }),
    ...(alsoAffects.length === 0 ? {} : { also_affects: alsoAffects }),
    ...(removedComments.length === 0 ? {} : { removed_comments: removedComments }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(sha256.length === 0 ? {} : { sha256 }),
  };
}

function detailsText({ diff, alsoAffects, removedComments, sha256, warnings }: Shown): string {
  return [
    diff,
    ...noteLine('Also changes, through an alias or merge', alsoAffects),
    ...noteLine('Removed comments', removedComments),
    ...warnings.map((warning) => `Warning: ${warning}\n`),
    ...sha256.map((line) => `sha256: ${line}\n`),
  ].join('');
}

function noteLine(label: string, notes: readonly string[]): readonly string[] {
  return notes.length === 0 ? [] : [`${label}: ${notes.join('; ')}\n`];
}
