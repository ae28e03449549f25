// Nobody but a person writes another value where a person has filled in one.
import { type ConfigFile, scalarsAt, scalarsBrought } from '../adapters/index.ts';
import { type FileFacts, filledPlaces, placesUnknown, requireNoneWritten } from '../security/index.ts';
import type { CallContext } from './tool.ts';

/**
 * Throws POLICY_DENIED, whether or not the value is the one that was filled in. `facts`: of how the file changes from `base`
 * to `result`.
 */
export function requireNothingFilledOver(
  file: string,
  [base, result]: readonly [ConfigFile, ConfigFile],
  facts: FileFacts,
  { state }: Partial<Pick<CallContext, 'state'>>,
): void {
  const places = filledPlaces(state?.filled.in(file) ?? []);
  if (places === undefined || result.stream.isAbsent === true) return;
  if ([base, result].some(({ stream }) => stream.hasStructure === false && stream.isAbsent !== true))
    throw placesUnknown(file);
  const after = scalarsAt(result, places);
  requireNoneWritten(
    scalarsAt(base, places),
    [...after, ...scalarsBrought(facts, places, after)],
    file,
    places,
  );
}
