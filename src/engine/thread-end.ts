// Refusals for a call whose thread had to end.
import { type Limits, quoted, Refusal } from '../security/index.ts';
import type { Call } from './engine.ts';
import type { SkippedFile } from './messages.ts';
import { heapFor } from './start-thread.ts';

/** Makes the refusal for a call that has computed for too long. `file` is the one that it worked on. */
export function tooLong(
  what: 'step' | 'call',
  { stepMs, callMs }: Limits,
  file: string | undefined,
): Refusal {
  const [name, allowed] = what === 'step' ? ['one step of a call', stepMs] : ['a call', callMs];
  const advice =
    what === 'step'
      ? 'Use a smaller file, or ask for a smaller part of it; the operator raises the limit with --max-step-ms'
      : 'Ask for less at a time: fewer edits, or fewer files';
  return new Refusal(
    'TIMEOUT',
    `Cannot finish this call: ${what === 'step' ? 'a step of it' : 'it'}${file === undefined ? '' : `, at ${quoted(file)},`} took longer than ${allowed} ms. Nothing was written`,
    { file },
    { limit: { name, allowed, unit: 'ms' }, advice: [advice] },
  );
}

export function outOfMemory(limits: Limits, file: string | undefined, cause?: unknown): Refusal {
  const allowed = heapFor(limits).maxOldGenerationSizeMb;
  return new Refusal(
    'LIMIT_EXCEEDED',
    `Cannot finish this call: the memory that it needs exceeds the limit of ${allowed} MB. Nothing was written`,
    { file },
    {
      limit: { name: 'the memory of a call', allowed, unit: 'MB' },
      advice: [
        'Repeat the same call once',
        'If it fails again, use a smaller file, or ask for less at a time',
      ],
      isOfCall: true,
    },
    cause,
  );
}

/** Makes the refusal of a file that has ended a thread before in the same call. */
export function refusalOf({ file, code }: SkippedFile, limits: Limits): Refusal {
  return code === 'TIMEOUT' ? tooLong('step', limits, file) : outOfMemory(limits, file);
}

/** Makes the refusal for a thread that ended while it wrote: it may have written all, some or nothing, so the caller has to look. */
export function endedWhileWriting({ tool, requestId }: Call, cause: unknown): Refusal {
  return new Refusal(
    'INTERNAL',
    `Cannot say whether ${tool} has written: an internal error while it wrote. The server's log holds it as ${requestId}`,
    {},
    { advice: ['Read the file with config_get before anything else: it is as it was, or as it was to be'] },
    cause,
  );
}
