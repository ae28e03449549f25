// Checks the process and its user for `doctor`, before anything is opened.
import { hasKeyFile } from '../../security/approval/key-file.ts';
import type { Policy } from '../../security/policy/policy.ts';
import { defaultKeyFile } from '../settings/user-folders.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/** The options and the environment that the process was started with. */
interface ProcessStart {
  readonly riskyNodeFlags: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

const MIN_NODE = [20, 19];

export function nodeFindings({ riskyNodeFlags, env }: ProcessStart): readonly Finding[] {
  const version = process.version;
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = MIN_NODE;
  const isOld = major < leastMajor || (major === leastMajor && minor < leastMinor);
  const flags = riskyNodeFlags.join(' ');
  return [
    isOld
      ? fault('node', `Node is ${version}.`, `Install Node ${MIN_NODE.join('.')} or newer.`)
      : ok('node', `Node is ${version}.`),
    ...(flags === ''
      ? []
      : [
          warning(
            'node',
            `Node was started with ${flags}, by which foreign code or a copy of the memory gets past the server.`,
            (env['NODE_OPTIONS'] ?? '') === ''
              ? 'Start it without them.'
              : 'Start it without them, and look at the variable NODE_OPTIONS.',
          ),
        ]),
  ];
}

export function userFinding(): Finding {
  const user = process.geteuid?.();
  if (user === 0)
    return warning(
      'user',
      'This is root: whatever gets past the server may do everything.',
      'Start it as a user of its own that can read the roots and write what it may change.',
    );
  return ok('user', user === undefined ? 'The system has no user numbers.' : `The user is number ${user}.`);
}

/** Warns of a reviewer key in this user's home directory, because an agent could reach it there. */
export function keyFinding(
  { env }: Pick<ProcessStart, 'env'>,
  { approval, changes }: Policy,
): readonly Finding[] {
  const file = defaultKeyFile(env);
  const needsPeople = approval === 'human' || changes.rules.length > 0;
  if (file === undefined || !needsPeople || !hasKeyFile(file)) return [];
  return [
    warning(
      'reviewers',
      'A reviewer key stands in the home directory of the user that runs this.',
      'Let the server and the agent run as another user than the reviewer: docs/hardening.md shows how.',
    ),
  ];
}

/** Compares the clock with `last`, the time of the newest record of the trail. */
export function clockFinding(last: Date | undefined): Finding {
  const now = new Date();
  const iso = now.toISOString();
  if (last !== undefined && last.getTime() > now.getTime() + 60_000)
    return fault(
      'clock',
      `The clock says ${iso}, which is before the newest record of the audit trail (${last.toISOString()}).`,
      'Set the clock, and have it kept by NTP: previews expire by it.',
    );
  return ok('clock', `The clock says ${iso}.`);
}
