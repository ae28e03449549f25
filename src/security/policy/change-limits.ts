// How a new value may compare with the old one, and with those that stood before it in a window of time. What cannot be
// compared, or what nobody knows, is not as the rule asks.
import type { ChangeLimits, Json, SemverLimit } from './change-policy.ts';
import { semver } from './engines.ts';
import type { DataPath, Found, Past } from './facts.ts';
import { isSame } from './value-schema.ts';

export function isWithin(
  { semver: wanted, maxStep, maxStepPercent, isUnchanged }: ChangeLimits,
  old: Found,
  next: Found,
): boolean {
  if (typeof old !== 'object' || typeof next !== 'object') return false;
  if (isUnchanged === true && !isSame(old.value, next.value)) return false;
  if (maxStep !== undefined && !isNear(old.value, next.value, maxStep)) return false;
  if (maxStepPercent !== undefined && !isNearPercent(old.value, next.value, maxStepPercent)) return false;
  return wanted === undefined || isVersionWithin(wanted, old.value, next.value);
}

/** Whether the same holds for every value that stood at the path in the window, and it did not change too often. */
export function isWithinWindow(
  limits: ChangeLimits,
  path: DataPath,
  next: Found,
  past: (() => Past) | undefined,
): boolean {
  const { windowMs, maxChanges = Number.POSITIVE_INFINITY } = limits;
  if (windowMs === undefined) return true;
  const known = past?.();
  if (known === undefined) return false;
  const since = known.now - windowMs;
  if (known.knownSince > since) return false;
  const steps = known.changes
    // Also what seems to come from the future: then the clock was set back.
    .filter(({ at }) => at > since)
    .map(({ before, after }): [Found, Found] => [before?.at(path) ?? 'none', after?.at(path) ?? 'none']);
  if (!steps.flat().every((old) => isWithin(limits, old, next))) return false;
  return steps.filter(([before, after]) => !isSameFound(before, after)).length < maxChanges;
}

function isSameFound(one: Found, other: Found): boolean {
  return typeof one === 'object' && typeof other === 'object' && isSame(one.value, other.value);
}

function isNearPercent(old: Json, next: Json, percent: number): boolean {
  return (
    typeof old === 'number' &&
    typeof next === 'number' &&
    Math.abs(next - old) * 100 <= percent * Math.abs(old)
  );
}

function isNear(old: Json, next: Json, maxStep: number): boolean {
  // In quotes it is a text to some readers.
  return typeof old === 'number' && typeof next === 'number' && Math.abs(next - old) <= maxStep;
}

interface Version {
  /** All before it: the name of an image, `v`. */
  readonly name: string;
  readonly version: string;
}

/**
 * `registry:5000/app:v1.2.3`, `v1.2.3`, `1.2.3`. A digest names one image whatever the tag says, so that with one nothing
 * can be compared; and no version is a number (1.10 is 1.1).
 */
function versionIn(value: Json): Version | undefined {
  if (typeof value !== 'string' || value.includes('@')) return undefined;
  const [, name = '', text = ''] = /^(?:(.*):)?(v?\d+\.\d+\.\d+[-+.\w]*)$/su.exec(value) ?? [];
  const version = semver().valid(text);
  return version === null ? undefined : { name, version };
}

function isVersionWithin(wanted: SemverLimit, old: Json, next: Json): boolean {
  const [from, to] = [versionIn(old), versionIn(next)];
  // Of another image a higher version is no newer one.
  if (from === undefined || to === undefined || from.name !== to.name) return false;
  const { gte, major, minor } = semver();
  if (!gte(to.version, from.version)) return false;
  if (wanted === 'not_lower') return true;
  const isSameMajor = major(to.version) === major(from.version);
  return isSameMajor && (wanted === 'minor' || minor(to.version) === minor(from.version));
}
