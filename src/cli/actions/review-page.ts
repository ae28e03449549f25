// `review --web`: what waits, as a page for the browser of the person at this terminal. The key is opened here, and
// held while the page is open; the browser never has it, nor its passphrase.
import { serveReviewPage, signingReview } from '../../review/web/index.ts';
import { UsageError } from '../settings/usage-error.ts';
import { atTerminal, type CommandContext } from './context.ts';
import { keyFile } from './key-file.ts';
import { openServices } from './services.ts';
import { unlock } from './unlock-key.ts';

export function reviewOnPage(context: CommandContext): Promise<number> {
  const port = portIn(context.task.own.get('port'));
  return atTerminal(context, async (terminal) => {
    const { desk, log } = await openServices(context);
    const key = await unlock(terminal, keyFile(context));
    const page = await serveReviewPage({ desk: signingReview(desk, key), port, log });
    try {
      terminal.say('Open this in a browser on this machine. It works once, within ten minutes:');
      // Not started from here: other users of the machine can read the arguments of a program.
      terminal.say(page.url, 'bold');
      terminal.say('Your key is held until the session ends, or was unused for half an hour.');
      const left = terminal.key('-- q ends the session --', ['q']).then(() => 'asked' as const);
      const why = await Promise.race([page.ended, left]);
      terminal.say();
      terminal.say(
        why === 'asked' ? 'The session has ended.' : 'Nobody used the page: the session has ended.',
      );
      return 0;
    } finally {
      page.close();
    }
  });
}

function portIn(text = '0'): number {
  const port = /^\d{1,5}$/u.test(text) ? Number(text) : -1;
  // The low ones belong to the system's own services.
  if (port !== 0 && (port < 1024 || port > 65_535))
    throw new UsageError('--port: expected a number from 1024 to 65535');
  return port;
}
