// Makes the refusals for previews that cannot be kept or used. Each says what to do, and nothing about other roots.
import { shortId } from '../../state/canonical.ts';
import type { Preview } from '../../state/preview.ts';
import { Refusal } from '../errors/refusal.ts';
import { repeatedCallOf } from './stored-preview.ts';

export function noRoomForPreview(isForPerson: boolean): Refusal {
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

export function previewNotFound(): Refusal {
  return new Refusal(
    'PREVIEW_NOT_FOUND',
    'Cannot use this preview: there is none with this id. One that is too old is dropped, and so is the oldest where there are too many. Preview the change again, and apply what that answers.',
  );
}

export function previewExpired(reason: string, preview?: Preview): Refusal {
  return new Refusal(
    'PREVIEW_EXPIRED',
    `Cannot use this preview: ${reason}. Preview the change again.`,
    {},
    preview === undefined ? {} : { again: repeatedCallOf(preview) },
  );
}

/** Makes the refusal. `by` is the id of the preview that holds the edits of this one, and more. */
export function previewReplaced(by: string): Refusal {
  return new Refusal(
    'PREVIEW_REPLACED',
    `Cannot use this preview: preview ${shortId('pv', by)} has taken its place, with more edits or for the files as they are by now. What was decided about this one counts no more.`,
    {},
    { previewId: shortId('pv', by) },
  );
}

export function previewUsed(id: string): Refusal {
  return new Refusal(
    'PREVIEW_USED',
    `Cannot use this preview: it has been applied already, and works once. It became change ${shortId('ch', id)}`,
  );
}
