// The comparisons of a rule (`change`) as a policy file has them; what contradicts itself, or has no effect, is a PolicyFault.
import type { ChangeLimits } from './change-policy.ts';
import { PolicyFields } from './policy-fields.ts';

const LIMIT_KEYS = ['semver', 'max_step', 'unchanged', 'window', 'max_changes'] as const;
const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const MOST_DAYS = 366;

/** Of the field `change`. */
export function readLimits(fields: PolicyFields): ChangeLimits {
  const limits = new PolicyFields(fields.raw('change'), fields.placeOf('change'), LIMIT_KEYS);
  const isUnchanged = limits.raw('unchanged');
  if (isUnchanged !== undefined && isUnchanged !== true)
    throw limits.fault('unchanged', 'expected true, or nothing');
  const found: ChangeLimits = {
    ...(limits.has('semver') ? { semver: limits.oneOf('semver', ['not_lower', 'patch', 'minor']) } : {}),
    ...(limits.has('max_step') ? readStep(limits) : {}),
    ...(isUnchanged === true ? { isUnchanged } : {}),
    ...(limits.has('window') ? { windowMs: readWindow(limits) } : {}),
    ...(limits.has('max_changes') ? { maxChanges: readCount(limits) } : {}),
  };
  requireSensible(found, limits, fields);
  return found;
}

function requireSensible(found: ChangeLimits, limits: PolicyFields, fields: PolicyFields): void {
  const { semver, isUnchanged = false, windowMs, maxChanges } = found;
  const isStep = limits.has('max_step');
  if (Object.keys(found).length === 0)
    throw fields.fault('change', 'expected semver, max_step, unchanged, or max_changes with a window');
  if (semver !== undefined && (isStep || isUnchanged))
    throw fields.fault(
      'change',
      'a version is no number, and a new one is not unchanged: semver stands alone',
    );
  if (windowMs !== undefined && isUnchanged)
    throw limits.fault('window', 'what must be unchanged does not change in any time');
  if (windowMs !== undefined && !isStep && semver === undefined && maxChanges === undefined)
    throw limits.fault('window', 'it needs max_step, semver or max_changes: what is counted in it?');
  if (maxChanges !== undefined && windowMs === undefined)
    throw limits.fault('max_changes', 'it needs a window, such as 24h');
}

/** `5`, or `20%` of the old value. */
function readStep(limits: PolicyFields): ChangeLimits {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/u.exec(String(limits.raw('max_step'))) ?? [];
  if (percent === undefined) return { maxStep: limits.number('max_step') };
  const maxStepPercent = Number(percent);
  if (!(maxStepPercent > 0)) throw limits.fault('max_step', 'expected more than 0%');
  return { maxStepPercent };
}

function readWindow(limits: PolicyFields): number {
  const [, count = '', letter = ''] = /^(\d{1,6})([mhd])$/u.exec(limits.text('window')) ?? [];
  const unit = Object.entries(UNITS).find(([name]) => name === letter)?.[1] ?? 0;
  const ms = Number(count) * unit;
  if (!(ms > 0 && ms <= MOST_DAYS * UNITS.d))
    throw limits.fault(
      'window',
      `expected minutes, hours or days, such as 30m, 24h or 7d; at most ${MOST_DAYS}d`,
    );
  return ms;
}

function readCount(limits: PolicyFields): number {
  const count = limits.number('max_changes');
  if (!Number.isSafeInteger(count)) throw limits.fault('max_changes', 'expected a whole number');
  return count;
}
