// The refusals where there is no preview to apply. Each says what to do, and nothing about other roots.

import type { Preview } from '../approval/preview.ts';
import { askAgain } from '../approval/stored-preview.ts';
import { Refusal } from '../errors/refusal.ts';
import type { GoneReason } from './retention.ts';

export const WHY_GONE: Readonly<Record<GoneReason, string>> = {
  'too old': 'it is too old',
  'no room': 'it was dropped to make room for newer ones',
  done: 'it is too old',
};

export function tooMany(isForPerson: boolean): Refusal {
  if (!isForPerson) return new Refusal('NO_SPACE', 'Cannot keep this preview: there is no room for it.');
  return new Refusal(
    'APPROVAL_UNAVAILABLE',
    'Cannot keep this preview: too many wait for a person already, and none of them is dropped for it.',
    {},
    {
      advice: ['Have a person decide about those that wait, or apply what was approved; then preview again'],
    },
  );
}

export function notFound(): Refusal {
  return new Refusal(
    'PREVIEW_NOT_FOUND',
    'Cannot use this preview: there is none with this id. Preview the change again, and apply what that answers.',
  );
}

export function expired(reason: string, preview?: Preview): Refusal {
  return new Refusal(
    'PREVIEW_EXPIRED',
    `Cannot use this preview: ${reason}. Preview the change again.`,
    {},
    preview === undefined ? {} : { again: askAgain(preview) },
  );
}

export function used(changeId: string | undefined): Refusal {
  const change = changeId === undefined ? '' : ` as change ${changeId}`;
  return new Refusal(
    'PREVIEW_USED',
    `Cannot use this preview: it has been applied already${change}. A preview works once.`,
  );
}
