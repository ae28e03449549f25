// What a task is: the calls that an agent makes from the list of tools alone, and exactly what they leave on the disk.
export interface Task {
  readonly name: string;
  /** How the operator has started the server, beside its root. */
  readonly flags?: readonly string[];
  readonly calls: readonly Call[];
  /** The files that differ afterwards; no other does, and none is new or gone. */
  readonly leaves: Readonly<Record<string, Left>>;
}

/** The whole text, that the file is gone, or what stands in place of pieces that the file holds exactly once. */
export type Left = string | 'deleted' | readonly (readonly [old: string, now: string])[];

export type Call =
  | {
      readonly tool: string;
      readonly args: Readonly<Record<string, unknown>>;
      /** The code of the error that it answers. */
      readonly refused?: string;
      /** What the reply says, in its text and in its structured content alike. */
      readonly says?: readonly string[];
    }
  /** Applies the preview of the reply before. */
  | 'apply'
  /** Makes the first call that the error before offers, as it is. */
  | 'follow'
  /** Undoes the change that `config_history` names at this place, newest first: for an agent that has lost the id. */
  | { readonly revert: number };

type Args = Readonly<Record<string, unknown>>;

export function get(file: string, more: Args = {}, says: readonly string[] = []): Call {
  return { tool: 'config_get', args: { file, ...more }, says };
}

export function set(file: string, path: string, json: unknown, more: Args = {}): Call {
  return { tool: 'config_set', args: { file, path, json, ...more } };
}

export function edit(...edits: readonly Args[]): Call {
  return { tool: 'config_edit', args: { edits } };
}

export function call(tool: string, args: Args, says: readonly string[] = []): Call {
  return { tool, args, says };
}

export function refused(code: string, [tool, args]: readonly [string, Args]): Call {
  return { tool, args, refused: code };
}
