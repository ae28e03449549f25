// What the scan does not read: text that is wrong, or YAML that hardly any file holds. A part is named, and never its text.

export type UnusualPart =
  | 'a control character'
  | 'a lone carriage return'
  | 'a tab'
  | 'a directive or a byte order mark'
  | 'a document marker'
  | 'an explicit or empty key'
  | 'a key on several lines, or one that is no scalar'
  | 'the indentation'
  | 'an anchor or a tag'
  | 'an alias'
  | 'the start of a scalar'
  | 'an escape sequence'
  | 'the end of a quoted scalar'
  | 'a block scalar'
  | 'a collection in brackets'
  | 'the end of the line';

export class Unusual extends Error {
  readonly what: UnusualPart;

  constructor(what: UnusualPart) {
    super(what);
    this.what = what;
  }
}
