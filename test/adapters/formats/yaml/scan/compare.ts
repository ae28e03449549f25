// The scan against `yaml` on one text: the same data, or the scan does not read it.
import { FORMATS } from '../../../../../src/adapters/formats/registry.ts';
import { Refusal } from '../../../../../src/security/errors/refusal.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../../../src/security/policy/policy.ts';
import { orRefusal } from '../../../../harness/refusals.ts';

/** `different` must never be. `code`: of the refusal of a text that is not read. */
export type Comparison = 'same' | 'different' | 'unindented' | Refusal['code'];

export function compare(text: string, limits: Limits = DEFAULT_LIMITS): Comparison {
  const { parse, reference } = FORMATS.yaml;
  const stream = orRefusal(() => parse(text, { ...limits, isOneOfMany: true }));
  if (stream instanceof Refusal) return stream.code;
  if (reference?.(text, stream, DEFAULT_LIMITS) === true) return 'same';
  // The scan takes what most readers do, where the standard asks for more indentation within quotes.
  return stream.unindented === undefined ? 'different' : 'unindented';
}
