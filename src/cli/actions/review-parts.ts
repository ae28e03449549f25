// Part by part, as `git add -p` does it. What is kept becomes a plan of its own, which is shown before it is signed.
import type { FileView, PartView, PreviewView } from '../../review/index.ts';
import { Refusal } from '../../security/index.ts';
import { diffLines, fileLines } from '../show/preview-lines.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isConfirmed } from './confirm.ts';
import { sayApproval } from './decide.ts';
import type { Sitting } from './review.ts';

const HELP = [
  'y  keep this part',
  'n  leave it out',
  'a  keep it and all later parts of this file',
  'd  leave it out, and all later parts of this file',
  'q  decide nothing part by part',
];

/** Whether something was decided. */
export async function reviewParts(plan: PreviewView, { terminal, desk, key }: Sitting): Promise<boolean> {
  if (plan.parts.length < 2) {
    terminal.say(plan.parts.length === 1 ? 'It has one part only.' : 'It has too many parts.', 'yellow');
    return false;
  }
  const kept = await choose(plan.parts, terminal);
  if (kept === undefined) return false;
  if (kept.length === 0 || kept.length === plan.parts.length) {
    const whole =
      kept.length === 0 ? 'You have kept nothing: reject it instead.' : 'You have kept all of it.';
    terminal.say(whole, 'yellow');
    return false;
  }
  const part = partIn(plan.id, kept, { terminal, desk });
  if (part === undefined) return false;
  terminal.say();
  terminal.say('This is what you have kept:', 'bold');
  if (!(await isConfirmed(terminal, part.flatMap(fileLines), 'approve this part, and not the rest')))
    return false;
  const id = desk.approvePart(plan.id, kept, await key());
  terminal.say(`Approved in part, as preview ${id}`);
  sayApproval(terminal, desk, id);
  return true;
}

/** Undefined, and said why, where it needs what was left out. */
function partIn(
  id: string,
  kept: readonly number[],
  { terminal, desk }: Pick<Sitting, 'terminal' | 'desk'>,
): readonly FileView[] | undefined {
  try {
    return desk.part(id, kept);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    terminal.say(`${error.code}: ${error.message}`, 'yellow');
    return undefined;
  }
}

/** The indexes of what is kept; undefined where the person wants out. */
async function choose(
  parts: readonly PartView[],
  terminal: Terminal,
): Promise<readonly number[] | undefined> {
  const kept: number[] = [];
  /** What was said about the rest of a file. */
  const settled = new Map<string, 'a' | 'd'>();
  for (const part of parts) {
    const answer = settled.get(part.file) ?? (await ask(part, parts.length, terminal));
    if (answer === 'q') return undefined;
    if (answer === 'a' || answer === 'd') settled.set(part.file, answer);
    if (answer === 'y' || answer === 'a') kept.push(part.index);
  }
  return kept;
}

async function ask(part: PartView, count: number, terminal: Terminal): Promise<'y' | 'n' | 'a' | 'd' | 'q'> {
  terminal.say();
  await terminal.page(diffLines(part.diff));
  for (;;) {
    const answer = await terminal.line(`(${part.index + 1}/${count}) Keep this part [y,n,a,d,q,?]?`);
    const known = (['y', 'n', 'a', 'd', 'q'] as const).find((letter) => letter === answer);
    if (known !== undefined) return known;
    for (const text of HELP) terminal.say(text);
  }
}
