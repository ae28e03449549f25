// Makes the common parts of every page: the landmarks, the link to skip them, and the form that ends the session.
import { type Html, html, visibleHtml, visiblePlain } from '../html/html.ts';
import { STYLE_ELEMENT } from '../html/style.ts';

/** The facts about the session that a page shows. */
export interface PageContext {
  readonly at: Addresses;
  readonly formToken: string;
  readonly now: Date;
  readonly reviewer: string;
  /** True if the page runs beside the files, and can undo changes. */
  readonly canUndo: boolean;
}

export type Tab = 'waiting' | 'history' | 'neither';

export function layout(frame: PageContext, tab: Tab, title: string, content: Html): Html {
  const { at } = frame;
  return html`<head>${head(title)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><div class="wide">
<span class="brand">config-airlock review</span>
<nav aria-label="Pages">${link(at.waiting, 'Pending', tab === 'waiting')}${link(at.history, 'History', tab === 'history')}</nav>
<form class="inline" method="post" action="${at.end}">${tokenField(frame)}<button class="plain">End session</button></form>
</div></header>
<main id="main" class="wide" tabindex="-1">${content}</main>
</body>`;
}

/** Makes a page without a session, which says as little as possible. */
function barePage(title: string, content: Html): Html {
  return html`<head>${head(title)}</head>
<body><main class="wide"><h1>${title}</h1>${content}</main></body>`;
}

export function tokenField({ formToken }: PageContext): Html {
  return html`<input type="hidden" name="token" value="${formToken}">`;
}

function head(title: string): Html {
  return html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${visiblePlain(title)} · config-airlock review</title>${STYLE_ELEMENT}`;
}

function link(to: string, text: string, isHere: boolean): Html {
  return isHere ? html`<a href="${to}" aria-current="page">${text}</a>` : html`<a href="${to}">${text}</a>`;
}

export type Addresses = ReturnType<typeof addressesBelow>;

/** The path of the list for the request that the browser repeats by itself. */
export const REFRESH_PATH = '/fresh';

/** Returns the address of each page, below the base of the session. */
export function addressesBelow(base: string) {
  return {
    waiting: `${base}/`,
    fresh: `${base}${REFRESH_PATH}`,
    filter: `${base}/filter`,
    history: `${base}/history`,
    end: `${base}/end`,
    change: (id: string) => `${base}/change/${id}`,
    decision: (id: string, decision: 'approve' | 'reject' | 'part' | 'keep' | 'reveal' | 'apply') =>
      `${base}/change/${id}/${decision}`,
    applied: (id: string) => `${base}/applied/${id}`,
    undo: (id: string) => `${base}/applied/${id}/undo`,
  };
}

/** Makes the page for a request without a session. It is always the same, so that it does not reveal whether a session exists. */
export function noSessionPage(): Html {
  return barePage(
    'This page is closed',
    html`<p>It opens with the link in your terminal, once and for ten minutes. For a new link, run <code>config-airlock review --web</code> again.</p>
<p>If you came from another page just now, <a href="">load this one again</a>: your browser does not send your session along when another site links here.</p>`,
  );
}

export function refusedPage(status: number): Html {
  return barePage('Request refused', html`<p>This request was refused (${status}).</p>`);
}

export function endedPage(): Html {
  return barePage(
    'The session has ended',
    html`<p>Your key is no longer in memory. You can close this page.</p>`,
  );
}

/** Makes the page for a failure, which `title` names. */
export function failurePage(frame: PageContext, title: string, reason: string): Html {
  return layout(
    frame,
    'neither',
    title,
    html`<h1>${title}</h1><div class="note" role="alert">${visibleHtml(reason)}</div><p><a href="${frame.at.waiting}">All pending changes</a></p>`,
  );
}
