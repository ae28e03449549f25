// How a new value may compare with the old one. What cannot be compared is neither as the rule asks nor otherwise: `unclear`,
// which takes the stricter level.
import type { ChangeLimits, Json, SemverLimit } from './change-policy.ts';
import { semver } from './engines.ts';
import type { Found } from './facts.ts';
import { isSame } from './value-schema.ts';

/** Whether a constraint holds. */
export type Answer = 'yes' | 'no' | 'unclear';

/** Of several, each of which has to hold. */
export function answerOfAll(answers: readonly Answer[]): Answer {
  if (answers.includes('no')) return 'no';
  return answers.includes('unclear') ? 'unclear' : 'yes';
}

export function isWithin(limits: ChangeLimits, old: Found, next: Found): Answer {
  if (typeof old !== 'object' || typeof next !== 'object') return 'unclear';
  const { semver: wanted, maxStep, maxStepPercent, isUnchanged } = limits;
  const [from, to] = [old.value, next.value];
  return answerOfAll([
    isUnchanged === true ? answer(isSame(from, to)) : 'yes',
    maxStep === undefined ? 'yes' : isNear(from, to, (step) => step <= maxStep),
    maxStepPercent === undefined
      ? 'yes'
      : isNear(from, to, (step, number) => step * 100 <= maxStepPercent * Math.abs(number)),
    wanted === undefined ? 'yes' : isVersionWithin(wanted, from, to),
  ]);
}

export function answer(holds: boolean): Answer {
  return holds ? 'yes' : 'no';
}

function isNear(old: Json, next: Json, isAllowed: (step: number, old: number) => boolean): Answer {
  // In quotes it is a text to some readers.
  if (typeof old !== 'number' || typeof next !== 'number') return 'unclear';
  return answer(isAllowed(Math.abs(next - old), old));
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

function isVersionWithin(wanted: SemverLimit, old: Json, next: Json): Answer {
  const [from, to] = [versionIn(old), versionIn(next)];
  // Of another image a higher version is no newer one.
  if (from === undefined || to === undefined || from.name !== to.name) return 'unclear';
  const { gte, major, minor } = semver();
  const isSameMajor = major(to.version) === major(from.version);
  const isSameMinor = isSameMajor && minor(to.version) === minor(from.version);
  const isKept = { not_lower: true, minor: isSameMajor, patch: isSameMinor }[wanted];
  return answer(isKept && gte(to.version, from.version));
}
