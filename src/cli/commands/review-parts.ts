// Lets a reviewer select parts of a preview one by one, as `git add -p` does. The selection becomes a new preview, which is shown
// before it is signed.
import type { FileView } from '../../review/file-view.ts';
import type { PartView, PreviewView } from '../../review/preview-view.ts';
import type { ReviewService } from '../../review/review-service.ts';
import type { ReviewerKey } from '../../security/approval/reviewer-key.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { shortId } from '../../state/canonical.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { printApprovalState } from './decide.ts';
import { diffLines, fileLines } from './preview-lines.ts';

const HELP = [
  'y  select this part',
  'n  leave it out',
  'a  select it and all later parts of this file',
  'd  leave it out, and all later parts of this file',
  'q  stop: nothing is decided',
];

/** True if something was decided. `key` asks for the passphrase where it was not given yet. */
export async function reviewParts(
  { id, parts, unapprovable }: PreviewView,
  terminal: Terminal,
  service: ReviewService,
  key: () => Promise<ReviewerKey>,
): Promise<boolean> {
  if (parts.length === 0 || unapprovable !== undefined) {
    terminal.say('It cannot be approved in parts.', 'yellow');
    return false;
  }
  const selected = await select(parts, terminal);
  if (selected === undefined) return false;
  if (selected.length === 0 || selected.length === parts.length) {
    terminal.say(
      selected.length === 0
        ? 'You selected nothing: reject it instead.'
        : 'You selected all of it: approve it.',
      'yellow',
    );
    return false;
  }
  const files = await partOrReason(terminal, () => service.part(id, selected));
  if (files === undefined) return false;
  terminal.say();
  terminal.say('You selected:', 'bold');
  if (!(await terminal.confirm(files.flatMap(fileLines), 'approve this part, and not the rest')))
    return false;
  const partId = await service.approvePart(id, selected, await key());
  terminal.say(`Approved in part, as preview ${shortId('pv', partId)}`);
  await printApprovalState(terminal, service, partId);
  return true;
}

/** Returns the files of the part; undefined if it needs what was left out, with the reason shown. */
async function partOrReason(
  terminal: Terminal,
  part: () => Promise<readonly FileView[]>,
): Promise<readonly FileView[] | undefined> {
  try {
    return await part();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    terminal.say(`${error.code}: ${error.message}`, 'yellow');
    return undefined;
  }
}

/** Returns the indexes of the selected parts; undefined if the person quits. */
async function select(
  parts: readonly PartView[],
  terminal: Terminal,
): Promise<readonly number[] | undefined> {
  const selected: number[] = [];
  // The answer for all remaining parts of a file, by the file.
  const answerByFile = new Map<string, 'a' | 'd'>();
  for (const part of parts) {
    const answer = answerByFile.get(part.file) ?? (await ask(part, parts.length, terminal));
    if (answer === 'q') return undefined;
    if (answer === 'a' || answer === 'd') answerByFile.set(part.file, answer);
    if (answer === 'y' || answer === 'a') selected.push(part.index);
  }
  return selected;
}

async function ask(part: PartView, count: number, terminal: Terminal): Promise<'y' | 'n' | 'a' | 'd' | 'q'> {
  terminal.say();
  await terminal.page(diffLines(part.diff));
  for (;;) {
    const answer = await terminal.line(`(${part.index + 1}/${count}) Select this part [y,n,a,d,q,?]?`);
    const known = (['y', 'n', 'a', 'd', 'q'] as const).find((letter) => letter === answer);
    if (known !== undefined) return known;
    for (const text of HELP) terminal.say(text);
  }
}
