// The refusals for a call whose thread had to end, and how much memory a thread gets.
import { DEFAULT_LIMITS, type Limits, Refusal } from '../security/index.ts';
import type { Call } from './engine.ts';

/**
 * For texts of the size that is parsed unless the operator raises it: JSON takes the most, about 70 MB for the tree of 2 MB,
 * and the proof of an edit needs two trees.
 */
const USUAL_HEAP_MB = 160;

/**
 * Of JavaScript objects: as much more as the operator lets larger texts in. Left alone, V8 lets the young generation grow
 * until it costs 20 MB more, and nothing is faster for it.
 */
export function heapFor({ parsedSizeBytes }: Limits): {
  readonly maxOldGenerationSizeMb: number;
  readonly maxYoungGenerationSizeMb: number;
} {
  const times = Math.max(1, parsedSizeBytes / DEFAULT_LIMITS.parsedSizeBytes);
  return { maxOldGenerationSizeMb: Math.ceil(USUAL_HEAP_MB * times), maxYoungGenerationSizeMb: 8 };
}

export function tooLong(what: 'step' | 'call', { stepMs, callMs }: Limits): Refusal {
  const [name, allowed] = what === 'step' ? ['one step of a call', stepMs] : ['a call', callMs];
  const advice =
    what === 'step'
      ? 'Use a smaller file, or ask for a smaller part of it; the operator raises the limit with --max-step-ms'
      : 'Ask for less at a time: fewer edits, or fewer files';
  return new Refusal(
    'TIMEOUT',
    `Cannot finish this call: ${what === 'step' ? 'a step of it' : 'it'} took longer than ${allowed} ms. Nothing was written`,
    {},
    { limit: { name, allowed, unit: 'ms' }, advice: [advice] },
  );
}

export function outOfMemory(limits: Limits, cause: unknown): Refusal {
  const allowed = heapFor(limits).maxOldGenerationSizeMb;
  return new Refusal(
    'LIMIT_EXCEEDED',
    `Cannot finish this call: the memory that it needs exceeds the limit of ${allowed} MB. Nothing was written`,
    {},
    {
      limit: { name: 'the memory of a call', allowed, unit: 'MB' },
      advice: [
        'Repeat the same call once',
        'If it fails again, use a smaller file, or ask for less at a time',
      ],
      isRetryable: true,
    },
    cause,
  );
}

/** It may have written all, some or nothing of it: whoever asked has to look. */
export function endedWhileWriting({ tool, requestId }: Call, cause: unknown): Refusal {
  return new Refusal(
    'INTERNAL',
    `Cannot say whether ${tool} has written: an internal error while it wrote. The server's log holds it as ${requestId}`,
    {},
    { advice: ['Read the file with config_get before anything else: it is as it was, or as it was to be'] },
    cause,
  );
}
