// The hook of Claude Code: what its tools are about to write, and the answer that stops them. https://code.claude.com/docs/en/hooks
import { resolve } from 'node:path';
import { z } from 'zod';
import { shellWrites } from './shell-writes.ts';

const Replacement = z.object({
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});

const Input = z.object({ hook_event_name: z.literal('PreToolUse'), cwd: z.string().min(1) });

/** The tools that write files, with the fields that this hook reads. */
const TOOLS = z.discriminatedUnion('tool_name', [
  z.object({ tool_name: z.literal('Edit'), tool_input: Replacement.extend({ file_path: z.string() }) }),
  z.object({
    tool_name: z.literal('MultiEdit'),
    tool_input: z.object({ file_path: z.string(), edits: z.array(Replacement) }),
  }),
  z.object({
    tool_name: z.literal('Write'),
    tool_input: z.object({ file_path: z.string(), content: z.string() }),
  }),
  z.object({ tool_name: z.literal('NotebookEdit'), tool_input: z.object({ notebook_path: z.string() }) }),
  z.object({ tool_name: z.literal('Bash'), tool_input: z.object({ command: z.string() }) }),
]);

export const HOST = 'claude-code';

/** One file that a tool is about to write, and the edits of config_edit that do the same, but for `file`. */
export interface Write {
  readonly path: string;
  readonly edits: readonly object[];
}

/** Text in the suggested call beyond this is left out: the agent has just sent it. */
const MAX_SUGGESTED = 1_000;
const SUGGESTED_EDIT = { op: 'set', path: '…', json: '…' };

/** The tools about which the host has to ask this hook. */
const WRITING_TOOLS = TOOLS.options.map(({ shape }) => shape.tool_name.value);

/** Returns the files that a call is about to write; empty for a tool that writes none. Throws if the input is not understood. */
export function writesOf(text: string): readonly Write[] {
  const input: unknown = JSON.parse(text);
  const { cwd } = Input.parse(input);
  const { tool_name: tool } = z.object({ tool_name: z.string() }).parse(input);
  if (!WRITING_TOOLS.some((name) => name === tool)) return [];
  const call = TOOLS.parse(input);
  switch (call.tool_name) {
    case 'Edit':
      return [{ path: resolve(cwd, call.tool_input.file_path), edits: [replacement(call.tool_input)] }];
    case 'MultiEdit':
      return [
        { path: resolve(cwd, call.tool_input.file_path), edits: call.tool_input.edits.map(replacement) },
      ];
    case 'Write':
      return [{ path: resolve(cwd, call.tool_input.file_path), edits: [SUGGESTED_EDIT] }];
    case 'NotebookEdit':
      return [{ path: resolve(cwd, call.tool_input.notebook_path), edits: [SUGGESTED_EDIT] }];
    case 'Bash':
      return shellWrites(call.tool_input.command, cwd).map((path) => ({ path, edits: [SUGGESTED_EDIT] }));
  }
}

function replacement({ old_string, new_string }: z.infer<typeof Replacement>): object {
  return old_string === ''
    ? { op: 'create_file', content: shortened(new_string) }
    : { op: 'replace_text', old_text: shortened(old_string), new_text: shortened(new_string) };
}

function shortened(text: string): string {
  return text.length <= MAX_SUGGESTED ? text : `${text.slice(0, MAX_SUGGESTED)}…`;
}

/** Returns the answer by which Claude Code does not run the tool, and shows the reason to the model. */
export function denial(reason: string): string {
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  });
}

/** Returns the settings by which Claude Code asks this hook. A hook that does not start must stop the tool as well: `|| exit 2`. */
export function hookSettings(command: string): object {
  const hooks = [{ type: 'command', command: `${command} || exit 2` }];
  return { hooks: { PreToolUse: [{ matcher: WRITING_TOOLS.join('|'), hooks }] } };
}
