// `policy replay` judges the changes in the state directory by the policy of --policy, so that a new policy can be tried on
// real changes. Nothing is written, and no value of a file is shown.

import { namedFiles } from '../../review/summary.ts';
import { instant } from '../../review/times.ts';
import { recordedVersions } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { loadEngines } from '../../security/policy/engines.ts';
import { isStricter, LEVELS, type Level } from '../../security/policy/levels.ts';
import { verdictOnAll } from '../../security/policy/verdict.ts';
import { backendOf, newestFirst } from '../../security/state/backend.ts';
import type { Airlock } from '../../server.ts';
import { shortId } from '../../state/canonical.ts';
import type { KeptChange } from '../../state/event.ts';
import { judge } from '../../tools/index.ts';
import { UsageError } from '../settings/usage-error.ts';
import { type Line, line } from '../terminal/rows.ts';
import { type CommandContext, progressFor, wantsJson } from './context.ts';
import { requirePolicy } from './judging.ts';
import { printJson, printLines } from './output.ts';
import { openAirlockFor } from './services.ts';
import { countsText, decidingRules, STYLE_OF } from './verdict-lines.ts';

interface ReplayedChange {
  readonly change: KeptChange;
  readonly level: Level;
  /** The ids of the rules that decided. */
  readonly rules: readonly string[];
}

export async function policyReplay(context: CommandContext): Promise<number> {
  requirePolicy(context);
  const airlock = await openAirlockFor(context);
  const { state } = airlock;
  if (state === undefined)
    throw new UsageError('policy replay needs the state directory: leave out --read-only');
  await loadEngines(airlock.policy.changes);
  const replayed: ReplayedChange[] = [];
  const progress = progressFor(context);
  const backend = backendOf(state, airlock.sandbox);
  for await (const { id } of newestFirst(backend)) {
    const change = await backend.change({ name: id });
    if (change !== undefined && change.files.length > 0) replayed.push(replay(change, airlock));
    progress.show(`${replayed.length} changes judged`);
  }
  progress.end();
  const differing = replayed.filter(({ change, level }) => level !== confirmedAt(change));
  if (wantsJson(context)) printJson(context, asJson(replayed));
  else
    printLines(context, [
      ...(replayed.length === 0
        ? [line('No change is kept.')]
        : [
            line(
              `${countsText(replayed.map(({ level }) => level))}, of ${replayed.length} kept changes.`,
              'bold',
            ),
          ]),
      ...differing.map(lineOf),
    ]);
  return 0;
}

function replay(change: KeptChange, airlock: Airlock): ReplayedChange {
  try {
    const context = { ...airlock, caller: change.caller };
    const verdicts = change.files.map((stored) =>
      judge(airlock.sandbox.parse(stored.file), () => recordedVersions(stored), context),
    );
    const verdict = verdictOnAll(verdicts);
    return { change, level: verdict.level, rules: decidingRules(verdict) };
  } catch (error) {
    // One reason for this is a file that the policy no longer serves.
    if (error instanceof Refusal) return { change, level: 'deny', rules: [error.code] };
    throw error;
  }
}

/** Returns the level that a change was confirmed at; a person at the terminal counts as one at the client. */
function confirmedAt({ confirmed_by: by }: KeptChange): Level {
  return by === 'terminal' ? 'client' : by;
}

function lineOf({ change, level, rules }: ReplayedChange): Line {
  const { id, at, files } = change;
  const was = confirmedAt(change);
  const because = change.by_rules === undefined ? '' : ` (${change.by_rules.join(', ')})`;
  const names = namedFiles(files.map(({ file }) => file));
  const text = `${instant(at)}  ${shortId('ch', id)}  was ${was}${because}, now ${level} (${rules.join(', ')}): ${names}`;
  return line(text, isStricter(level, was) ? STYLE_OF[level] : undefined);
}

function asJson(replayed: readonly ReplayedChange[]): object {
  const counts = LEVELS.map(
    (level) => [level, replayed.filter((one) => one.level === level).length] as const,
  );
  const changes = replayed.map(({ change, level, rules }) => ({
    change_id: shortId('ch', change.id),
    at: change.at,
    files: change.files.map(({ file }) => file),
    confirmed_by: change.confirmed_by,
    by_rules: change.by_rules,
    level,
    rules,
  }));
  return { counts: Object.fromEntries(counts), changes };
}
