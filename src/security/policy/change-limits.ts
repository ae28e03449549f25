// Compares a new value with the old one. Values that cannot be compared are `unclear`, which takes the stricter level of the
// rule.

import { z } from 'zod';
import type { ChangeLimits, Json, SemverLimit } from './change-policy.ts';
import { semver } from './engines.ts';
import type { Found } from './facts.ts';
import { expected, faultOf, mapping, oneOf, positive } from './policy-fields.ts';
import { quantityOf } from './quantity.ts';
import { isSame } from './value-schema.ts';

/** Says whether a constraint holds. */
export type Answer = 'yes' | 'no' | 'unclear';

/** Combines the answers of several constraints that must all hold. */
export function answerOfAll(answers: readonly Answer[]): Answer {
  if (answers.includes('no')) return 'no';
  return answers.includes('unclear') ? 'unclear' : 'yes';
}

export function isWithin(limits: ChangeLimits, old: Found, next: Found): Answer {
  const { semver: wanted, quantity, maxStep, maxStepPercent, isUnchanged, absent } = limits;
  const known = old === 'none' && absent !== undefined ? { value: absent } : old;
  if (typeof known !== 'object' || typeof next !== 'object') return 'unclear';
  const [from, to] = [known.value, next.value];
  return answerOfAll([
    isUnchanged === true ? answer(isSame(from, to)) : 'yes',
    maxStep === undefined ? 'yes' : isNear(from, to, (step) => step <= maxStep),
    maxStepPercent === undefined
      ? 'yes'
      : isNear(from, to, (step, number) => step * 100 <= maxStepPercent * Math.abs(number)),
    wanted === undefined ? 'yes' : isVersionWithin(wanted, from, to),
    quantity === undefined ? 'yes' : isNotLower(from, to),
  ]);
}

export function answer(holds: boolean): Answer {
  return holds ? 'yes' : 'no';
}

function isNear(old: Json, next: Json, isAllowed: (step: number, old: number) => boolean): Answer {
  // Numbers in quotes are unclear, because some readers take them for text.
  if (typeof old !== 'number' || typeof next !== 'number') return 'unclear';
  return answer(isAllowed(Math.abs(next - old), old));
}

function isNotLower(old: Json, next: Json): Answer {
  const [from, to] = [quantityOf(old), quantityOf(next)];
  return from === undefined || to === undefined ? 'unclear' : answer(to >= from);
}

interface Version {
  /** The text before the version: the name of an image, or a `v`. */
  readonly name: string;
  readonly version: string;
  /** Whether a digest is behind it, which decides the image whatever the tag says. */
  readonly isPinned: boolean;
}

/**
 * Parses `registry:5000/app:v1.2.3`, `v1.2.3` or `1.2.3`, also with a digest behind the tag. A digest alone is no version, nor is
 * a number (1.10 is 1.1).
 */
function versionIn(value: Json): Version | undefined {
  if (typeof value !== 'string') return undefined;
  const [, name = '', text = '', digest] =
    /^(?:([^@]*):)?(v?\d+\.\d+\.\d+[-+.\w]*)(@sha256:[0-9a-f]{64})?$/u.exec(value) ?? [];
  const version = semver().valid(text);
  return version === null ? undefined : { name, version, isPinned: digest !== undefined };
}

function isVersionWithin(wanted: SemverLimit, old: Json, next: Json): Answer {
  const [from, to] = [versionIn(old), versionIn(next)];
  // Versions of different images cannot be compared, nor can an image that loses its digest.
  if (from === undefined || to === undefined || from.name !== to.name) return 'unclear';
  if (from.isPinned && !to.isPinned) return 'unclear';
  const { gte, major, minor } = semver();
  const isSameMajor = major(to.version) === major(from.version);
  const isSameMinor = isSameMajor && minor(to.version) === minor(from.version);
  const isKept = { not_lower: true, minor: isSameMajor, patch: isSameMinor }[wanted];
  return answer(isKept && gte(to.version, from.version));
}

/** The schema of the field `change` of a rule. What contradicts itself or has no effect is a fault. */
export function limitsSchema(): z.ZodType<ChangeLimits> {
  return mapping({
    semver: oneOf(['not_lower', 'patch', 'minor']).exactOptional(),
    quantity: oneOf(['not_lower']).exactOptional(),
    max_step: z
      .union([percent(), positive().transform((maxStep) => ({ maxStep }))], expected('a number above 0'))
      .exactOptional(),
    absent: z.number(expected('a number')).exactOptional(),
    unchanged: z.literal(true, expected('true, or nothing')).exactOptional(),
  })
    .superRefine(({ semver, quantity, max_step, absent, unchanged }, { issues, addIssue }) => {
      if (absent !== undefined && max_step === undefined)
        addIssue(faultOf('absent', 'it is for max_step: what an added value is compared with'));
      const isEmpty = [semver, quantity, max_step, unchanged].every((limit) => limit === undefined);
      if (isEmpty && issues.length === 0)
        addIssue('change: expected semver, quantity, max_step or unchanged');
      if (
        semver !== undefined &&
        (quantity !== undefined || max_step !== undefined || unchanged !== undefined)
      )
        addIssue('change: a version is no number, and a new one is not unchanged: semver stands alone');
    })
    .transform(({ max_step, unchanged, ...others }) => ({
      ...others,
      ...max_step,
      ...(unchanged === undefined ? {} : { isUnchanged: unchanged }),
    }));
}

/** The largest step as a part of the old value, such as `20%`. */
function percent() {
  return z
    .string()
    .regex(/^\d+(?:\.\d+)?%$/u, { abort: true })
    .transform((text) => ({ maxStepPercent: Number(text.slice(0, -1)) }))
    .refine(({ maxStepPercent }) => maxStepPercent > 0, expected('more than 0%'));
}
