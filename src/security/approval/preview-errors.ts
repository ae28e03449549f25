// The refusals where there is no preview to apply. Each says what to do, and nothing about other roots.
import { type Preview, shortId } from '../../state/index.ts';
import { Refusal } from '../errors/refusal.ts';
import { askAgain } from './stored-preview.ts';

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
    'Cannot use this preview: there is none with this id. One that is too old is dropped, and so is the oldest where there are too many. Preview the change again, and apply what that answers.',
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

/** `by`: the preview that holds its edits and more. */
export function replaced(by: string): Refusal {
  return new Refusal(
    'PREVIEW_REPLACED',
    `Cannot use this preview: preview ${shortId('pv', by)} has taken its place, with more edits or for the files as they are by now. What was decided about this one counts no more.`,
    {},
    { previewId: shortId('pv', by) },
  );
}

export function used(changeId: string): Refusal {
  return new Refusal(
    'PREVIEW_USED',
    `Cannot use this preview: it has been applied already, and works once. It became change ${shortId('ch', changeId)}`,
  );
}
