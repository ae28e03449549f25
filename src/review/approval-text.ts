// What an approval comes to, by the state after the signature was kept: never more than is true.
import type { PreviewView } from './preview-view.ts';

/** `isApplicable`: it can be applied as things are. */
export function approvalText({ state, files, decisions }: PreviewView): {
  readonly text: string;
  readonly isApplicable: boolean;
} {
  switch (state) {
    case 'approved': {
      const changed = files.filter((file) => file.state !== 'same').map(({ file }) => file);
      if (changed.length === 0)
        return { text: 'Approved: it can be applied now, once, exactly as shown.', isApplicable: true };
      return notApplicable(
        `Approved, but it cannot be applied as it is: ${changed.join(', ')} changed since, or cannot be read.`,
      );
    }
    case 'part': {
      const parts = decisions.flatMap(({ part }) => part ?? []);
      return notApplicable(
        `Approved, but without effect: a reviewer has approved only a part, and that takes precedence. What can be applied is preview ${parts.join(', or ')}.`,
      );
    }
    case 'rejected':
      return notApplicable('Approved, but without effect: a reviewer has rejected it.');
    case 'pending':
      return notApplicable(
        'Approved, but without effect: the audit trail has a later decision of the same reviewer, or a record was removed from the state directory. Check the clock and the log, and approve it again.',
      );
  }
}

function notApplicable(text: string) {
  return { text, isApplicable: false };
}
