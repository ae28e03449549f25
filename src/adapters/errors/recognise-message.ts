// Which code a message belongs to that was pasted without it. Knows the words that the refusals of this
// server use; anything else stays unknown, for a wrong explanation is worse than none.
import type { ErrorCode } from '../../security/index.ts';

/** In this order: what is said of one cause comes before what is said of many. */
const WORDS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^Cannot call \w+: |^Cannot use (?:the|this) pattern |^Cannot use expected_sha256/, 'ARGUMENT_INVALID'],
  [/^Cannot (?:run|say whether) \w+(?: has written)?: an internal error/, 'INTERNAL'],
  [/the policy does not let this path through/, 'PATH_DENIED'],
  [/as a file: (?:it is an absolute path|there is no such root)/, 'PATH_OUTSIDE_ROOT'],
  [/^Cannot use ".*" as a file: /, 'PATH_INVALID'],
  [/a symbolic link stands in its path/, 'SYMLINK_REFUSED'],
  [/it is not a regular file/, 'NOT_REGULAR_FILE'],
  [/a hard link/, 'HARD_LINK_REFUSED'],
  [/this server is read-only|its mode is read-only/, 'READ_ONLY'],
  [/there is none at this path/, 'FILE_NOT_FOUND'],
  [/\d+ bytes, and \d+ are allowed/, 'FILE_TOO_LARGE'],
  [/is not valid UTF-8/, 'NOT_UTF8'],
  [/the file is plain text, without keys/, 'UNSUPPORTED_FORMAT'],
  [/^Cannot read this as (?:YAML|JSON): invalid/, 'SYNTAX_INVALID'],
  [/exceeds the limit of|characters of a reply/, 'LIMIT_EXCEEDED'],
  [/^Cannot choose one of the items of |^Cannot use the node path .*: it can be /, 'NODE_AMBIGUOUS'],
  [/^Cannot use the node path /, 'NODE_PATH_INVALID'],
  [
    /^Cannot choose a document: the file has \d+, and|^Cannot choose a document: \d+ match/,
    'DOCUMENT_AMBIGUOUS',
  ],
  [
    /: no such (?:key|index)|^Cannot find .*: no item with|^Cannot choose an item of |^Cannot choose (?:a )?document/,
    'NODE_NOT_FOUND',
  ],
  [/the key occurs more than once|exists already$|a key occurs twice/, 'DUPLICATE_KEY'],
  [/: it is the alias \*/, 'ALIAS_CROSSED'],
  [
    /^Cannot (?:remove the anchor &|use the alias \*|put an alias here|give the value of the alias)/,
    'ANCHOR_IN_USE',
  ],
  [/^Cannot rename .*: the key (?:is the alias|carries &)/, 'KEY_IS_SHARED'],
  [/^Cannot go below |^Cannot give this as a JSON value|: only keys of mappings have names/, 'TYPE_MISMATCH'],
  [/^Cannot (?:use|write) this (?:value|comment)/, 'VALUE_INVALID'],
  [/^Cannot replace this text: it does not stand /, 'TEXT_NOT_FOUND'],
  [/^Cannot replace this text: it stands /, 'TEXT_AMBIGUOUS'],
  [/^Cannot make this edit: the result would break /, 'SCHEMA_VIOLATION'],
  [/^Cannot make this edit: /, 'VERIFICATION_FAILED'],
  [
    /expected_sha256 names|no longer what the edit was made for|was moved or replaced|was removed meanwhile|ha(?:s|ve) changed since|of documents that it had/,
    'FILE_CHANGED',
  ],
  [/result would not be what it showed/, 'VERIFICATION_FAILED'],
  [/^Cannot use this preview: there is none/, 'PREVIEW_NOT_FOUND'],
  [/^Cannot use this preview: it (?:is too old|was made under)/, 'PREVIEW_EXPIRED'],
  [/^Cannot use this preview: it has been applied/, 'PREVIEW_USED'],
  [/writes only what was previewed/, 'PREVIEW_REQUIRED'],
  [/^Cannot apply this preview(?: yet)?: it (?:is pending|was approved in part)/, 'APPROVAL_REQUIRED'],
  [
    /^Cannot (?:apply|approve) this preview: (?:\S+ has rejected it|the person (?:at the client said no|closed the question))/,
    'APPROVAL_DECLINED',
  ],
  [
    /^Cannot apply this preview: (?:a person has to agree, and|it is too long for a person)|too many wait for a person already/,
    'APPROVAL_UNAVAILABLE',
  ],
  [/^Cannot (?:undo|show) this change: none that was applied/, 'CHANGE_NOT_FOUND'],
  [
    /^Cannot undo this change yet|another config-airlock is writing|is not a lock of this program|batch of files that was interrupted|are waiting already|a question about another one is open|the server is about to end|too many files are open/,
    'BUSY',
  ],
  [/^Cannot finish this call: .* took longer than |the call took too long$/, 'TIMEOUT'],
  [/the disk is full|the disk quota is used up|^Cannot record more changes: /, 'NO_SPACE'],
  [/does not permit it|mounted read-only|it belongs to another user/, 'PERMISSION_DENIED'],
  [
    /the file system reported an error|the size of a file is reached|^Cannot write: the audit trail |^Cannot (?:reach the root|serve this call)|a mount point of its own|^Cannot [a-z ]+: the state directory, or a part of it/,
    'IO_ERROR',
  ],
];

/** Undefined where the words are none of this server's. */
export function recogniseMessage(message: string): ErrorCode | undefined {
  const line = message.trim();
  return WORDS.find(([words]) => words.test(line))?.[1];
}
