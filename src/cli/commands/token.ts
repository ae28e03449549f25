// `token NAME` makes a bearer token for `serve --http`, and the line of the tokens file for it. The token is shown once and kept
// nowhere.
import { quoted } from '../../security/text/visible.ts';
import { randomHex, sha256Hex } from '../../state/canonical.ts';
import { METRICS, PRINCIPAL, READ, WRITE } from '../../transports/http/index.ts';
import { DAYS, SCOPE } from '../settings/http-options.ts';
import { UsageError } from '../settings/usage-error.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { printJson } from './output.ts';

export async function token(context: CommandContext): Promise<number> {
  const { args, settings, output } = context;
  const [name = ''] = args;
  if (!PRINCIPAL.test(name))
    throw new UsageError(`token: ${quoted(name)} is no name; give one without spaces`);
  const scopes = { read: [READ], write: [READ, WRITE], metrics: [METRICS] }[settings.of(SCOPE).value];
  const expires = new Date(Date.now() + settings.of(DAYS).value * 86_400_000).toISOString().slice(0, 10);
  const secret = `airlock_${randomHex(32)}`;
  const line = `${name} ${scopes.join(',')} ${expires} sha256:${sha256Hex(secret)}`;
  if (wantsJson(context)) printJson(context, { token: secret, line });
  else
    output.write(
      `Token, shown this once:\n${secret}\n\nLine for the file of --http-tokens; then send the server SIGHUP:\n${line}\n`,
    );
  return 0;
}
