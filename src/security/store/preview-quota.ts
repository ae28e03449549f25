// How many previews may be kept of one kind.

/** What a preview may push out, and is pushed out by. */
export interface PreviewKind {
  readonly roots: string;
  readonly isForPerson: boolean;
}

/** Of one kind. */
export interface PreviewBounds {
  readonly previews: number;
  readonly totalBytes: number;
  readonly previewBytes: number;
}

export const PREVIEW_BOUNDS: PreviewBounds = { previews: 500, totalBytes: 64e6, previewBytes: 16e6 };

export function isSameKind(a: PreviewKind, b: PreviewKind): boolean {
  return a.roots === b.roots && a.isForPerson === b.isForPerson;
}
