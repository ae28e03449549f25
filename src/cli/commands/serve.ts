// `serve`, and what happens without a command.
import type { Command } from './command.ts';

export const serve: Command = {
  name: 'serve',
  args: '',
  summary: 'serve an MCP client over stdin and stdout (default)',
  details: 'Exit codes: see config-airlock --help.',
  options: [],
  run: async (context) => (await import('../actions/serve.ts')).serve(context),
};
