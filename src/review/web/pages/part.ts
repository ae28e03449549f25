// What a change would be with some of its parts only: to be read before it is approved.
import { counted } from '../../../adapters/index.ts';
import type { FileView, PreviewView } from '../../index.ts';
import { type Html, html, NOTHING } from '../html/html.ts';
import { fileSection } from './file.ts';
import { type Frame, layout, tokenField } from './layout.ts';

export function partPage(
  frame: Frame,
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
