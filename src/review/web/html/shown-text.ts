// Texts that a reader can trust as they see them: what is invisible, moves or reorders text stands there as
// <U+XXXX>, set apart from the text around it. What has been made visible before stays as it is.
import { visible } from '../../../security/index.ts';
import { type Html, html } from './html.ts';

const ESCAPE = /(<U\+[0-9A-F]{4,6}>)/u;

/** For what the review answers, which may be escaped already. */
export function shown(text: string): Html {
  const pieces = shownPlain(text).split(ESCAPE);
  return html`${pieces.map((piece, index) =>
    index % 2 === 1
      ? html`<span class="unseen" title="A character that cannot be seen">${piece}</span>`
      : html`${piece}`,
  )}`;
}

/** The same as plain text, for titles and attributes. */
export function shownPlain(text: string): string {
  return (
    text
      .split(ESCAPE)
      .map((piece, index) => (index % 2 === 1 ? piece : visible(piece)))
      .join('')
      // A browser would take the \r of a \r\n away.
      .replaceAll('\r', '<U+000D>')
  );
}
