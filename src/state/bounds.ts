// The limits for what is kept of ended changes.

/** The newest changes stay, and all that have not ended. */
export const CHANGE_BOUNDS = { changes: 2_000, totalBytes: 224e6 } as const;
