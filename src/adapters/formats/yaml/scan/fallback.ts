// The reasons why the scan stops where it is not sure: the text then goes to `yaml`, which reads it or finds the error. A
// reason names what was met, and never its text.

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
