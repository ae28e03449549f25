// The pages that say no, in the words of somebody who may well be the right person with the wrong link.
import { type Html, html } from '../html/html.ts';
import { shown } from '../html/shown-text.ts';
import { barePage, type Frame, layout } from './layout.ts';

/** To whoever has no session. The same for everybody: it tells nobody whether there is one. */
export function noSessionPage(): Html {
  return barePage(
    'This page is closed',
    html`<p>It opens with the link that stands in your terminal, once and for some minutes. For a new link, run <code>config-airlock review --web</code> again.</p>
<p>If you came from another page just now, <a href="">load this one again</a>: your browser does not say who you are when another site sends you here.</p>`,
  );
}

export function refusedPage(status: number): Html {
  return barePage('Not here', html`<p>This request was refused (${status}).</p>`);
}

export function endedPage(): Html {
  return barePage('The session has ended', html`<p>The key was let go. You can close this page.</p>`);
}

/** `reason`: of a Refusal. */
export function cannotPage(frame: Frame, reason: string): Html {
  return layout(
    frame,
    'neither',
    'That did not work',
    html`<h1>That did not work</h1><div class="note" role="alert">${shown(reason)}</div><p><a href="${frame.at.waiting}">All waiting changes</a></p>`,
  );
}
