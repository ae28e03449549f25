// `doctor` checks whether a server with these options would work here, and says how to mend what would not. It opens what a server
// opens.
import { counted } from '../../adapters/tree/wording.ts';
import { type Airlock, requireServableOptions } from '../../server.ts';
import { type Finding, fault, ok, resultOrFault, warning } from '../doctor/finding.ts';
import { firstCallFindings } from '../doctor/first-call.ts';
import { keyFinding, nodeFindings, userFinding } from '../doctor/machine.ts';
import { containmentFinding, maskingFinding, patternsFinding, stateFindings } from '../doctor/opened.ts';
import { airlockOptions } from '../settings/airlock-options.ts';
import { httpOptions } from '../settings/http-settings.ts';
import { OPTIONS } from '../settings/options.ts';
import { type Line, line, type Style } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { fitToTerminal, printJson, printLines } from './output.ts';
import { lintPolicy } from './policy-lint.ts';
import { openAirlockFor } from './services.ts';

const SEE_SETTINGS = 'Mend that; --print-config shows the settings in force and where each comes from.';

export async function doctor(context: CommandContext): Promise<number> {
  const findings = [...nodeFindings(context), userFinding(), ...(await serverFindings(context))];
  const [faults, warnings] = ['fault', 'warning'].map(
    (status) => findings.filter((finding) => finding.status === status).length,
  );
  if (wantsJson(context)) printJson(context, { ok: faults === 0, findings });
  else {
    const verdict = `${counted(faults ?? 0, 'fault')}, ${counted(warnings ?? 0, 'warning')}.`;
    printLines(context, fitToTerminal(context, [...findings.flatMap(linesOf), line(verdict, 'bold')]));
  }
  return faults ? 2 : 0;
}

/** Checks the options first. Nothing is opened where they alone stop the start. */
async function serverFindings(context: CommandContext): Promise<readonly Finding[]> {
  const { settings, env } = context;
  const read = await resultOrFault('options', SEE_SETTINGS, async () => {
    const http = httpOptions(settings);
    const options = await airlockOptions(settings, env);
    requireServableOptions(options, settings.of(OPTIONS.logFile).value);
    return { http, options };
  });
  if ('finding' in read) return [read.finding];
  const { http, options } = read.result;
  const policy = settings.of(OPTIONS.policy).value;
  const before = [
    ok('options', 'A server with these options may start.'),
    ...(policy === undefined ? [] : [await policyFinding(policy, options, settings)]),
  ];
  const opened = await resultOrFault('state', SEE_SETTINGS, () => openAirlockFor(context));
  if ('finding' in opened) return [...before, opened.finding];
  const airlock = opened.result;
  return [
    ...before,
    containmentFinding(airlock),
    maskingFinding(airlock),
    patternsFinding(airlock),
    ...(await stateFindings(airlock)),
    ...keyFinding(context, airlock.policy),
    ...(http === undefined ? [] : [await httpFinding(airlock, http)]),
    ...(await firstCallFindings(airlock)),
  ];
}

async function policyFinding(...asked: Parameters<typeof lintPolicy>): Promise<Finding> {
  const { faults, doubts, rules } = await lintPolicy(...asked);
  const found = faults.length + doubts.length;
  if (found === 0)
    return ok('policy', `The policy has ${counted(rules.length, 'rule')}, and nothing is wrong.`);
  const [first] = [...faults, ...doubts];
  const message = `The policy has ${counted(found, 'finding')}, the first: ${first?.message ?? ''}`;
  return (faults.length > 0 ? fault : warning)('policy', message, 'Run "config-airlock policy lint" on it.');
}

/** Serves HTTP for a moment on a free port, because a server may already be listening on the configured one. */
async function httpFinding(
  airlock: Airlock,
  http: NonNullable<ReturnType<typeof httpOptions>>,
): Promise<Finding> {
  const { reachesIssuer, serveOverHttp } = await import('../../transports/http/index.ts');
  const served = await resultOrFault('http', SEE_SETTINGS, async () => {
    const service = await serveOverHttp(airlock, { ...http, port: 0 });
    await service.end();
  });
  if ('finding' in served) return served.finding;
  if (await reachesIssuer(http)) return ok('http', `HTTP can be served on ${http.host}.`);
  return fault(
    'http',
    'The issuer of the tokens does not answer, so that nobody is let in.',
    'Look at --oidc-issuer, and at the way from this machine to it.',
  );
}

const SIGNS: Readonly<Record<Finding['status'], readonly [string, Style]>> = {
  ok: ['ok     ', 'green'],
  warning: ['warning', 'yellow'],
  fault: ['fault  ', 'red'],
};

function linesOf({ check, status, message, fix }: Finding): readonly Line[] {
  const [sign, style] = SIGNS[status];
  return [
    line(`${sign}  ${check}: ${message}`, style),
    ...(fix === undefined ? [] : [line(`         ${fix}`)]),
  ];
}
