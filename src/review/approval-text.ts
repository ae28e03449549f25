// Tells a reviewer what an approval has achieved, by the state of the preview after the signature was kept.
import { shortId } from '../state/canonical.ts';
import { isCurrent, isElsewhere, type PreviewView } from './preview-view.ts';

/** Returns the text, and whether the preview can be applied now (`isApplicable`). */
export function approvalText(view: PreviewView): { readonly text: string; readonly isApplicable: boolean } {
  const changed = view.files.flatMap((file) => (isCurrent({ files: [file] }) ? [] : [file.file]));
  const isApplicable = view.state === 'approved' && changed.length === 0;
  const text = isElsewhere(view) ? APPROVED_ELSEWHERE : APPROVED;
  return { text: isApplicable ? text : withoutEffect(view, changed), isApplicable };
}

const APPROVED_ELSEWHERE =
  'Approved: it can be applied once, exactly as shown, unless its files have changed; they are on another machine.';
const APPROVED = 'Approved: it can be applied now, once, exactly as shown.';

function withoutEffect(
  { state, kept_parts: parts, progress }: PreviewView,
  changed: readonly string[],
): string {
  switch (state) {
    case 'approved':
      return `Approved, but it cannot be applied as it is: ${changed.join(', ')} changed since, or cannot be read.`;
    case 'part':
      return `Approved. It cannot be applied yet: it needs more approvals. What can be applied is a part of it: preview ${parts.map((part) => shortId('pv', part)).join(', or ')}`;
    case 'rejected':
      return 'Approved, but without effect: a reviewer has rejected it.';
    case 'pending':
      if (progress !== undefined) return `Approved. It cannot be applied yet: ${progress}.`;
      return 'Approved, but without effect: the audit trail has a later record in the name of a reviewer which that reviewer did not sign. Look at the log, and approve it again.';
  }
}
