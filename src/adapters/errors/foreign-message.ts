// Recognises messages of well-known parsers and tools that were pasted; anything else stays unknown, because a wrong explanation
// is worse than none. Replies of this server name their code.
import type { ErrorCode } from '../../security/index.ts';

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

/** Explains another program's message; undefined if it is unknown. */
export function recogniseForeign(message: string): ForeignMessage | undefined {
  const found = FOREIGN.find(([words]) => words.test(message));
  return found && { code: found[1], cause: found[2] };
}
