// Recognises the code of a message that was pasted without it. It knows the wordings of this server's refusals, and those of
// well-known parsers; anything else stays unknown, because a wrong explanation is worse than none.
import type { ErrorCode } from '../../security/index.ts';

/** The wordings in order: specific ones come before general ones. */
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
  [/^Cannot create this file: (?:there is one|a part of its path|a name that differs)/, 'FILE_EXISTS'],
  [/\d+ bytes, and \d+ are allowed/, 'FILE_TOO_LARGE'],
  [/is not valid UTF-8/, 'NOT_UTF8'],
  [/the file is plain text, without keys/, 'UNSUPPORTED_FORMAT'],
  [/^Cannot read this as (?:YAML|JSON|YAML template): invalid/, 'SYNTAX_INVALID'],
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
  [/an action of the template|actions of the template/, 'TEMPLATE_ACTION'],
  [/^Cannot (?:use|write) this (?:value|comment)|^Cannot set nothing here/, 'VALUE_INVALID'],
  [/^Cannot replace this text: it does not stand /, 'TEXT_NOT_FOUND'],
  [/^Cannot replace this text: it stands /, 'TEXT_AMBIGUOUS'],
  [/^Cannot make this edit: the result would break /, 'SCHEMA_VIOLATION'],
  [
    /^Cannot apply this preview(?: yet)?: (?:it (?:is pending|was approved in part)|somebody has decided about it)/,
    'APPROVAL_REQUIRED',
  ],
  [/^Cannot make this edit: the file (?:is encrypted with|holds a )/, 'ENCRYPTED_FILE'],
  [/holds <secret:|show a masked value|removed or changed what is masked/, 'SECRET_PLACEHOLDER'],
  [/of the operator (?:allows it|does not allow it)/, 'POLICY_DENIED'],
  [/^Cannot make this edit: /, 'VERIFICATION_FAILED'],
  [
    /expected_sha256 names|no longer what the edit was made for|was moved or replaced|was removed meanwhile|ha(?:s|ve) changed since|of documents that it had/,
    'FILE_CHANGED',
  ],
  [/result would not be what it showed/, 'VERIFICATION_FAILED'],
  [/^Cannot use this preview: there is none/, 'PREVIEW_NOT_FOUND'],
  [/^Cannot use this preview: it (?:is too old|was made under)/, 'PREVIEW_EXPIRED'],
  [/^Cannot use this preview: it has been applied/, 'PREVIEW_USED'],
  [/^Cannot use this preview: more edits were added/, 'PREVIEW_REPLACED'],
  [/writes only what was previewed|^Cannot write this at once: /, 'PREVIEW_REQUIRED'],
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
    /^Cannot undo this change yet|another config-airlock is writing|is not a lock of this program|a change of this file was interrupted|another process is writing to the state|the lock of the folder was taken away|are waiting already|a question about another one is open|the server is about to end|too many files are open/,
    'BUSY',
  ],
  [/^Cannot finish this call: .* took longer than |the call took too long$/, 'TIMEOUT'],
  [
    /the disk is full|the disk of the state takes no more|the disk quota is used up|^Cannot record more changes: /,
    'NO_SPACE',
  ],
  [/does not permit it|mounted read-only|it belongs to another user/, 'PERMISSION_DENIED'],
  [
    /the file system reported an error|the size of a file is reached|^Cannot go on: (?:the database of the state|the state was|a newer version) |^Cannot (?:reach the root|serve this call)|a mount point of its own/,
    'IO_ERROR',
  ],
];

/** Answers the code; undefined where the words are none of this server's. */
export function recogniseMessage(message: string): ErrorCode | undefined {
  const line = message.trim();
  return WORDS.find(([words]) => words.test(line))?.[1];
}

export interface ForeignMessage {
  readonly code: ErrorCode;
  /** The meaning of the message in one sentence. */
  readonly cause: string;
}

/** Wordings of PyYAML, Go (kubectl, helm, yq), `yaml` and js-yaml, npm, Node, Python's json, and jq; specific ones come first. */
const FOREIGN: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [
    /mapping values are not allowed|nested mappings are not allowed in compact mappings|bad indentation of a mapping entry/i,
    'SYNTAX_INVALID',
    'A second ":" stands on the line, or the line is indented further than its siblings: quote the value, or mend the indentation.',
  ],
  [
    /found character ['"]?\\t|cannot start any token|tabs? (?:are|is|cannot|must|should|can't)|found a tab/i,
    'SYNTAX_INVALID',
    'A tab indents the line, or a value begins with @, ` or %: use spaces, and quote the value.',
  ],
  [
    /(?:while scanning a quoted scalar|found unexpected end of stream|missing closing ["']?quote|unterminated string|unexpected end of the stream within)/i,
    'SYNTAX_INVALID',
    'A quote is opened and not closed.',
  ],
  [
    /could not find expected ['"]?:|implicit keys? need|can not read (?:a block mapping entry|an implicit mapping pair)/i,
    'SYNTAX_INVALID',
    'A key has no ":" after it, or no space behind the ":".',
  ],
  [
    /did not find expected (?:key|'-' indicator|<document start>)|expected <block end>|block (?:mapping|collection|sequence) .*(?:indent|not allowed)/i,
    'SYNTAX_INVALID',
    'A line is indented otherwise than its siblings.',
  ],
  [
    /did not find expected (?:',' or|node content)|expected ',' or|flow (?:mapping|sequence|collection)/i,
    'SYNTAX_INVALID',
    'A bracket or brace is not closed, a comma is missing, or a template such as {{ … }} stands unquoted.',
  ],
  [
    /EJSONPARSE|JSONDecodeError|in JSON at position|is not valid JSON|Unexpected end of JSON|Expecting property name|Expecting ',' delimiter|Expecting value: line|invalid character .{1,12} (?:looking for|after|in string)|JSON parse error|parse error: (?:Invalid|Expected|Unfinished)/i,
    'SYNTAX_INVALID',
    'It is no JSON: a comma, quote or bracket is missing or too many, or it holds a comment.',
  ],
  [
    /(?:found|with) undefined alias|unknown anchor|unidentified alias|unresolved alias/i,
    'ANCHOR_IN_USE',
    'An alias (*name) has no anchor (&name) before it.',
  ],
  [
    /duplicated? (?:mapping )?keys?|(?:mapping )?key .{1,80} already (?:defined|set)|map keys must be unique/i,
    'DUPLICATE_KEY',
    'A key stands twice in one mapping.',
  ],
  [
    /unknown field|strict decoding error|additional propert(?:y|ies)|ValidationError\(|missing required field|Required value|is invalid: spec|does not match the schema|Unsupported config option/i,
    'SCHEMA_VIOLATION',
    'The reader does not know a key, or misses one, or wants another kind of value there.',
  ],
  [
    /cannot unmarshal|cannot index|cannot iterate|cannot get (?:property|path)|is not (?:iterable|subscriptable)|expected (?:map|string|int|array|object|list|bool)\w*,? (?:but )?got|Invalid type/i,
    'TYPE_MISMATCH',
    'A value has another kind than its reader expects: a text for a number, a mapping for a list.',
  ],
  [
    /KeyError|IndexError|Cannot read propert(?:y|ies) of undefined|no such key|index out of range|path not found/i,
    'NODE_NOT_FOUND',
    'Nothing stands at the path.',
  ],
  [
    /UnicodeDecodeError|invalid (?:leading )?UTF-?8|control characters are not allowed|special characters are not allowed/i,
    'NOT_UTF8',
    'The bytes are not UTF-8, or hold control characters.',
  ],
  [
    /error (?:converting YAML to JSON|unmarshaling|parsing)|yaml: (?:line \d|unmarshal)|YAMLException|YAMLParseError|yaml\.(?:scanner|parser)|bad file .*yaml|cannot parse .*ya?ml/i,
    'SYNTAX_INVALID',
    'It is no YAML as its reader knows it.',
  ],
  [/EISDIR|is a directory/i, 'NOT_REGULAR_FILE', 'It is a folder.'],
  [
    /ENOENT|no such file or directory|FileNotFoundError|cannot find the (?:file|path)/i,
    'FILE_NOT_FOUND',
    'There is no such file.',
  ],
  [
    /EACCES|EPERM|permission denied|PermissionError/i,
    'PERMISSION_DENIED',
    'The operating system does not permit it.',
  ],
  [/ENOSPC|no space left on device/i, 'NO_SPACE', 'The disk is full.'],
];

/** Explains another program's message; undefined where it is unknown. */
export function recogniseForeign(message: string): ForeignMessage | undefined {
  const found = FOREIGN.find(([words]) => words.test(message));
  return found && { code: found[1], cause: found[2] };
}
