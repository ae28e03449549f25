// `audit verify`: whether the audit trail is complete.
import { JSON_OUTPUT } from '../settings/command-options.ts';
import type { Command } from './command.ts';

export const audit: Command = {
  name: 'audit',
  args: 'verify',
  summary: 'verify that every record of the audit trail is present, unchanged and in order',
  details: `Needs the state directory only.

Exit codes: 0 intact, 1 damaged: the first bad record is named, 2 error.`,
  options: [JSON_OUTPUT],
  run: async (context) => (await import('../actions/audit.ts')).audit(context),
};
