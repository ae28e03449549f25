// Undoes a change for a person at the terminal or on the page, by the tools of the agent: one previews the undo, one applies it.
import type { UndoActions } from '../../review/web/routes.ts';
import type { Airlock } from '../../server.ts';
import { textIn } from '../show/members.ts';
import type { CommandContext } from './context.ts';
import { callTool } from './services.ts';

/**
 * Makes both actions. `propose` is called without a reviewer for a person whose key was not opened yet, and `apply` with
 * `isSigned` false if there are no reviewers, so that a yes at the terminal is enough.
 */
export function undoActions(
  airlock: Airlock,
  context: CommandContext,
): UndoActions & {
  readonly propose: (changeId: string, reviewer?: string) => Promise<string | undefined>;
  readonly apply: (previewId: string, isSigned?: boolean) => Promise<string>;
} {
  return {
    propose: async (changeId, reviewer) => {
      const args = { change_id: changeId, dry_run: true };
      // A person confirms the call, because an agent may not restore masked values.
      const call = { tool: 'config_revert', args, confirmed: 'terminal' } as const;
      return textIn(await callTool(airlock, context, call, reviewer), 'preview_id');
    },
    apply: async (previewId, isSigned = true) => {
      const call = { tool: 'config_apply', args: { preview_id: previewId } };
      const confirmed = isSigned ? call : { ...call, confirmed: 'terminal' as const };
      return textIn(await callTool(airlock, context, confirmed), 'change_id') ?? '';
    },
  };
}
