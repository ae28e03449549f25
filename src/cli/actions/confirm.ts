// Nothing is confirmed unread: the whole of it first, page by page, then the word "yes".
import type { Line } from '../terminal/ansi-style.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `action`: completes "Type yes to …". */
export async function isConfirmed(
  terminal: Terminal,
  shown: readonly Line[],
  action: string,
): Promise<boolean> {
  const isRead = await terminal.page(shown);
  if (isRead && (await terminal.line(`Type yes to ${action}:`)) === 'yes') return true;
  terminal.say('Nothing was decided.', 'yellow');
  return false;
}
