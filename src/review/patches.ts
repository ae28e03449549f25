// Writes an applied change as a mail for `git am`: who asked, who approved, the agent's reason, and the diff. A change is refused where
// its diff does not show every byte, because nobody may take a placeholder for a value.

import { Refusal } from '../security/errors/refusal.ts';
import { holdsPlaceholder } from '../security/text/placeholders.ts';
import { displayLine } from '../security/text/visible.ts';
import { shortId } from '../state/canonical.ts';
import type { KeptChange } from '../state/event.ts';
import { maskedNow } from '../tools/index.ts';
import { requireChange } from './change-view.ts';
import { callerText, type ViewContext } from './file-view.ts';

type PatchedFile = Pick<KeptChange['files'][number], 'file' | 'file_op' | 'mode' | 'diff'> & {
  /** The name of its root; undefined for the only root, if it has no name. */
  readonly root: string | undefined;
  /** Its path below the root. */
  readonly path: string;
};

export interface ChangePatch extends Omit<KeptChange, 'files'> {
  readonly files: readonly PatchedFile[];
}

/** Returns a change with its diffs. Throws CHANGE_NOT_FOUND. */
export async function patchOf(id: string, context: ViewContext): Promise<ChangePatch> {
  const change = await requireChange(id, context.backend);
  const files = change.files.map((file) => {
    const { root, components } = context.sandbox.parse(file.file);
    return { ...maskedNow(file, context), root, path: components.join('/') };
  });
  return { ...change, files };
}

/** Returns a change as a mail. Throws ARGUMENT_INVALID if its diff does not have all bytes. */
export function mailOf(change: ChangePatch, version: string): string {
  const { id, at, caller, reviewer, confirmed_by, reason, files } = change;
  const names = files.map(({ file }) => displayLine(file));
  const by = caller.principal === undefined ? callerText(caller) : displayLine(caller.principal);
  return [
    // Git recognises the beginning of a mail by this date.
    'From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001',
    `From: ${quotedName(by)} <config-airlock@localhost>`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `Subject: [PATCH] ${subjectOf(names)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    ...(reason === undefined ? [] : [escapedReason(displayLine(reason)), '']),
    `Airlock-Change: ${shortId('ch', id)}`,
    `Airlock-Approved-By: ${displayLine(reviewer ?? confirmed_by)}`,
    '---',
    '',
    `${files.map((file) => diffOf(file, id)).join('')}-- `,
    `config-airlock ${version}`,
    '',
    '',
  ].join('\n');
}

/** Quotes a name for the header of a mail. */
function quotedName(name: string): string {
  return `"${name.replaceAll(/[^ \w.@+-]/gu, '?')}"`;
}

function subjectOf([first = '', ...more]: readonly string[]): string {
  return `config: ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`.replaceAll(/[^ -~]/gu, '?');
}

/** Quotes the reason where it looks like the end of the message, or like the beginning of another mail or of a patch. */
function escapedReason(text: string): string {
  return /^(?:From |---|diff |Index: |>|\w[\w-]*:)/u.test(text) ? `> ${text}` : text;
}

function diffOf({ file, path, file_op: op, mode = 0o644, diff }: PatchedFile, change: string): string {
  if (holdsPlaceholder(diff) || /<U\+[0-9A-F]{4,6}>/u.test(diff))
    throw new Refusal(
      'ARGUMENT_INVALID',
      `Cannot write change ${shortId('ch', change)} as a patch: its diff of ${displayLine(file)} has masked values or hidden characters. Commit the file itself instead.`,
    );
  const [old, next] = [quotedPath(`a/${path}`), quotedPath(`b/${path}`)];
  const modeText = (mode & 0o100) === 0 ? '100644' : '100755';
  const kind = op === undefined ? '' : `${op === 'create' ? 'new' : 'deleted'} file mode ${modeText}\n`;
  const [, , ...hunks] = diff.split('\n');
  const from = op === 'create' ? '/dev/null' : old;
  const to = op === 'delete' ? '/dev/null' : next;
  return `diff --git ${old} ${next}\n${kind}--- ${from}\n+++ ${to}\n${hunks.join('\n')}`;
}

/** Quotes a path as Git does. */
function quotedPath(path: string): string {
  if (/^[!#-[\]-~]*$/u.test(path)) return path;
  const bytes = [...Buffer.from(path)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (/^[ !#-[\]-~]$/u.test(character)) return character;
    return /^["\\]$/u.test(character) ? `\\${character}` : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${bytes.join('')}"`;
}
