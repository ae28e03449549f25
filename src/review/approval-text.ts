// What an approval comes to, as the standing says it after the signature was kept: never more than holds.
import type { PreviewView } from './preview-view.ts';

/** `holds`: it can be applied as things are. */
export function approvalText({ state, files, decisions }: PreviewView): {
  readonly text: string;
  readonly holds: boolean;
} {
  switch (state) {
    case 'approved': {
      const moved = files.filter(({ standing }) => standing !== 'same').map(({ file }) => file);
      if (moved.length === 0)
        return { text: 'Approved: it can be applied now, as it was shown, once.', holds: true };
      return no(
        `Approved, but ${moved.join(', ')} changed since, or cannot be read: as it is, this cannot be applied.`,
      );
    }
    case 'part': {
      const parts = decisions.flatMap(({ part }) => part ?? []);
      return no(
        `The approval is kept, but it does not count: a reviewer has approved only a part, and that ranks above. What can be applied is preview ${parts.join(', or ')}.`,
      );
    }
    case 'rejected':
      return no('The approval is kept, but it does not count: a reviewer has rejected this.');
    case 'pending':
      return no(
        'The approval is kept, but it does not count: the trail has another word of the same reviewer, signed by a clock that was ahead, or something was taken out of the state directory. See to the clock and the log, and approve it again.',
      );
  }
}

function no(text: string) {
  return { text, holds: false };
}
