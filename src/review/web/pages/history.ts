// Makes the pages of the history: the list of applied changes, and each change with its diff.
import { shortId } from '../../../state/canonical.ts';
import type { ChangeDetails, ChangeView } from '../../change-view.ts';
import { namedFiles } from '../../summary.ts';
import { moment } from '../../times.ts';
import { type Html, html, NOTHING, visibleHtml } from '../html/html.ts';
import { reasonView } from './change.ts';
import { fileSection } from './file.ts';
import { layout, type PageContext, tokenField } from './layout.ts';
import { originText } from './waiting.ts';

export function historyPage(frame: PageContext, changes: readonly ChangeView[]): Html {
  return layout(
    frame,
    'history',
    'History',
    html`<h1>History</h1>
<p class="soft">What was applied here, newest first. Open a change to undo it.</p>
${changes.length === 0 ? html`<p>No change has been applied yet.</p>` : html`<ul class="list">${changes.map((change) => entryView(frame, change))}</ul>`}`,
  );
}

function entryView({ at, now }: PageContext, change: ChangeView): Html {
  return html`<li>
<div class="row"><h2><a href="${at.applied(change.id)}">${visibleHtml(change.title)}</a></h2>${endView(change)}</div>
<div class="soft">${visibleHtml(namedFiles(change.files))}</div>
<div>Approved by ${approver(change)}${originText(change.origin.kind)}, requested by ${visibleHtml(change.asked_by)}</div>
<div class="soft">${moment(change.at, now)}</div>
</li>`;
}

export function appliedPage(frame: PageContext, change: ChangeDetails): Html {
  const { at, now } = frame;
  const files = change.files.map(({ file }) => file);
  return layout(
    frame,
    'neither',
    change.title,
    html`<p><a href="${at.history}">All applied changes</a></p>
<div class="row"><h1>${visibleHtml(change.title)}</h1>${endView(change)}</div>
<dl>
<dt>Files</dt><dd>${visibleHtml(namedFiles(files))}</dd>
<dt>Applied</dt><dd>${moment(change.at, now)}</dd>
<dt>Approved by</dt><dd>${approver(change)}</dd>
<dt>Requested by</dt><dd>${visibleHtml(change.asked_by)}</dd>
${reasonView(change.reason)}<dt>Change</dt><dd><code>${shortId('ch', change.id)}</code></dd>
${change.undone_by === undefined ? NOTHING : html`<dt>Undone by</dt><dd><a href="${at.applied(change.undone_by)}"><code>${shortId('ch', change.undone_by)}</code></a></dd>`}
</dl>
${change.files.map((file) => fileSection(file, NOTHING))}
${change.state === 'applied' && change.undone_by === undefined ? undoView(frame, change) : NOTHING}`,
  );
}

/** Offers to undo the change, or says where that can be done. */
function undoView({ at, canUndo, ...frame }: PageContext, { id }: ChangeDetails): Html {
  if (!canUndo)
    return html`<p class="soft">To undo it, run <code>config-airlock undo ${shortId('ch', id)}</code> on the machine that has the files.</p>`;
  return html`<form class="sheet" method="post" action="${at.undo(id)}">${tokenField({ at, canUndo, ...frame })}
<p>You see what that does before anything is written.</p>
<button>Undo this change</button></form>`;
}

function endView({ state, undone_by }: Pick<ChangeView, 'state' | 'undone_by'>): Html {
  if (undone_by !== undefined) return html`<span class="badge">undone</span>`;
  if (state === 'unknown') return html`<span class="badge open">interrupted</span>`;
  return state === 'open'
    ? html`<span class="badge open">not finished</span>`
    : html`<span class="badge good">applied</span>`;
}

function approver({ confirmed_by, reviewer }: Pick<ChangeView, 'confirmed_by' | 'reviewer'>): Html {
  if (confirmed_by === 'human') return visibleHtml(reviewer ?? 'a reviewer');
  return visibleHtml(
    reviewer === undefined ? APPROVERS[confirmed_by] : `${reviewer}, ${APPROVERS[confirmed_by]}`,
  );
}

const APPROVERS = {
  terminal: 'a person at a terminal',
  client: 'the person at the client',
  preview: 'nobody: previews were enough',
  direct: 'nobody: direct writes were allowed',
} as const;
