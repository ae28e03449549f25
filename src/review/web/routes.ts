// Responds to the requests that have passed the guards, by their address. Decisions are made by the review service. A refusal is answered
// with its reason.

import type { ReviewerKey } from '../../security/approval/reviewer-key.ts';
import { ioRefusal, Refusal } from '../../security/errors/refusal.ts';
import { StartError } from '../../security/errors/start-error.ts';
import type { PendingFilter } from '../pending.ts';
import type { ReviewService } from '../review-service.ts';
import { type PageReply, pageReply, redirect, refreshingReply } from './answer.ts';
import { type Form, filterIn, noteIn, partsIn } from './form.ts';
import { changePage, partPage } from './pages/change.ts';
import { appliedPage, historyPage } from './pages/history.ts';
import { endedPage, failurePage, type PageContext, REFRESH_PATH } from './pages/layout.ts';
import { revealedPage } from './pages/revealed.ts';
import { waitingPage } from './pages/waiting.ts';

/** The actions by which the page undoes a change. They use the same tools as the command `undo`. */
export interface UndoActions {
  /** Previews the undo of a change as this reviewer, and returns its id; undefined if the files are as before it. Throws a Refusal. */
  readonly propose: (changeId: string, reviewer: string) => Promise<string | undefined>;
  /** Applies the signed preview of an undo, and returns the id of the change. Throws a Refusal. */
  readonly apply: (previewId: string) => Promise<string>;
}

/** The facts that a route needs to answer a request. */
export interface Visit {
  readonly service: ReviewService;
  readonly undoing: UndoActions | undefined;
  readonly key: ReviewerKey;
  readonly frame: PageContext;
  readonly filter: PendingFilter;
  readonly setFilter: (filter: PendingFilter) => void;
  readonly end: () => void;
}

/** Returns the page at `path`, below the base; undefined if there is none. Throws errors that are no refusals. */
export async function getPage(path: string, visit: Visit): Promise<PageReply | undefined> {
  const { service, frame } = visit;
  if (path === '/' || path === REFRESH_PATH)
    return orErrorPage(frame, 'The pending changes cannot be listed', async () =>
      refreshingReply(waitingPage(frame, await service.pending(visit.filter), visit.filter), frame.at.fresh),
    );
  if (path === '/history')
    return orErrorPage(frame, 'The history cannot be shown', async () =>
      pageReply(200, historyPage(frame, await service.history())),
    );
  const [, kind, id = ''] = /^\/(change|applied)\/([0-9a-z_]{13,52})$/u.exec(path) ?? [];
  if (kind === undefined) return undefined;
  return orErrorPage(frame, 'This change cannot be shown', async () => {
    if (kind === 'applied') return pageReply(200, appliedPage(frame, await service.change(id)));
    const view = await service.open(id, visit.key);
    return pageReply(200, changePage(frame, view, { next: await service.next(view.id) }));
  });
}

/** Does what a form asks for: a decision, a look at a part, or the end of the session. */
export async function postForm(path: string, form: Form, visit: Visit): Promise<PageReply | undefined> {
  const { service, key, frame, end, setFilter } = visit;
  if (path === '/filter') {
    setFilter(filterIn(form));
    return redirect(frame.at.waiting);
  }
  if (path === '/end') {
    end();
    return pageReply(200, endedPage());
  }
  const [, undone] = /^\/applied\/([0-9a-z_]{13,52})\/undo$/u.exec(path) ?? [];
  if (undone !== undefined) return startUndo(undone, visit);
  const [, id = '', step] =
    /^\/change\/([0-9a-z_]{13,52})\/(approve|reject|part|keep|reveal|apply)$/u.exec(path) ?? [];
  const selected = partsIn(form) ?? [];
  switch (step) {
    case 'approve':
      return orErrorPage(frame, 'The change was not approved', async () => {
        await service.approve(id, key);
        return redirect(frame.at.change(id));
      });
    case 'reject':
      return orErrorPage(frame, 'The change was not rejected', async () => {
        await service.reject(id, noteIn(form), key);
        return redirect(frame.at.change(id));
      });
    case 'part':
      return orErrorPage(frame, 'This part cannot be shown', () => showPart(service, frame, id, selected));
    case 'keep':
      return orErrorPage(frame, 'The part was not approved', async () =>
        redirect(frame.at.change(await service.approvePart(id, selected, key))),
      );
    case 'apply':
      return finishUndo(id, visit);
    case 'reveal':
      return orErrorPage(frame, 'The masked values cannot be shown', async () =>
        pageReply(200, revealedPage(frame, id, await service.reveal(id, key))),
      );
    default:
      return undefined;
  }
}

/** Previews the undo of a change, and redirects to that preview, where it is decided and applied. */
async function startUndo(id: string, { undoing, frame }: Visit): Promise<PageReply | undefined> {
  if (undoing === undefined) return undefined;
  return orErrorPage(frame, 'The change cannot be undone', async () => {
    const preview = await undoing.propose(id, frame.reviewer);
    if (preview === undefined)
      throw new Refusal('CHANGE_NOT_FOUND', 'The files are as they were before the change');
    return redirect(frame.at.change(preview));
  });
}

async function finishUndo(id: string, { undoing, service, frame }: Visit): Promise<PageReply | undefined> {
  if (undoing === undefined) return undefined;
  return orErrorPage(frame, 'The change was not undone', async () => {
    const { origin, needs_reviewer: isSigned } = await service.open(id);
    if (origin.kind !== 'revert' || !isSigned)
      throw new Refusal(
        'ARGUMENT_INVALID',
        'Only an undo is applied from here: the agent applies its changes',
      );
    return redirect(frame.at.applied(await undoing.apply(id)));
  });
}

/** Shows a part as it would be applied, so that nothing is approved unseen. */
async function showPart(
  service: ReviewService,
  frame: PageContext,
  id: string,
  selected: readonly number[],
): Promise<PageReply> {
  const view = await service.open(id);
  try {
    return pageReply(200, partPage(frame, view, selected, await service.part(id, selected)));
  } catch (error) {
    if (error instanceof Refusal) return pageReply(409, changePage(frame, view, { failure: error.message }));
    throw error;
  }
}

/** Returns a page, or the page for its failure, which `title` names. */
async function orErrorPage(
  frame: PageContext,
  title: string,
  answer: () => Promise<PageReply>,
): Promise<PageReply> {
  try {
    return await answer();
  } catch (error) {
    // The key was removed from the list while the page was open.
    if (error instanceof StartError)
      return pageReply(403, failurePage(frame, title, `Cannot decide: ${error.message}.`));
    const refusal = ioRefusal('go on', error);
    return pageReply(statusOf(refusal), failurePage(frame, title, refusal.message));
  }
}

function statusOf({ code }: Refusal): number {
  return code === 'PREVIEW_NOT_FOUND' || code === 'CHANGE_NOT_FOUND' ? 404 : 409;
}
