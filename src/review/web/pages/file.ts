// Shows the changes of one file: the values by path, what else changes with them, and the diff.
import type { FileView } from '../../file-view.ts';
import { type Html, html, NOTHING, visibleHtml } from '../html/html.ts';
import { diffView } from './diff.ts';

type ShownChange = FileView['changes'][number];

export function fileSection(view: FileView, stateNote: Html): Html {
  const { file, changes, diff, removed_comments, also_affects, warnings } = view;
  return html`<section class="sheet">
<h2 class="code">${visibleHtml(file)}</h2>
${stateNote}
${noteList('Check carefully', warnings)}
${changes.length === 0 ? html`<p>Only comments, layout or spelling change; no data does.</p>` : changesTable(changes)}
${noteList('Also changes, through an alias or merge', also_affects)}
${noteList('Removed comments', removed_comments)}
${diffView(diff, file)}
<details class="small"><summary>Fingerprints of the file (SHA-256)</summary>
<p>before <code>${view.base_sha256}</code><br>after <code>${view.result_sha256}</code></p></details>
</section>`;
}

function changesTable(changes: readonly ShownChange[]): Html {
  return html`<table class="changes"><caption class="aside">The values that change</caption>
<thead><tr><th scope="col">Path</th><th scope="col">From</th><th scope="col">To</th></tr></thead>
<tbody>${changes.map(changeRow)}</tbody></table>`;
}

/** The texts that stand for a missing value before and after the change. */
const NO_VALUE: Readonly<Partial<Record<ShownChange['op'], readonly [string, string]>>> = {
  create: ['no file', 'a new file'],
  delete: ['the file', 'no file: it is deleted'],
};

function changeRow({ op, path, from, to, line, doc }: ShownChange): Html {
  const place = doc === 0 ? `line ${line}` : `line ${line}, doc ${doc}`;
  return html`<tr><td><span class="code">${visibleHtml(path)}</span> <span class="soft place">${place}</span></td>
<td>${from === undefined ? html`<span class="soft">${NO_VALUE[op]?.[0] ?? 'not there'}</span>` : html`<span class="code from">${visibleHtml(from)}</span>`}</td>
<td><span aria-hidden="true">→ </span>${to === undefined ? html`<span class="soft">${NO_VALUE[op]?.[1] ?? 'removed'}</span>` : html`<span class="code to">${visibleHtml(to)}</span>`}</td></tr>`;
}

export function noteList(title: string, notes: readonly string[]): Html {
  if (notes.length === 0) return NOTHING;
  return html`<div class="note"><strong>${title}</strong><ul>${notes.map((note) => html`<li>${visibleHtml(note)}</li>`)}</ul></div>`;
}
