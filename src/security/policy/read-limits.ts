// Reads the comparisons of a rule (`change`) from a policy file. Throws PolicyFault for what contradicts itself or has no
// effect.
import type { ChangeLimits } from './change-policy.ts';
import { PolicyFields } from './policy-fields.ts';

const LIMIT_KEYS = ['semver', 'max_step', 'absent', 'unchanged'] as const;

/** Reads the field `change`. */
export function readLimits(fields: PolicyFields): ChangeLimits {
  const limits = new PolicyFields(fields.raw('change'), fields.placeOf('change'), LIMIT_KEYS);
  const isUnchanged = limits.raw('unchanged');
  if (isUnchanged !== undefined && isUnchanged !== true)
    throw limits.fault('unchanged', 'expected true, or nothing');
  const found: ChangeLimits = {
    ...(limits.has('semver') ? { semver: limits.oneOf('semver', ['not_lower', 'patch', 'minor']) } : {}),
    ...(limits.has('max_step') ? readStep(limits) : {}),
    ...(limits.has('absent') ? { absent: readAbsent(limits) } : {}),
    ...(isUnchanged === true ? { isUnchanged } : {}),
  };
  requireSensible(found, limits, fields);
  return found;
}

function requireSensible(found: ChangeLimits, limits: PolicyFields, fields: PolicyFields): void {
  const { semver, isUnchanged = false } = found;
  const isStep = limits.has('max_step');
  if (Object.keys(found).length === 0) throw fields.fault('change', 'expected semver, max_step or unchanged');
  if (semver !== undefined && (isStep || isUnchanged))
    throw fields.fault(
      'change',
      'a version is no number, and a new one is not unchanged: semver stands alone',
    );
}

/** Reads the number that counts where there was no value. */
function readAbsent(limits: PolicyFields): number {
  const value = limits.raw('absent');
  if (typeof value !== 'number' || !Number.isFinite(value)) throw limits.fault('absent', 'expected a number');
  if (!limits.has('max_step'))
    throw limits.fault('absent', 'it is for max_step: what an added value is compared with');
  return value;
}

/** Reads `max_step`: a number, or `20%` of the old value. */
function readStep(limits: PolicyFields): ChangeLimits {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/u.exec(String(limits.raw('max_step'))) ?? [];
  if (percent === undefined) return { maxStep: limits.number('max_step') };
  const maxStepPercent = Number(percent);
  if (!(maxStepPercent > 0)) throw limits.fault('max_step', 'expected more than 0%');
  return { maxStepPercent };
}
