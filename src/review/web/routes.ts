// What each address answers, for a request that has passed the guards. Decides through the desk only, and answers
// a refusal of the desk with its reason and nothing else.
import { Refusal } from '../../security/index.ts';
import type { ChangeView, FileView, PlanView, Waiting } from '../index.ts';
import { type Answer, pageAnswer, redirect } from './answer.ts';
import { type Form, noteIn, partsIn } from './form.ts';
import { changePage } from './pages/change.ts';
import { appliedPage, historyPage } from './pages/history.ts';
import type { Frame } from './pages/layout.ts';
import { cannotPage, endedPage } from './pages/messages.ts';
import { waitingPage } from './pages/waiting.ts';

/** The review desk, with the reviewer's key in hand. */
export interface DeskWithKey {
  /** Whose key it is. */
  readonly reviewer: string;
  waiting(): readonly Waiting[];
  open(id: string): PlanView;
  approve(id: string): void;
  reject(id: string, note: string): void;
  /** Answers the id of the plan that holds the part. */
  approvePart?(id: string, kept: readonly number[]): string;
  history(): readonly ChangeView[];
  filesOf(changeId: string): readonly FileView[];
}

export interface Visit {
  readonly desk: DeskWithKey;
  readonly frame: Frame;
  readonly end: () => void;
}

const MOST_NOTE = 500;

/** `path`: below the base. Undefined where there is no such page. Throws what is neither a page nor a refusal. */
export function pageAt(path: string, visit: Visit): Answer | undefined {
  const { desk, frame } = visit;
  if (path === '/') return pageAnswer(200, waitingPage(frame, desk.waiting()));
  if (path === '/history') return pageAnswer(200, historyPage(frame, desk.history()));
  const [, kind, id = ''] = /^\/(change|applied)\/([\w-]{43})$/u.exec(path) ?? [];
  if (kind === undefined) return undefined;
  return orReason(visit, () => {
    if (kind === 'change') return pageAnswer(200, changePage(frame, desk.open(id)));
    const change = desk.history().find((entry) => entry.id === id);
    if (change === undefined) return undefined;
    return pageAnswer(200, appliedPage(frame, change, desk.filesOf(id)));
  });
}

/** A decision, or the end of the session. */
export function postTo(path: string, form: Form, visit: Visit): Answer | undefined {
  if (path === '/end') {
    visit.end();
    return pageAnswer(200, endedPage());
  }
  const [, id = '', decision] = /^\/change\/([\w-]{43})\/(approve|reject|part)$/u.exec(path) ?? [];
  if (decision === undefined) return undefined;
  return orReason(visit, () => {
    const problem = decide(visit.desk, id, decision, form);
    if (typeof problem === 'string')
      return pageAnswer(409, changePage(visit.frame, visit.desk.open(id), problem));
    return redirect(visit.frame.at.change(problem.shows));
  });
}

/** What to show next; or why it was not done. */
function decide(desk: DeskWithKey, id: string, decision: string, form: Form): { shows: string } | string {
  if (decision === 'approve') {
    desk.approve(id);
    return { shows: id };
  }
  if (decision === 'reject') {
    const note = noteIn(form);
    if (note.length > MOST_NOTE)
      return `Nothing was decided: the note is longer than ${MOST_NOTE} characters.`;
    desk.reject(id, note);
    return { shows: id };
  }
  const kept = partsIn(form);
  const { parts } = desk.open(id);
  if (kept === undefined || !kept.every((index) => index < parts.length))
    return 'Nothing was decided: those are not the parts of this change.';
  if (kept.length === 0)
    return 'Nothing was decided: no part was ticked. To approve nothing of it, reject it.';
  if (kept.length === parts.length)
    return 'Nothing was decided: every part was ticked. Approve all of it instead.';
  const shows = desk.approvePart?.(id, kept);
  return shows === undefined ? 'Nothing was decided: parts cannot be approved here.' : { shows };
}

function orReason({ frame }: Visit, answer: () => Answer | undefined): Answer | undefined {
  try {
    return answer();
  } catch (error) {
    if (error instanceof Refusal) return pageAnswer(409, cannotPage(frame, error.message));
    throw error;
  }
}
