// Where the scan stops being sure, it stops: the text then goes to `yaml`, which reads it or says what is
// wrong with it. The reason says what was met, never what it said.

export type FallbackReason =
  | 'control character'
  | 'lone carriage return'
  | 'tab'
  | 'directive or mark'
  | 'document marker'
  | 'explicit or empty key'
  | 'key'
  | 'indentation'
  | 'property'
  | 'alias'
  | 'root scalar'
  | 'start of a scalar'
  | 'escape'
  | 'end of a quoted scalar'
  | 'block scalar'
  | 'flow collection'
  | 'end of a line'
  | 'limit';

export class FallbackToReference extends Error {
  readonly reason: FallbackReason;

  constructor(reason: FallbackReason) {
    super(reason);
    this.reason = reason;
  }
}
