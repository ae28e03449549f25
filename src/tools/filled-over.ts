// Nobody but a person writes another value where a person has filled in one.
import { type ConfigFile, readEvenIfInvalid, scalarsAt } from '../adapters/index.ts';
import { filledPlaces, requireNoneWritten, type VerifiedEdit } from '../security/index.ts';
import type { CallContext } from './tool.ts';

/** Throws POLICY_DENIED, whether or not the value is the one that was filled in. */
export function requireNothingFilledOver(
  base: ConfigFile,
  { snapshot: { path, text }, after }: VerifiedEdit,
  { state, policy }: Pick<CallContext, 'state' | 'policy'>,
): void {
  const file = path.toString();
  const places = filledPlaces(state?.filled.all().filter((value) => value.file === file) ?? []);
  if (places === undefined || after === text) return;
  const result = readEvenIfInvalid(path, after, policy.limits);
  requireNoneWritten(scalarsAt(base, places), scalarsAt(result, places), file);
}
