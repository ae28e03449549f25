// `watch` runs programs of the operator for events: a preview waits, was applied, was rejected or has expired. Each event is claimed
// in the store before its program starts, so that it starts at most once. The server itself starts no program.
import { setTimeout as pause } from 'node:timers/promises';
import { NOTICE_KINDS, type Notice, type NoticeKind } from '../../review/notices.ts';
import type { ReviewService } from '../../review/review-service.ts';
import { instant } from '../../review/times.ts';
import { checkedProgram } from '../../security/containment/operator-program.ts';
import { runProgram } from '../process/run-program.ts';
import { onEndSignal } from '../process/signals.ts';
import { LIST, ON_EVENT, ONCE, TIME_LIMIT, WITH_DIFF } from '../settings/command-options.ts';
import { OPTIONS } from '../settings/options.ts';
import { UsageError } from '../settings/usage-error.ts';
import { line } from '../terminal/rows.ts';
import type { CommandContext } from './context.ts';
import { printLines } from './output.ts';
import { openReview } from './services.ts';

const POLL_INTERVAL_MS = 1_000;

export async function watch(context: CommandContext): Promise<number> {
  const { settings } = context;
  if (settings.of(LIST).value) return listUnended(context);
  const programs = programsOf(context);
  const kinds = [...programs.keys()];
  if (kinds.length === 0)
    throw new UsageError(
      'watch needs a program: give --on-pending, --on-applied, --on-rejected or --on-expired',
    );
  const { service } = await openReview(context);
  const notices = service.notices(kinds);
  const stop = new AbortController();
  onEndSignal(() => stop.abort());
  let failed = 0;
  for (;;) {
    for (const notice of await notices.due()) {
      if (stop.signal.aborted) break;
      if (!(await notices.claim(notice))) continue;
      const how = await runFor(notice, programs.get(notice.kind) ?? '', service, context);
      await notices.end(notice, how === 'exit 0');
      if (how !== 'exit 0') failed += 1;
      printLines(context, [
        line(
          `${instant(new Date().toISOString())}  ${notice.name}: ${how}`,
          how === 'exit 0' ? undefined : 'yellow',
        ),
      ]);
    }
    if (settings.of(ONCE).value || stop.signal.aborted) return failed === 0 ? 0 : 1;
    await pause(POLL_INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  }
}

/** Runs the program for an event. Returns how it ended, as `runProgram` does. */
async function runFor(
  notice: Notice,
  program: string,
  service: ReviewService,
  { settings, env }: CommandContext,
): Promise<string> {
  const data = await service.noticeData(notice, settings.of(WITH_DIFF).value);
  const timeLimitMs = settings.of(TIME_LIMIT).value * 1_000;
  return runProgram(program, { env, text: `${JSON.stringify(data)}\n`, timeLimitMs });
}

/** Returns the program for each kind of event. Throws StartError for one that somebody else could change. */
function programsOf({ settings }: CommandContext): ReadonlyMap<NoticeKind, string> {
  const roots = settings.of(OPTIONS.root).value.map(({ dir }) => dir);
  const named = NOTICE_KINDS.flatMap((kind) => {
    const file = settings.of(ON_EVENT[kind]).value;
    return file === undefined ? [] : [[kind, checkedProgram(file, roots)] as const];
  });
  return new Map(named);
}

/** Lists the events whose program has not ended, because it still runs or its `watch` was killed. */
async function listUnended(context: CommandContext): Promise<number> {
  const { service } = await openReview(context);
  const open = await service.notices([]).unended();
  printLines(
    context,
    open.length === 0
      ? [line('Every program that was started has ended.')]
      : open.map(({ name, since }) => line(`${instant(since)}  ${name}: started, and has not ended`)),
  );
  return open.length === 0 ? 0 : 1;
}
