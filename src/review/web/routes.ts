// What each address answers, for a request that has passed the guards. Decides through the desk only, and answers
// a refusal of the desk with its reason and nothing else.
import { Refusal, StartError } from '../../security/index.ts';
import type { ChangeDetails, ChangeView, FileView, PreviewView, Waiting } from '../index.ts';
import { type Answer, pageAnswer, redirect } from './answer.ts';
import { type Form, noteIn, partsIn } from './form.ts';
import { changePage } from './pages/change.ts';
import { appliedPage, historyPage } from './pages/history.ts';
import type { Frame } from './pages/layout.ts';
import { cannotPage, endedPage } from './pages/messages.ts';
import { partPage } from './pages/part.ts';
import { waitingPage } from './pages/waiting.ts';

/** The review desk, with the reviewer's key in hand. */
export interface SigningReview {
  /** Whose key it is. */
  readonly reviewer: string;
  waiting(): readonly Waiting[];
  waitingElsewhere(): readonly string[];
  open(id: string): PreviewView;
  approve(id: string): void;
  reject(id: string, note: string): void;
  /** What would be left of it. */
  part(id: string, kept: readonly number[]): readonly FileView[];
  /** Answers the id of the plan that holds the part. */
  approvePart(id: string, kept: readonly number[]): string;
  history(): readonly ChangeView[];
  change(id: string): ChangeDetails;
}

export interface Visit {
  readonly desk: SigningReview;
  readonly frame: Frame;
  readonly end: () => void;
}

const MOST_NOTE = 500;

/** `path`: below the base. Undefined where there is no such page. Throws what is neither a page nor a refusal. */
export function pageAt(path: string, visit: Visit): Answer | undefined {
  const { desk, frame } = visit;
  if (path === '/')
    return pageAnswer(200, waitingPage(frame, desk.waiting(), desk.waitingElsewhere().length));
  if (path === '/history') return pageAnswer(200, historyPage(frame, desk.history()));
  const [, kind, id = ''] = /^\/(change|applied)\/([\w-]{43})$/u.exec(path) ?? [];
  if (kind === undefined) return undefined;
  return orReason(visit, () =>
    pageAnswer(
      200,
      kind === 'change' ? changePage(frame, desk.open(id)) : appliedPage(frame, desk.change(id)),
    ),
  );
}

/** A decision, a look at a part, or the end of the session. */
export function postTo(path: string, form: Form, visit: Visit): Answer | undefined {
  if (path === '/end') {
    visit.end();
    return pageAnswer(200, endedPage());
  }
  const [, id = '', step] = /^\/change\/([\w-]{43})\/(approve|reject|part|keep)$/u.exec(path) ?? [];
  switch (step) {
    case 'approve':
      return decided(visit, () => approve(visit.desk, id));
    case 'reject':
      return decided(visit, () => reject(visit.desk, id, noteIn(form)));
    case 'part':
      return orReason(visit, () => lookAtPart(visit, id, partsIn(form)));
    case 'keep':
      return decided(visit, () => visit.desk.approvePart(id, partsIn(form) ?? []));
    default:
      return undefined;
  }
}

function approve(desk: SigningReview, id: string): string {
  desk.approve(id);
  return id;
}

function reject(desk: SigningReview, id: string, note: string): string {
  if (note.length > MOST_NOTE)
    throw new Refusal('ARGUMENT_INVALID', `Cannot reject: the note is longer than ${MOST_NOTE} characters.`);
  desk.reject(id, note);
  return id;
}

/** Nothing is approved before it was seen as it would be applied. */
function lookAtPart({ desk, frame }: Visit, id: string, kept: readonly number[] | undefined): Answer {
  const view = desk.open(id);
  try {
    return pageAnswer(200, partPage(frame, view, kept ?? [], desk.part(id, kept ?? [])));
  } catch (error) {
    if (error instanceof Refusal) return pageAnswer(409, changePage(frame, view, error.message));
    throw error;
  }
}

/** `decide`: answers the id of the change to show then. */
function decided(visit: Visit, decide: () => string): Answer {
  return orReason(visit, () => redirect(visit.frame.at.change(decide())));
}

function orReason({ frame }: Visit, answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof Refusal) return pageAnswer(statusOf(error), cannotPage(frame, error.message));
    // The key was taken off the list while the page was open.
    if (error instanceof StartError)
      return pageAnswer(403, cannotPage(frame, `Cannot decide: ${error.message}.`));
    throw error;
  }
}

function statusOf({ code }: Refusal): number {
  return code === 'PREVIEW_NOT_FOUND' || code === 'CHANGE_NOT_FOUND' ? 404 : 409;
}
