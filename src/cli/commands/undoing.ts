// How a person undoes a change: the tool previews it, the person reads it, the tool applies it. At the terminal and on the page.
import type { Undoing } from '../../review/web/index.ts';
import type { Airlock } from '../../server.ts';
import { textIn } from '../show/members.ts';
import type { CommandContext } from './context.ts';
import { callTool } from './services.ts';

/** Makes it; `propose` without a reviewer is for a person whose key is not opened yet. */
export function undoingOn(
  airlock: Airlock,
  context: CommandContext,
): Undoing & { readonly propose: (changeId: string, reviewer?: string) => Promise<string | undefined> } {
  return {
    propose: async (changeId, reviewer) => {
      const args = { change_id: changeId, dry_run: true };
      // A person calls it here, who may restore what is masked.
      const call = { tool: 'config_revert', args, confirmed: 'terminal' } as const;
      return textIn(await callTool(airlock, context, call, reviewer), 'preview_id');
    },
    apply: async (previewId, isSigned) => {
      const call = { tool: 'config_apply', args: { preview_id: previewId } };
      const confirmed = isSigned ? call : { ...call, confirmed: 'terminal' as const };
      return textIn(await callTool(airlock, context, confirmed), 'change_id') ?? '';
    },
  };
}
