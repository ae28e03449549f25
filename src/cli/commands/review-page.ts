// `review --web`: what is pending, as a page for the browser of the person at this terminal. The key is opened here,
// and held while the page is open; the browser never has it, nor its passphrase.
import { serveReviewPage } from '../../review/web/index.ts';
import { atTerminal, type CommandContext } from './context.ts';
import { openAirlockFor, reviewOn } from './services.ts';
import { unlockKey } from './unlock-key.ts';

/** `port`: 0 for any that is free. */
export function reviewOnPage(context: CommandContext, port: number): Promise<number> {
  return atTerminal(context, async (terminal) => {
    const airlock = await openAirlockFor(context, 'never');
    const service = reviewOn(airlock, context);
    const key = await unlockKey(terminal, context);
    const page = await serveReviewPage({ service, key, port, log: airlock.log });
    try {
      terminal.say('Open this link in a browser on this machine. It works once, within ten minutes:');
      // Not started from here: other users of the machine can read the arguments of a program.
      terminal.say(page.url, 'bold');
      terminal.say(
        'Your key stays in memory until the session ends, at the latest after half an hour unused.',
      );
      const quit = terminal.key('-- q ends the session --', ['q']).then(() => 'asked' as const);
      const why = await Promise.race([page.ended, quit]);
      terminal.say();
      terminal.say(
        why === 'asked' ? 'The session has ended.' : 'The session has ended: the page was not used.',
      );
      return 0;
    } finally {
      page.close();
    }
  });
}
