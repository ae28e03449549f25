// Suggests the next step after a change that the operator's rules do not let pass: the same call with the nearest allowed
// values, which works as it is.
import { parseNodePath, printNodePath, type Refusal, unlessRefused } from '../../security/index.ts';
import { again, type Call, editsOf, type RecoveryStep } from './steps.ts';

/** Returns the call with these values; empty if the call does not set each of them itself. */
export function withNearestValues(
  { clues: { nearestValues = [] } }: Refusal,
  call: Call,
): readonly RecoveryStep[] {
  if (nearestValues.length === 0) return [];
  const edits = editsOf(call);
  const asked = edits.length === 0 ? [call.args] : edits;
  const corrected = asked.map((edit) => withValue(edit, nearestValues));
  const isAll = nearestValues.every((nearest) => asked.some((edit) => isSetOf(edit, nearest)));
  if (!isAll) return [];
  const args = edits.length === 0 ? corrected[0] : { ...call.args, edits: corrected };
  const values = nearestValues.map(({ path, value }) => `${path}: ${JSON.stringify(value)}`).join(', ');
  return [again({ ...call, args: { ...Object(args) } }, `The nearest that the rules let pass: ${values}`)];
}

type NearestValue = NonNullable<Refusal['clues']['nearestValues']>[number];

function withValue(edit: unknown, nearest: readonly NearestValue[]): unknown {
  const found = nearest.find((one) => isSetOf(edit, one));
  if (found === undefined) return edit;
  const { value: _, ...rest } = Object(edit);
  return { ...rest, json: found.value };
}

function isSetOf(edit: unknown, { file, path }: NearestValue): boolean {
  const { op = 'set', file: ofEdit, path: asked } = Object(edit);
  return op === 'set' && ofEdit === file && typeof asked === 'string' && plain(asked) === path;
}

function plain(path: string): string | undefined {
  return unlessRefused(() => printNodePath(parseNodePath(path)));
}
