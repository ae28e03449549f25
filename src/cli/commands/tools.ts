// `tools` prints what a server with these options answers to `tools/list`, with a hash: so that an update that changes what models
// read does not pass unseen.

import { shownTools, VERSION } from '../../server.ts';
import { canonicalJson, sha256Hex } from '../../state/canonical.ts';
import { OPTIONS } from '../settings/options.ts';
import { line } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { printJson, printLines } from './output.ts';

export async function tools(context: CommandContext): Promise<number> {
  const [replies, readOnly] = [
    context.settings.of(OPTIONS.replies).value,
    context.settings.of(OPTIONS.readOnly).value,
  ];
  const listed = shownTools(replies, readOnly);
  const sha256 = sha256Hex(canonicalJson(listed));
  if (wantsJson(context)) printJson(context, { version: VERSION, sha256, tools: listed });
  else
    printLines(context, [
      ...listed.map(({ name, description = '' }) => line(`${name}: ${description}`)),
      line(`sha256 ${sha256}`, 'bold'),
    ]);
  return 0;
}
