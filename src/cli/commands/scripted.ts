// `preview` and `apply` are for scripts: they call the tools that an agent calls, and ask nobody.

import type { Policy } from '../../security/policy/policy.ts';
import { displayDiff } from '../../security/text/visible.ts';
import { shellWord } from '../clients/clients.ts';
import { asFlags } from '../settings/as-flags.ts';
import { DOC, EXIT_CODE } from '../settings/command-options.ts';
import { listIn, textIn } from '../show/members.ts';
import { type Line, line } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { fitToTerminal, printJson, printLines } from './output.ts';
import { diffLines } from './preview-lines.ts';
import { callTool, openAirlockFor, openRecovered } from './services.ts';

const CHANGED = 1;

export async function preview(context: CommandContext): Promise<number> {
  const [file, path, value] = context.args;
  const doc = context.settings.of(DOC).value;
  const airlock = await openAirlockFor(context);
  const args = { file, path, value, ...(doc === undefined ? {} : { doc }), dry_run: true };
  const data = await callTool(airlock, context, { tool: 'config_set', args });
  const isSame = textIn(data, 'diff') === undefined;
  if (wantsJson(context)) printJson(context, data);
  else
    printLines(context, [
      ...fitToTerminal(context, shownLines(data)),
      line(isSame ? 'No change.' : nextStep(data, airlock.policy, context)),
    ]);
  return !isSame && context.settings.of(EXIT_CODE).value ? CHANGED : 0;
}

export async function apply(context: CommandContext): Promise<number> {
  const [id] = context.args;
  const call = { tool: 'config_apply', args: { preview_id: id } };
  const data = await callTool(await openRecovered(context), context, call);
  if (wantsJson(context)) printJson(context, data);
  else
    printLines(context, [
      ...fitToTerminal(context, shownLines(data)),
      line(`Applied as change ${textIn(data, 'change_id') ?? ''}`),
    ]);
  return 0;
}

function shownLines(data: unknown): readonly Line[] {
  return [
    ...diffLines(displayDiff(textIn(data, 'diff') ?? '')),
    ...noteLines('Also changes, through an alias or merge', listIn(data, 'also_affects')),
    ...noteLines('Removed comment', listIn(data, 'removed_comments')),
    ...noteLines('Warning', listIn(data, 'warnings').map(inCommandTerms)),
    ...noteLines('Rule', listIn(data, 'rules')),
  ];
}

/** Rewrites a warning that names fields of a tool call for the command, which has one value, in YAML. */
function inCommandTerms(warning: unknown): unknown {
  if (typeof warning !== 'string') return warning;
  return warning
    .replace(/Did you mean "json": (".*")\?$/u, (_, value: string) => `Did you mean ${shellWord(value)}?`)
    .replace('Then send it as "json".', 'Then write its quotes as well.');
}

/** Prints all notes, because the reader of a script has nowhere else to look. */
function noteLines(label: string, notes: readonly unknown[]): readonly Line[] {
  return notes.filter((note) => typeof note === 'string').map((note) => line(`${label}: ${note}`, 'yellow'));
}

function nextStep(data: unknown, { readOnly }: Policy, context: CommandContext): string {
  const id = textIn(data, 'preview_id');
  if (readOnly) return 'Nothing is written, and the preview is not kept: this is read-only.';
  if (id === undefined)
    return 'Nothing is written, and the preview is not kept: it is too long to be shown whole. Split the change.';
  return `Nothing is written yet. Next: ${stepFor(textIn(data, 'needs'), id, context)}`;
}

function stepFor(needs: string | undefined, id: string, context: CommandContext): string {
  switch (needs) {
    case 'client':
      // Only a client can ask the person, so only its agent can apply the preview.
      return `an agent calls config_apply with preview_id ${id}, and its client asks the person there`;
    case 'human':
      return `a reviewer runs ${nextCommand(`approve ${id}`, context)}`;
    default:
      return nextCommand(`apply ${id}`, context);
  }
}

/** Returns a command to copy: it works from any folder, because it repeats the options of this call. */
function nextCommand(words: string, { program, settings }: CommandContext): string {
  const flags = asFlags(settings, 'flag', 'environment');
  return [...program.map(shellWord), words, ...flags.map(shellWord)].join(' ');
}
