// Makes the page of pending changes, with one entry for each, those with risks first.

import { countedPaths } from '../../../adapters/review/describe-edit.ts';
import { counted } from '../../../adapters/tree/wording.ts';
import type { Pending, PendingFilter } from '../../pending.ts';
import {
  elsewhereText,
  queueNotes,
  unlistedText,
  type Waiting,
  type WaitingState,
} from '../../preview-view.ts';
import { namedFiles } from '../../summary.ts';
import { moment } from '../../times.ts';
import { type Html, html, NOTHING, visibleHtml } from '../html/html.ts';
import { layout, type PageContext, tokenField } from './layout.ts';

export function waitingPage(
  frame: PageContext,
  { previews, elsewhere, left }: Pending,
  filter: PendingFilter = {},
): Html {
  const pending = previews.filter(({ state }) => state === 'pending');
  const decided = previews.filter(({ state }) => state !== 'pending');
  const title =
    pending.length === 0 ? 'No pending changes' : `${counted(pending.length, 'change')} to decide`;
  return layout(
    frame,
    'waiting',
    title,
    html`<h1>${title}</h1>
<p class="soft">You decide as <strong>${visibleHtml(frame.reviewer)}</strong>. What you approve is applied exactly as shown, byte for byte, or not at all.</p>
${filterView(frame, filter)}${elsewhere === 0 ? NOTHING : html`<p class="note">${elsewhereText(elsewhere)}</p>`}
${left === 0 ? NOTHING : html`<p class="note">${unlistedText(left)}</p>`}
${pending.length === 0 ? EMPTY : html`<h2 class="aside">To decide</h2>${entries(frame, pending)}`}
${decided.length === 0 ? NOTHING : html`<h2>Decided</h2>${entries(frame, decided)}`}`,
  );
}

/** Shows the filter, open where it is used. */
function filterView(frame: PageContext, filter: PendingFilter): Html {
  const field = (name: 'file' | 'rule' | 'caller', label: string) =>
    html`<p><label for="${name}">${label}</label> <input id="${name}" name="${name}" value="${filter[name] ?? ''}" maxlength="200"></p>`;
  const isUsed = Object.values(filter).some((value) => value !== undefined);
  const form = html`<summary>${isUsed ? 'Only some are listed' : 'List only some'}</summary>
<form method="post" action="${frame.at.filter}">${tokenField(frame)}
${field('file', 'File or folder')}${field('rule', 'Rule')}${field('caller', 'Requested by')}
<button>List these</button></form>`;
  return isUsed ? html`<details open>${form}</details>` : html`<details>${form}</details>`;
}

const EMPTY = html`<p>A change that needs your approval is listed here as soon as an agent requests it. The page loads itself again twice a minute.</p>`;

function entries(frame: PageContext, waiting: readonly Waiting[]): Html {
  return html`<ul class="list">${waiting.map((entry) => entryView(frame, entry))}</ul>`;
}

function entryView({ at, now }: PageContext, entry: Waiting): Html {
  return html`<li>
<div class="row"><h3><a href="${at.change(entry.id)}">${visibleHtml(entry.title)}</a></h3>${stateBadge(entry.state)}</div>
${entry.reason === undefined ? NOTHING : html`<div><q>${visibleHtml(entry.reason)}</q> <span class="soft">(the agent's words, unverified)</span></div>`}
${risksView(entry.risks)}
<div class="soft">${visibleHtml(namedFiles(entry.files))}</div>
<div>${countedPaths(entry.change_count)} in ${counted(entry.files.length, 'file')}${originText(entry.origin.kind)}, requested by ${visibleHtml(entry.asked_by)}</div>
<div class="soft">Requested ${moment(entry.created_at, now)} · expires ${moment(entry.expires_at, now)}</div>
${entry.first_changes.map((change) => html`<div class="code">${visibleHtml(change)}</div>`)}
${queueNotes(entry).map((note) => html`<div class="soft">${visibleHtml(note)}</div>`)}
${entry.progress === undefined ? NOTHING : html`<div class="soft">${visibleHtml(entry.progress)}</div>`}
</li>`;
}

/** Shows what is dangerous in a change. */
export function risksView(risks: readonly string[]): Html {
  if (risks.length === 0) return NOTHING;
  return html`<div class="note bad"><strong>High risk</strong><ul>${risks.map((risk) => html`<li>${visibleHtml(risk)}</li>`)}</ul></div>`;
}

export function originText(kind: Waiting['origin']['kind']): string {
  if (kind === 'revert') return ', undoing an earlier change';
  return kind === 'part' ? ', a part of another change' : '';
}

const BADGES = {
  pending: html`<span class="badge open">pending</span>`,
  approved: html`<span class="badge good">approved</span>`,
  rejected: html`<span class="badge bad">rejected</span>`,
  part: html`<span class="badge">approved in part</span>`,
} as const;

export function stateBadge(state: WaitingState): Html {
  return BADGES[state];
}
