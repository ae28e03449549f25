// Lists of previews: those that wait, and those whose write was begun.
import type { Rows } from './driver.ts';
import { HAS } from './kept.ts';
import { decodeBody, type Preview } from './preview.ts';
import { countIn, type Row, textIn } from './rows.ts';
import { changeOf, type ListedChange, statusOf } from './status.ts';
import { eventIn, eventsAbout } from './trail.ts';
import { APPROVALS } from './values.ts';

export interface WaitingPreview {
  readonly id: string;
  readonly roots: string;
  readonly policy: string;
  readonly approval: Preview['approval'];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly isDecided: boolean;
}

/** A write without an end, and the files that it is about. */
export interface OpenWrite {
  readonly id: string;
  readonly roots: string;
  readonly since: string;
  readonly files: readonly string[];
}

/** What is listed: the newest of these roots, or of all, that came before the one with this `order`. */
export interface Scope {
  readonly roots: string | undefined;
  readonly before?: number | undefined;
  readonly most: number;
}

export async function waitingPreviews(rows: Rows): Promise<readonly WaitingPreview[]> {
  const found = await rows(
    `SELECT id, roots, policy, approval, created_at, expires_at,
       CASE WHEN ${HAS('approved', 'rejected', 'split')} THEN 1 ELSE 0 END AS decided
     FROM previews WHERE state = 'waiting' ORDER BY created_at, id`,
  );
  return found.flatMap(waitingIn);
}

function waitingIn(row: Row): readonly WaitingPreview[] {
  const approval = APPROVALS.find((level) => level === row['approval']);
  if (approval === undefined) return [];
  const [id, roots, policy] = [textIn(row, 'id'), textIn(row, 'roots'), textIn(row, 'policy')];
  const [createdAt, expiresAt] = [textIn(row, 'created_at'), textIn(row, 'expires_at')];
  return [{ id, roots, policy, approval, createdAt, expiresAt, isDecided: countIn(row, 'decided') === 1 }];
}

export async function writesIn(rows: Rows, { roots, before, most }: Scope): Promise<readonly ListedChange[]> {
  const end = before ?? Number.MAX_SAFE_INTEGER;
  const found = await rows(
    `SELECT id, body FROM previews WHERE begun IS NOT NULL AND begun < $1 AND roots = coalesce($2, roots)
     ORDER BY begun DESC LIMIT $3`,
    ...[end, roots ?? null, most],
  );
  const listed: ListedChange[] = [];
  for (const row of found) {
    const id = textIn(row, 'id');
    const body = decodeBody(id, textIn(row, 'body'));
    const change = body && changeOf(id, body, statusOf(await eventsAbout(rows, id)));
    if (change !== undefined) listed.push(change);
  }
  return listed;
}

export async function openWrites(rows: Rows): Promise<readonly OpenWrite[]> {
  const found = await rows(
    `SELECT previews.id, previews.roots, trail.body FROM previews JOIN trail ON seq = begun
     WHERE state = 'open' ORDER BY begun`,
  );
  return found.map((row) => {
    const { files, time } = eventIn(row);
    const [id, roots] = [textIn(row, 'id'), textIn(row, 'roots')];
    return { id, roots, since: time, files: files.map(({ file }) => file) };
  });
}
