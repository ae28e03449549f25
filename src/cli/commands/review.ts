// `review` shows the pending previews one by one at the terminal, or with --web on a page. The person can leave at any time: every
// decision until then stands, and the other previews stay pending.

import type { PendingFilter } from '../../review/pending.ts';
import {
  elsewhereText,
  isCurrent,
  isElsewhere,
  type PreviewView,
  unlistedText,
} from '../../review/preview-view.ts';
import type { ReviewService } from '../../review/review-service.ts';
import { serveReviewPage } from '../../review/web/serve-page.ts';
import type { ReviewerKey } from '../../security/approval/reviewer-key.ts';
import { MAX_NOTE_CHARACTERS } from '../../security/approval/statement.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { CALLER, FILE, PORT, RULE, WEB } from '../settings/command-options.ts';
import { locationName, stateLocationOf } from '../settings/state-location.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { atTerminal, type CommandContext } from './context.ts';
import { approveShown, reasonAgainst } from './decide.ts';
import { diffLines, previewLines, waitingLines } from './preview-lines.ts';
import { reviewParts } from './review-parts.ts';
import { openReview } from './services.ts';
import { undoActions } from './undoing.ts';
import { claimedKey, unlockKey } from './unlock-key.ts';

interface Session {
  readonly terminal: Terminal;
  readonly service: ReviewService;
  /** Opens the key; it asks for the passphrase once, at the first decision. */
  readonly key: () => Promise<ReviewerKey>;
  readonly claimed: Pick<ReviewerKey, 'id'> | undefined;
}

function filterOf({ settings }: CommandContext): PendingFilter {
  const [file, rule, caller] = [FILE, RULE, CALLER].map((option) => settings.of(option).value);
  return { file, rule, caller };
}

/** Makes the prompt, with the answers that are possible for this preview. */
function questionOn(preview: PreviewView): string {
  const canApprove = reasonAgainst(preview) === undefined;
  return [
    ...(canApprove ? ['[a]pprove'] : []),
    '[r]eject',
    ...(canApprove && isCurrent(preview) ? ['[p]arts'] : []),
    '[d]iff',
    ...(preview.is_masked && !isElsewhere(preview) ? ['[v]alues'] : []),
    '[s]kip [q]uit ?',
  ].join(' ');
}

const HELP = [
  'a  approve all of it: your key signs exactly what was shown',
  'r  reject it, with a note for the agent',
  'p  go through it part by part, and approve some of them',
  'd  show it again',
  'v  show the masked values too; the audit trail records that you did',
  's  skip it: it stays pending',
  'q  quit: what was decided stays decided',
];

export async function review(context: CommandContext): Promise<number> {
  const { settings, env } = context;
  const location = stateLocationOf(settings, env);
  const port = settings.of(PORT).value;
  if (settings.of(WEB).value) return reviewOnPage(context, port ?? 0);
  if (port !== undefined) throw new UsageError('--port goes with --web');
  return atTerminal(context, async (terminal) => {
    const { service } = await openReview(context);
    const claimed = claimedKey(context);
    let opened: ReviewerKey | undefined;
    const key = async (): Promise<ReviewerKey> => {
      opened ??= await unlockKey(terminal, context);
      return opened;
    };
    const filter = filterOf(context);
    const { previews, elsewhere, left } = await service.pending(filter);
    const pending = previews.filter(({ state }) => state === 'pending');
    if (previews.length > 0) await terminal.page(waitingLines(previews, new Date()));
    else {
      const isFiltered = Object.values(filter).some((wanted) => wanted !== undefined);
      const selected = isFiltered ? ' that --file, --rule and --caller select' : '';
      const place = visibleLine(location === undefined ? '' : locationName(location));
      terminal.say(`No pending previews${selected} in ${place}`);
    }
    if (left > 0) terminal.say(unlistedText(left), 'yellow');
    if (elsewhere > 0) terminal.say(elsewhereText(elsewhere), 'yellow');
    for (const [index, { id }] of pending.entries()) {
      terminal.say();
      terminal.say(`${index + 1} of ${pending.length} to decide: type a letter, then Enter`, 'dim');
      if (!(await decideOne(id, { terminal, service, key, claimed }))) break;
    }
    return 0;
  });
}

/**
 * Shows a page in the browser of the person at this terminal. The key is opened here and held while the page is open; the
 * browser never has it, nor its passphrase. `port` 0 means any free one.
 */
function reviewOnPage(context: CommandContext, port: number): Promise<number> {
  return atTerminal(context, async (terminal) => {
    const { airlock, service } = await openReview(context);
    const key = await unlockKey(terminal, context);
    const undoing = airlock.sandbox.hasRoots ? undoActions(airlock, context) : undefined;
    const page = await serveReviewPage({
      ...{ service, key, port, log: airlock.log, filter: filterOf(context), undoing },
    });
    try {
      terminal.say('Open this link in a browser on this machine. It works once, within ten minutes:');
      // No browser is started from here, because other users of the machine can read the arguments of a program.
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

/** Shows one preview and asks for the decision; false if the person wants to quit. */
async function decideOne(id: string, session: Session): Promise<boolean> {
  const { terminal, service, claimed } = session;
  try {
    const preview = await service.open(id, claimed);
    if (!(await terminal.page(previewLines(preview, new Date())))) {
      terminal.say('You have not read all of it: it stays pending.', 'yellow');
      return true;
    }
    return await answerOn(preview, session);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The preview was applied, has expired or was removed meanwhile. The others are still pending.
    terminal.say(`${error.code}: ${error.message}`, 'yellow');
    return true;
  }
}

async function answerOn(preview: PreviewView, { terminal, service, key }: Session): Promise<boolean> {
  const reason = reasonAgainst(preview);
  for (;;) {
    switch (await terminal.line(questionOn(preview))) {
      case 'a':
        if (reason !== undefined) {
          terminal.say(`Cannot approve: ${reason}. You can reject it, or skip it.`, 'yellow');
          break;
        }
        await approveShown(terminal, service, preview, await key());
        return true;
      case 'r':
        await service.reject(preview.id, await askNote(terminal), await key());
        terminal.say('Rejected.', 'green');
        return true;
      case 'p':
        if (await reviewParts(preview, terminal, service, key)) return true;
        break;
      case 'd':
        await terminal.page(previewLines(preview, new Date()));
        break;
      case 'v':
        await terminal.page(
          (await service.reveal(preview.id, await key())).flatMap(({ diff }) => diffLines(diff)),
        );
        break;
      case 's':
        return true;
      case 'q':
        return false;
      default:
        for (const text of HELP) terminal.say(text);
    }
  }
}

/** Asks for a note until it fits. It is never cut, because half a sentence may say the opposite of the whole. */
async function askNote(terminal: Terminal): Promise<string> {
  for (;;) {
    const note = await terminal.line('Note for the agent (optional):');
    if (note.length <= MAX_NOTE_CHARACTERS) return note;
    terminal.say(`A note has at most ${MAX_NOTE_CHARACTERS} characters; this one is longer.`, 'yellow');
  }
}
