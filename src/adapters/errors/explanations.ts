// Explanations of each code, with what usually helps: for `explain_error`, and for refusals without better clues.
import { ALTERNATIVES, type ErrorCode } from '../../security/index.ts';
import { type Explanation, OF_PREVIEWS } from './explanations-of-previews.ts';

export const EXPLANATIONS: Readonly<Record<ErrorCode, Explanation>> = {
  PATH_INVALID: {
    meaning: 'The file argument is not a plain relative path. Nothing was looked up on the disk.',
    advice: [
      'Give the path relative to the root, with "/" between names and without "..", such as deploy/web.yaml',
    ],
  },
  PATH_OUTSIDE_ROOT: {
    meaning:
      'The path leads out of the folder that this server may touch. The answer is the same whether or not anything is there.',
    advice: ['Use a path relative to the root; only files under it can be reached'],
  },
  PATH_DENIED: {
    meaning:
      "The operator's policy does not open this path. The answer follows from the name alone, whether or not the file exists.",
    advice: ['Use one of the files that config_list shows'],
  },
  SYMLINK_REFUSED: {
    meaning: 'A part of the path is a symbolic link. Links are never followed, wherever they lead.',
    advice: ['Use the path of the real file, if it is under the root'],
  },
  NOT_REGULAR_FILE: {
    meaning: 'What stands at the path is no regular file: a directory, a pipe, a socket or a device.',
    advice: ['Name a file, not a folder'],
  },
  HARD_LINK_REFUSED: {
    meaning: 'The file has more than one name on the disk, so the same content may stand outside the root.',
    advice: ['Ask the operator to make a copy that stands alone'],
  },
  READ_ONLY: {
    meaning:
      'The server runs in read-only mode, or the mode of the file forbids writing. Nothing was written.',
    advice: ['Keep dry_run true: a preview is possible', 'Ask the operator or a person to make the change'],
  },
  FILE_NOT_FOUND: {
    meaning: 'There is no such file.',
    advice: [
      'Check the spelling against config_list; to make it, use the operation create_file of config_edit',
    ],
  },
  FILE_EXISTS: {
    meaning: 'No file can be created where one stands, or where a name differs only in case or spelling.',
    advice: [
      'Change the file with config_set or replace_text (old_text "" where it is empty), delete it with delete_file, or choose another name',
    ],
  },
  FILE_TOO_LARGE: {
    meaning:
      'The file, what an edit would make of it, or all files of one call together, are larger than the operator allows.',
    advice: ['Send fewer files at a time', 'Ask the operator to raise --max-file-size, or split the file'],
  },
  NOT_UTF8: {
    meaning: 'The bytes of the file are not valid UTF-8, so it cannot be edited without damage.',
    advice: ['Ask a person to convert the file to UTF-8 first'],
  },
  UNSUPPORTED_FORMAT: {
    meaning: 'The file is plain text: it has lines, and no keys or documents.',
    advice: ['Read it with config_get and view "raw", and edit it with replace_text'],
  },
  SYNTAX_INVALID: {
    meaning:
      'The file has syntax errors. It is never repaired by guessing, and has no keys as long as it has them; as text it can be read and edited.',
    advice: [
      'Read it with config_get and view "raw", and mend it with the operation replace_text of config_edit',
    ],
  },
  LIMIT_EXCEEDED: {
    meaning: 'Reading the file would exceed a budget (size, depth, tokens, aliases, documents or time).',
    advice: [
      'See the limits with list_capabilities',
      'Ask the operator to raise the limit if the file can be trusted',
    ],
  },
  NODE_PATH_INVALID: {
    meaning: 'The node path is malformed. It was not used, not even in part.',
    advice: [
      'Write keys with dots and list indexes in brackets: spec.containers[0].image',
      'Quote a key with special characters: metadata["app.kubernetes.io/name"]',
    ],
  },
  NODE_NOT_FOUND: {
    meaning: 'Nothing stands at this node path, or no document matches "doc".',
    advice: ['See the keys with config_get and view "outline"'],
  },
  NODE_AMBIGUOUS: {
    meaning: 'The node path can mean several nodes, and one is wanted. None was chosen.',
    advice: [
      'Use one of the paths that are named',
      'To change all of them use config_edit with a pattern: containers[*].image',
    ],
  },
  TYPE_MISMATCH: {
    meaning:
      'The path treats a node as something that it is not: a key in a list, an index in a mapping, anything below a scalar.',
    advice: ['See the kinds with config_get and view "outline"'],
  },
  DUPLICATE_KEY: {
    meaning: 'The key stands more than once in its mapping, so it is not clear which one is meant.',
    advice: [
      'Say which one is meant: type[#1] is the first, type[#2] the second; delete the one that is wrong',
    ],
  },
  DOCUMENT_AMBIGUOUS: {
    meaning: 'The file holds several documents, and "doc" names none or more than one of them.',
    advice: [
      'Give "doc" as an index, or as a matcher such as {"kind": "Deployment", "metadata.name": "web"}',
    ],
  },
  ALIAS_CROSSED: {
    meaning:
      'The path leads through an alias (*name). What stands there belongs to the anchored node (&name).',
    advice: [
      'Edit the node that carries the anchor: all its aliases follow',
      'Or set the alias itself to a value of its own',
    ],
  },
  ANCHOR_IN_USE: {
    meaning: 'The edit would leave an alias (*name) without its anchor (&name).',
    advice: ['Change the aliases first'],
  },
  KEY_IS_SHARED: {
    meaning: 'The key carries an anchor or is an alias, so that changing it would change other places.',
    advice: ['Have a person untangle the key first'],
  },
  TEMPLATE_ACTION: {
    meaning:
      'The edit would cut into an action of a template ({{ … }}), or take away or bring a part of a block.',
    advice: ['Set the whole value with "value", actions included, or use "replace_text" with no path'],
  },
  VALUE_INVALID: {
    meaning:
      'The value is not exactly one YAML node (or one JSON value, in a .json file), or says one key twice.',
    advice: ['Send plain data in "json" instead of "value": it is quoted as needed'],
  },
  TEXT_NOT_FOUND: {
    meaning: 'The text that should be replaced does not stand in the file as it was given.',
    advice: ['Read the place with view "raw", and copy old_text from there to the letter'],
  },
  TEXT_AMBIGUOUS: {
    meaning: 'The text that should be replaced stands in the file more than once.',
    advice: ['Give more of the text around the place that is meant'],
  },
  VERIFICATION_FAILED: {
    meaning: 'The proof failed: the edited text would not hold exactly the intended data.',
    advice: [
      'Send the value in "json" instead of "value", or quote it',
      'Or edit the lines as text, with op "replace_text" and no path',
    ],
  },
  SCHEMA_VIOLATION: {
    meaning:
      'The result would break a JSON Schema that the operator has bound to the file. Nothing was written.',
    advice: ['Correct the values that are listed; config_validate shows what the file breaks already'],
  },
  ENCRYPTED_FILE: {
    meaning:
      'The file, or a value in it, is encrypted (SOPS, SealedSecret, Ansible vault), and with this edit it could no longer be decrypted. Nothing was written.',
    advice: ['Have a person who holds the keys make the change with the tool that encrypted it'],
  },
  SECRET_PLACEHOLDER: {
    meaning:
      '<secret:…> stands for a masked value: a secret, which no call can read, write, move, copy or show. Nothing was written.',
    advice: ALTERNATIVES,
  },
  FILE_CHANGED: {
    meaning: 'The file is not what the preview or expected_sha256 saw. Nothing was written.',
    advice: ['Read the file again and preview the change anew'],
  },
  ...OF_PREVIEWS,
  BUSY: {
    meaning: 'The server has too much to do, or another process is writing in the same folder.',
    advice: ['Repeat the same call in a moment'],
  },
  TIMEOUT: {
    meaning: 'The work took longer than it may. Nothing was written.',
    advice: ['Ask for less at a time: a smaller part of the file, fewer edits or fewer files'],
  },
  NO_SPACE: {
    meaning: 'The disk or a quota is full. The file is as it was.',
    advice: ['Ask the operator to free some space, then repeat the call'],
  },
  PERMISSION_DENIED: {
    meaning: 'The operating system does not let the server do this. The file is as it was.',
    advice: [
      'Ask the operator to check the owner and mode of the file and its folder, and whether the disk is mounted read-only',
    ],
  },
  IO_ERROR: {
    meaning: 'The operating system reported an error. The file is as it was.',
    advice: ['Repeat the call; if it fails again, ask the operator to look at the log'],
  },
  ARGUMENT_INVALID: {
    meaning: "The arguments do not fit the tool's input schema. All problems are listed at once.",
    advice: ["Correct every problem listed, by the tool's input schema"],
  },
  INTERNAL: {
    meaning:
      'A bug in config-airlock. The log holds it under the id in the message, and no file was half written.',
    advice: ['Tell the operator the id'],
  },
};
