// `preview FILE PATH VALUE`: for scripts, what setting one value would change.
import { DOC, JSON_OUTPUT, NO_COLOR } from '../settings/command-options.ts';
import type { Command } from './command.ts';

export const preview: Command = {
  name: 'preview',
  args: '<file> <path> <value>',
  summary: 'show what setting one value would change, and keep that as a preview',
  details: `For scripts. <path> is a node path such as server.host, items[0].name or /paths/~1users. <value> is a
fragment of YAML: '"1.10"' is a text, 1.10 a number. Nothing is written; the preview_id goes to
"config-airlock apply", or with --approval human to a person first. With --read-only nothing is kept.

Exit codes: 0 no change, 1 a change, 2 error.`,
  options: [DOC, JSON_OUTPUT, NO_COLOR],
  run: async (context) => (await import('../actions/scripted.ts')).preview(context),
};
