// Makes the page of one pending change: what it would do, and the forms to decide. It also makes the page that shows some parts of the
// change. The decision comes last, on the page and in the order of the keyboard.

import { countedPaths } from '../../../adapters/review/describe-edit.ts';
import { counted } from '../../../adapters/tree/wording.ts';
import { MAX_NOTE_CHARACTERS } from '../../../security/approval/statement.ts';
import { shortId } from '../../../state/canonical.ts';
import { approvalText } from '../../approval-text.ts';
import { type FileView, STATE_TEXTS } from '../../file-view.ts';
import { foldedNotes } from '../../folded-view.ts';
import {
  type DecisionView,
  isCurrent,
  isElsewhere,
  type PartView,
  type PreviewView,
} from '../../preview-view.ts';
import { namedFiles } from '../../summary.ts';
import { moment } from '../../times.ts';
import { type Html, html, NOTHING, visibleHtml } from '../html/html.ts';
import { diffView } from './diff.ts';
import { fileSection, noteList } from './file.ts';
import { layout, type PageContext, tokenField } from './layout.ts';
import { revealForm } from './revealed.ts';
import { originText, risksView, stateBadge } from './waiting.ts';

/** Makes the page. `failure` says why the last attempt to decide had no effect; `next` is the next change to decide. */
export function changePage(
  frame: PageContext,
  view: PreviewView,
  { failure, next }: { readonly failure?: string; readonly next?: string | undefined } = {},
): Html {
  const { at, now } = frame;
  const files = view.files.map(({ file }) => file);
  return layout(
    frame,
    'neither',
    view.title,
    html`<p><a href="${at.waiting}">All pending changes</a></p>
<div class="row"><h1>${visibleHtml(view.title)}</h1>${stateBadge(view.state)}</div>
${view.reason === undefined ? NOTHING : html`<p><q>${visibleHtml(view.reason)}</q> <span class="soft">(the agent's words, unverified)</span></p>`}
${risksView(view.risks)}
${failure === undefined ? NOTHING : html`<div class="note" role="alert">${visibleHtml(failure)}</div>`}
<p class="soft">${visibleHtml(namedFiles(files))}</p>
<p>${countedPaths(view.change_count)} in ${counted(files.length, 'file')}${originText(view.origin.kind)}. <a href="#decide">Go to the decision</a></p>
<dl>
<dt>Requested by</dt><dd>${visibleHtml(view.asked_by)}</dd>
<dt>Requested</dt><dd>${moment(view.created_at, now)}</dd>
<dt>Expires</dt><dd>${moment(view.expires_at, now)}</dd>
<dt>Preview</dt><dd><code>${shortId('pv', view.id)}</code></dd>
${view.rules.map((rule) => html`<dt>Rule</dt><dd>${visibleHtml(rule)}</dd>\n`)}</dl>
${noteList('Matched by a pattern and not edited', view.skipped)}
${progressView(view.progress)}${view.decisions.map((decision) => decisionView(frame, decision))}
${view.files.map((file) => (view.folded.files.has(file.file) ? NOTHING : fileSection(file, stateNote(file))))}${foldedSections(view)}
${view.is_masked && !isElsewhere(view) ? revealForm(frame, view.id) : NOTHING}
${decisionSection(frame, view, next)}`,
  );
}

/** Shows equal changes: the diff of one of them, a list of all places, and each warning once. */
function foldedSections({ folded, files }: Pick<PreviewView, 'files' | 'folded'>): Html {
  const notes = foldedNotes(files.filter(({ file }) => folded.files.has(file)));
  return html`${noteList('Check carefully', notes)}${folded.groups.map(
    ({ title, file, diff, places }) => html`<section class="sheet">
<h2 class="code">${visibleHtml(title)}</h2>
<p>One of them, in <span class="code">${visibleHtml(file)}</span>:</p>
${diffView(diff, file)}
<details><summary>All ${places.length} places</summary><ul>${places.map((place) => html`<li class="code">${visibleHtml(place)}</li>`)}</ul></details>
</section>`,
  )}`;
}

function progressView(progress: string | undefined): Html {
  return progress === undefined
    ? NOTHING
    : html`<div class="note">${visibleHtml(progress)}</div>
`;
}

/** Shows the reason, marked as the agent's own words. */
export function reasonView(reason: string | undefined): Html {
  return reason === undefined
    ? NOTHING
    : html`<dt>Reason</dt><dd><q>${visibleHtml(reason)}</q> <span class="soft">(the agent's words, unverified)</span></dd>\n`;
}

function stateNote({ state }: FileView): Html {
  return state === 'same' ? NOTHING : html`<div class="note">${STATE_TEXTS[state]}</div>`;
}

function decisionView({ now }: PageContext, { decision, reviewer, note, at: when }: DecisionView): Html {
  const verb = { approve: 'approved it', reject: 'rejected it' }[decision];
  const tone = { approve: 'note good', reject: 'note bad' }[decision];
  return html`<div class="${tone}"><strong>${visibleHtml(reviewer)}</strong> ${verb}, ${moment(when, now)}.${
    note === undefined ? NOTHING : html` “${visibleHtml(note)}”`
  }</div>`;
}

function decisionSection(frame: PageContext, view: PreviewView, next: string | undefined): Html {
  // A decision that would be refused is not offered.
  const canBeUndone = frame.canUndo && view.origin.kind === 'revert' && isCurrent(view);
  if (canBeUndone && view.state === 'approved') return section('Undo the change', undoForm(frame, view));
  if (!view.needs_reviewer)
    return section('Decided', html`<p>This preview needs no reviewer: nobody has to decide about it.</p>`);
  if (view.state === 'rejected')
    return section(
      'Decided',
      html`<p>One rejection is final for a change and its parts. To overrule it, have the agent request the change again.</p>`,
    );
  const isApproved = view.decisions.some(({ decision }) => decision === 'approve');
  return section(
    view.state === 'pending' ? 'Your decision' : 'Decide again',
    html`<div class="choices">
<div>${isApproved ? html`<p>${visibleHtml(approvalText(view).text)}</p>` : NOTHING}
${view.state === 'approved' ? html`<p><strong>Waiting for the agent to apply it.</strong> Until it is applied or expires you can still reject it.</p>` : approvalForms(frame, view)}
${isApproved && next !== undefined ? html`<p><a href="${frame.at.change(next)}">The next change to decide</a></p>` : NOTHING}</div>
<form method="post" action="${frame.at.decision(view.id, 'reject')}">${tokenField(frame)}
<label for="note">What should be different?</label> <span class="soft">(the agent reads it)</span>
<textarea id="note" name="note" rows="3" maxlength="${MAX_NOTE_CHARACTERS}"></textarea>
<button class="bad">Reject</button></form>
</div>
${view.parts.length === 0 || view.unapprovable !== undefined ? NOTHING : partsView(frame, view)}`,
  );
}

/** Offers to apply an undo that has all the approvals it needs. The page applies nothing else. */
function undoForm(frame: PageContext, { id }: PreviewView): Html {
  return html`<form method="post" action="${frame.at.decision(id, 'apply')}">${tokenField(frame)}
<p>It is approved. This writes exactly what is shown above.</p>
<button class="good">Undo the change</button></form>`;
}

/** Offers to approve it. If files have changed since, what they become is previewed anew when the agent applies it. */
function approvalForms(frame: PageContext, view: PreviewView): Html {
  if (view.unapprovable !== undefined) return html`<p>Cannot approve: ${visibleHtml(view.unapprovable)}.</p>`;
  if (isCurrent(view)) return approveView(frame, view);
  return html`<p>Its files have changed since, or cannot be read: it can only be rejected. The agent gets a new preview when it applies this one.</p>`;
}

function section(title: string, content: Html): Html {
  return html`<section class="sheet" id="decide" tabindex="-1" aria-labelledby="decide-title">
<h2 id="decide-title">${title}</h2>
${content}
</section>`;
}

function approveView(frame: PageContext, { id, files }: PreviewView): Html {
  return html`<form method="post" action="${frame.at.decision(id, 'approve')}">${tokenField(frame)}
<p>The agent may then apply exactly this change, once, until it expires.</p>
<button class="good">Approve ${files.length === 1 ? 'this change' : 'all of it'}</button></form>`;
}

function partsView(frame: PageContext, { id, parts }: PreviewView): Html {
  return html`<details><summary>Approve only a part of it</summary>
<form method="post" action="${frame.at.decision(id, 'part')}">${tokenField(frame)}
<fieldset><legend>Select what to approve. You will see the result before anything is decided.</legend>
${parts.map(partView)}</fieldset>
<button>Show the selected parts</button></form></details>`;
}

function partView({ index, file, diff }: PartView): Html {
  const label = `part ${index + 1}, in ${file}`;
  return html`<div class="part"><label for="part-${index}"><input type="checkbox" id="part-${index}" name="part" value="${index}">Part ${index + 1} <span class="soft code">${visibleHtml(file)}</span></label>
${diffView(diff, label)}</div>`;
}

/** Makes the page that shows a part before it is approved. */
export function partPage(
  frame: PageContext,
  { id, parts }: PreviewView,
  selected: readonly number[],
  files: readonly FileView[],
): Html {
  const { at } = frame;
  const title = `${selected.length} of ${counted(parts.length, 'part')}`;
  return layout(
    frame,
    'neither',
    title,
    html`<p><a href="${at.change(id)}">The whole change</a></p>
<h1>${title}</h1>
<p>This is what would be applied. It has been verified as a change of its own; the other parts are not approved.</p>
${files.map((file) => fileSection(file, NOTHING))}
<form class="sheet" method="post" action="${at.decision(id, 'keep')}">${tokenField(frame)}
${selected.map((index) => html`<input type="hidden" name="part" value="${index}">`)}
<p>The agent may then apply exactly this, once, until it expires.</p>
<button class="good">Approve this part</button></form>`,
  );
}
