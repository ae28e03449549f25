// The table of refusals: what each code of the wire contract means, and the one way on where the case at hand names no better
// one. `explain_error` and the documents read it as well.

/** A call that reads what is needed, or the same call once more. */
export type Look = 'files' | 'outline' | 'raw' | 'validate' | 'limits' | 'history' | 'preview' | 'same';

interface Entry {
  readonly means: string;
  readonly way: string;
  readonly look?: Look;
}

export const REFUSALS = {
  PATH_INVALID: {
    means: 'The file argument is not a plain relative path. Nothing was looked up on the disk.',
    way: 'Give the path relative to the root, with "/" between names and without "..", such as deploy/web.yaml',
    look: 'files',
  },
  PATH_OUTSIDE_ROOT: {
    means: 'The path leads out of the folder that this server may touch, whether or not anything is there.',
    way: 'Use a path relative to the root; only files under it can be reached',
    look: 'files',
  },
  PATH_DENIED: {
    means: "The operator's policy does not open this path. That follows from the name alone.",
    way: 'Use one of the files that config_list shows',
    look: 'files',
  },
  SYMLINK_REFUSED: {
    means: 'A part of the path is a symbolic link. Links are never followed, wherever they lead.',
    way: 'Use the path of the real file, if it is under the root',
    look: 'files',
  },
  NOT_REGULAR_FILE: {
    means: 'There is no regular file at the path, but a directory, a pipe, a socket or a device.',
    way: 'Name a file, not a folder',
    look: 'files',
  },
  HARD_LINK_REFUSED: {
    means: 'The file has more than one name on the disk, so its content may also be outside the root.',
    way: 'Ask the operator to make a copy of its own',
    look: 'files',
  },
  READ_ONLY: {
    means: 'The server runs in read-only mode, or the mode of the file forbids writing. Nothing was written.',
    way: 'Keep dry_run true: a preview is possible, and a person makes the change',
    look: 'preview',
  },
  FILE_NOT_FOUND: {
    means: 'There is no such file.',
    way: 'Check the spelling against config_list; to make it, use the operation create_file of config_edit',
    look: 'files',
  },
  FILE_EXISTS: {
    means: 'No file can be created over another one, or where a name differs only in case or spelling.',
    way: 'Change the file with config_set or replace_text (old_text "" if it is empty), delete it with delete_file, or choose another name',
    look: 'raw',
  },
  FILE_TOO_LARGE: {
    means: 'The file, the result of the edit, or all files of one call together, are larger than allowed.',
    way: 'Send fewer files at a time, or ask the operator to raise --max-file-size',
    look: 'files',
  },
  NOT_UTF8: {
    means: 'The bytes of the file are not valid UTF-8, so it cannot be edited without damage.',
    way: 'Ask a person to convert the file to UTF-8 first',
    look: 'files',
  },
  UNSUPPORTED_FORMAT: {
    means: 'The file is plain text: it has lines, and no keys or documents.',
    way: 'Read it with config_get and view "raw", and edit it with replace_text',
    look: 'raw',
  },
  SYNTAX_INVALID: {
    means:
      'The file has syntax errors, and so no keys. It is not repaired by guessing, but can be edited as text.',
    way: 'Read it with config_get and view "raw", and mend it with the operation replace_text of config_edit',
    look: 'raw',
  },
  LIMIT_EXCEEDED: {
    means: 'Reading the file would exceed a budget (size, depth, tokens, aliases, documents or time).',
    way: 'See the limits with list_capabilities; the operator can raise them for files that can be trusted',
    look: 'limits',
  },
  NODE_PATH_INVALID: {
    means: 'The node path is malformed. It was not used, not even in part.',
    way: 'Write keys with dots, list indexes in brackets and special keys in quotes: spec.containers[0].image, metadata["app.kubernetes.io/name"]',
    look: 'outline',
  },
  NODE_NOT_FOUND: {
    means: 'There is nothing at this node path, or no document matches "doc".',
    way: 'See the keys with config_get and view "outline"',
    look: 'outline',
  },
  NODE_AMBIGUOUS: {
    means: 'The node path can mean several nodes, and one is wanted. None was chosen.',
    way: 'Use one of the paths that are named, or config_edit with a pattern for all of them: containers[*].image',
  },
  TYPE_MISMATCH: {
    means:
      'The path takes a node for another kind: a key in a list, an index in a mapping, anything below a scalar.',
    way: 'See the kinds with config_get and view "outline"',
    look: 'outline',
  },
  DUPLICATE_KEY: {
    means: 'The key occurs more than once in its mapping, so it is not clear which one is meant.',
    way: 'Say which one is meant: type[#1] is the first, type[#2] the second; delete the one that is wrong',
    look: 'validate',
  },
  DOCUMENT_AMBIGUOUS: {
    means: 'The file holds several documents, and "doc" names none or more than one of them.',
    way: 'Give "doc" as an index, or as a matcher such as {"kind": "Deployment", "metadata.name": "web"}',
    look: 'outline',
  },
  ALIAS_CROSSED: {
    means: 'The path leads through an alias (*name). What is there belongs to the anchored node (&name).',
    way: 'Edit the node that carries the anchor, which all its aliases follow, or set the alias to a value of its own',
    look: 'outline',
  },
  ANCHOR_IN_USE: {
    means: 'The edit would leave an alias (*name) without its anchor (&name).',
    way: 'Change the aliases first',
    look: 'outline',
  },
  KEY_IS_SHARED: {
    means: 'The key carries an anchor or is an alias, so that changing it would change other places.',
    way: 'Have a person untangle the key first',
    look: 'outline',
  },
  TEMPLATE_ACTION: {
    means: 'The edit would cut into an action of a template ({{ … }}), or remove or bring a part of a block.',
    way: 'Set the whole value with "value", actions included, or use "replace_text" with no path',
    look: 'raw',
  },
  VALUE_INVALID: {
    means: 'The value is not exactly one YAML node (or one JSON value, in a .json file), or repeats a key.',
    way: 'Send plain data in "json" instead of "value": it is quoted as needed',
  },
  TEXT_NOT_FOUND: {
    means: 'The text that should be replaced is not in the file as it was given.',
    way: 'Read the place with view "raw", and copy old_text from there to the letter',
    look: 'raw',
  },
  TEXT_AMBIGUOUS: {
    means: 'The text that should be replaced is in the file more than once.',
    way: 'Give more of the text around the place that is meant',
    look: 'raw',
  },
  VERIFICATION_FAILED: {
    means: 'The proof failed: the edited text would not hold exactly the intended data.',
    way: 'Send the value in "json" instead of "value", or edit the lines with op "replace_text" and no path',
    look: 'outline',
  },
  SCHEMA_VIOLATION: {
    means:
      'The result would break a JSON Schema that the operator has bound to the file. Nothing was written.',
    way: 'Correct the values that are listed; config_validate shows what the file breaks already',
    look: 'validate',
  },
  ENCRYPTED_FILE: {
    means:
      'The file, or a value in it, is encrypted (SOPS, SealedSecret, Ansible vault), and the edit could break it. Nothing was written.',
    way: 'Have a person who holds the keys make the change with the tool that encrypted it',
  },
  SECRET_PLACEHOLDER: {
    means:
      '<secret:…> stands for a masked value: a secret, which no call can read, write, move, copy or show. Nothing was written.',
    way: 'Set the whole value to CHANGEME, an empty text or a reference such as ${DB_PASSWORD}; a person enters the secret into the file',
  },
  FILE_CHANGED: {
    means: 'The file is not what the preview or expected_sha256 saw. Nothing was written.',
    way: 'Read the file again and preview the change anew',
    look: 'outline',
  },
  PREVIEW_NOT_FOUND: {
    means: 'No preview has this id, it was dropped, or what was stored of it has been changed since.',
    way: 'Preview the change again, and apply the new preview',
    look: 'history',
  },
  PREVIEW_EXPIRED: {
    means: 'The preview is too old, or of another policy.',
    way: 'Preview the change again, and apply the new preview',
    look: 'files',
  },
  PREVIEW_USED: {
    means: 'The preview has been applied already. A preview works once.',
    way: 'Read the file to see how it is now',
    look: 'outline',
  },
  PREVIEW_REPLACED: {
    means:
      'More edits were added to the preview, and another one holds all of them, which is decided about anew.',
    way: 'Use the preview that the message names',
  },
  PREVIEW_REQUIRED: {
    means:
      'The operator wants every write to be previewed first, or there is a question about this one. Nothing was written.',
    way: 'Send the same call with dry_run true, and apply its preview',
    look: 'preview',
  },
  CHANGE_NOT_FOUND: {
    means: 'No change that was applied here has this id, or its record is too old and was dropped.',
    way: 'Use the change_id that the call which applied the change has answered',
    look: 'history',
  },
  APPROVAL_REQUIRED: {
    means: 'A person has to approve the change, and has not decided yet or approved a part of it.',
    way: 'Ask the person, and send the same call again once they have decided',
    look: 'history',
  },
  APPROVAL_DECLINED: {
    means: 'A person has said no to this change. Nothing was written.',
    way: 'Do not repeat the same change; ask what should be different',
    look: 'history',
  },
  APPROVAL_UNAVAILABLE: {
    means:
      'No person can be asked to approve the change here, or too many changes wait already. Nothing was written.',
    way: 'Hand the diff to a person',
    look: 'history',
  },
  POLICY_DENIED: {
    means: 'A rule of the operator denies this change, or it would show or write a value that is masked.',
    way: 'See the rules with list_capabilities, and change something else, or ask the operator',
  },
  BUSY: {
    means: 'The server has too much to do, or another process is writing in the same folder.',
    way: 'Repeat the same call in a moment',
    look: 'same',
  },
  TIMEOUT: {
    means: 'The work took longer than it may. Nothing was written.',
    way: 'Ask for less at a time: a smaller part of the file, fewer edits or fewer files',
    look: 'limits',
  },
  NO_SPACE: {
    means: 'The disk or a quota is full. The file is as it was.',
    way: 'Ask the operator to free some space, then repeat the call',
  },
  PERMISSION_DENIED: {
    means: 'The operating system does not let the server do this. The file is as it was.',
    way: 'Ask the operator to check the owner and mode of the file and its folder, and whether the disk is mounted read-only',
  },
  IO_ERROR: {
    means: 'The operating system reported an error. The file is as it was.',
    way: 'Repeat the call; if it fails again, ask the operator to look at the log',
  },
  ARGUMENT_INVALID: {
    means: "The arguments do not fit the tool's input schema. All problems are listed at once.",
    way: "Correct every problem listed, by the tool's input schema",
  },
  INTERNAL: {
    means:
      'A bug in config-airlock. The log holds it under the id in the message, and no file was half written.',
    way: 'Tell the operator the id',
  },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof REFUSALS;

/** Returns the entry of a code in the table. */
export function meaningOf(code: ErrorCode): Entry {
  return REFUSALS[code];
}
