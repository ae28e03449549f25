// Defines the actions by which the page undoes a change. They use the same tools as the command `undo`.

export interface UndoActions {
  /** Previews the undo of a change as this reviewer, and answers its id; undefined where the files are as before it. Throws a Refusal. */
  readonly propose: (changeId: string, reviewer: string) => Promise<string | undefined>;
  /** Applies the preview of an undo, and answers the id of the change. `isSigned` is false where a person's yes is enough. Throws a Refusal. */
  readonly apply: (previewId: string, isSigned: boolean) => Promise<string>;
}
