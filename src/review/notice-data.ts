// Makes the data about an event for a program of the operator: names, paths and hashes. It holds the diff only where the operator
// asks for that, and masked by the present rules.

import type { StoredPreview } from '../security/approval/preview.ts';
import { statementIn } from '../security/approval/statement.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { shortId } from '../state/canonical.ts';
import type { ViewContext } from './file-view.ts';
import type { Notice } from './notices.ts';
import { type ChangePatch, patchOf } from './patches.ts';

export interface NoticeContext extends ViewContext {
  readonly load: (preview: string) => Promise<StoredPreview>;
}

export async function noticeData(
  { kind, event }: Notice,
  withDiff: boolean,
  context: NoticeContext,
): Promise<Readonly<Record<string, unknown>>> {
  const { time, about: preview, files, confirmed_by, reviewer, expires_at } = event;
  const change = kind === 'applied' ? preview : undefined;
  const isKept = kind === 'pending' || kind === 'rejected';
  const stored = isKept && preview !== undefined ? await unlessGone(() => context.load(preview)) : undefined;
  const { caller = stored?.record.caller, reason = stored?.record.reason } = event;
  const patch = change === undefined ? stored : await unlessGone(() => patchOf(change, context));
  return {
    event: kind,
    time: kind === 'expired' ? expires_at : time,
    change_id: change && shortId('ch', change),
    preview_id: preview && shortId('pv', preview),
    ...(kind === 'pending' ? { expires_at } : {}),
    ...{ files, caller, reason, confirmed_by, reviewer },
    ...(kind === 'rejected' ? { note: statementIn(event, context.state.reviewers())?.decision.note } : {}),
    ...(withDiff && patch !== undefined ? { diff: diffOf(patch) } : {}),
  };
}

function diffOf(patch: ChangePatch | StoredPreview): string {
  const files = 'record' in patch ? patch.record.files : patch.files;
  return files.map(({ diff }) => diff).join('');
}

/** Returns the result of `read`; undefined if the record is no longer kept. */
async function unlessGone<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
