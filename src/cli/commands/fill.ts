// `fill PREVIEW_ID PATH`: a person enters a value that the agent must not know into a waiting preview. It is typed unseen, or
// piped in, and shown nowhere.
import { userInfo } from 'node:os';
import type { DocumentSelector } from '../../adapters/index.ts';
import { elsewhereText, type Filler, type ReviewService } from '../../review/index.ts';
import { displayLine, hasKeyFile, holdsPlaceholder, shortId } from '../../security/index.ts';
import { VERSION } from '../../server.ts';
import { DOC, FILE } from '../settings/command-options.ts';
import { UsageError } from '../settings/usage-error.ts';
import { line } from '../terminal/rows.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { atTerminal, type CommandContext } from './context.ts';
import { fitted, printLines } from './output.ts';
import { fileLines } from './preview-lines.ts';
import { openAirlockFor, reviewOn } from './services.ts';
import { keyFile, unlockKey } from './unlock-key.ts';

const MOST_BYTES = 64_000;

export async function fill(context: CommandContext): Promise<number> {
  const { args, settings, input } = context;
  const [id = '', path = ''] = args;
  const service = reviewOn(await openAirlockFor(context), context);
  if (service.isElsewhere(id)) throw new UsageError(`cannot open this preview: ${elsewhereText(1)}`);
  const asked = { path, file: settings.of(FILE).value, doc: documentIn(settings.of(DOC).value) };
  // Nobody should type a value in vain.
  const place = service.placeToFill(id, asked);
  const asksWho = service.asksWhoProposes(id) && hasKeyFile(keyFile(context));
  if (asksWho && input.isTTY !== true)
    throw new UsageError(
      'rules ask for certain reviewers of this change, or for several, and whoever enters a value is none of them: run it at a terminal, where your reviewer key says who you are',
    );
  const { value, reviewer } = input.isTTY
    ? await typed(context, `${place.path} in ${place.file}`, asksWho ? service : undefined)
    : { value: withoutLastBreak(await piped(context)), reviewer: undefined };
  requireEnterable(value);
  const filledId = service.fill(id, { ...place, value }, fillerOf(context, reviewer));
  printLines(context, [
    ...fitted(context, service.open(filledId).files.flatMap(fileLines)),
    line(`Filled in. Preview ${shortId('pv', filledId)} takes the place of the one before.`),
  ]);
  return 0;
}

interface Entered {
  readonly value: string;
  /** By whose key. */
  readonly reviewer: string | undefined;
}

/** `service`: where it matters which reviewer it is. */
function typed(context: CommandContext, place: string, service: ReviewService | undefined): Promise<Entered> {
  return atTerminal(context, async (terminal) => {
    const reviewer = service && (await reviewerAt(terminal, context, service));
    terminal.say(`The value of ${displayLine(place)}. Nothing that you type is shown.`);
    for (;;) {
      const value = await terminal.secret('Value:');
      if (value === '') terminal.say('Nothing was typed.', 'yellow');
      else if ((await terminal.secret('The same value again:')) === value) return { value, reviewer };
      else terminal.say('The two differ.', 'yellow');
    }
  });
}

async function reviewerAt(
  terminal: Terminal,
  context: CommandContext,
  service: ReviewService,
): Promise<string> {
  terminal.say(
    'Rules ask for certain reviewers of this change, or for several. Whoever enters a value is none of them: your own approval will not count.',
    'yellow',
  );
  return service.nameOf(await unlockKey(terminal, context));
}

/** Throws UsageError for what is too long, or no UTF-8. */
async function piped({ input }: CommandContext): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MOST_BYTES) throw new UsageError(`the value is longer than ${MOST_BYTES} bytes`);
    chunks.push(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError('the value is no valid UTF-8');
  }
}

/** Of a single line: most programs end what they print with one. */
function withoutLastBreak(text: string): string {
  const single = /^([^\n]*?)\r?\n$/u.exec(text);
  return single?.[1] ?? text;
}

function requireEnterable(value: string): void {
  if (value === '') throw new UsageError('the value is empty');
  if (/(?![\n\t])\p{Cc}/u.test(value)) throw new UsageError('the value holds a control character');
  if (holdsPlaceholder(value)) throw new UsageError('the value holds <secret:…>, which only stands for one');
}

/** Throws UsageError for what is neither an index nor a matcher. */
function documentIn(doc: unknown): DocumentSelector | undefined {
  if (doc === undefined || typeof doc === 'number' || typeof doc === 'string') return doc;
  const fields: Record<string, string | number | boolean | null> = {};
  for (const [name, value] of Object.entries(Object(doc))) {
    if (value !== null && !isScalar(value))
      throw new UsageError('--doc: expected an index, or a matcher such as {"kind":"Deployment"}');
    fields[name] = isScalar(value) ? value : null;
  }
  return fields;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** The name of the operating system's user stands in the audit trail; that of who came by sudo counts as well. */
function fillerOf({ name, env }: CommandContext, reviewer: string | undefined): Filler {
  const user = userName();
  const caller = { name: `config-airlock ${name}`, version: VERSION };
  const principal = reviewer ?? user;
  return {
    caller: principal === undefined ? caller : { ...caller, principal },
    names: [reviewer, user, env['SUDO_USER']].flatMap((one) => (one ? [one] : [])),
  };
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A user without a name.
    return undefined;
  }
}
