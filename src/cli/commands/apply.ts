// `apply ID`: for scripts, applies a preview.
import { JSON_OUTPUT, NO_COLOR } from '../settings/command-options.ts';
import type { Command } from './command.ts';
import { IDS } from './help-texts.ts';

export const apply: Command = {
  name: 'apply',
  args: '<preview_id>',
  summary: 'apply a preview, exactly as it was shown',
  details: `${IDS}

For scripts. With --approval human it needs a signed approval; with --approval client it is refused,
because only a connected client can ask its person.

Exit codes: 0 no change, 1 changed, 2 error or refused.`,
  options: [JSON_OUTPUT, NO_COLOR],
  run: async (context) => (await import('../actions/scripted.ts')).apply(context),
};
