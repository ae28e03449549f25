// How a new value may compare with the old one, and with those that stood before it in a window of time. What cannot be
// compared, or what nobody knows, is neither as the rule asks nor otherwise: `unclear`, which takes the stricter level.
import type { ChangeLimits, Json, SemverLimit } from './change-policy.ts';
import { semver } from './engines.ts';
import type { DataPath, DocumentData, DocumentVersions, Found, PastChange } from './facts.ts';
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

/** A node whose value changes. */
export interface ChangingNode {
  readonly path: DataPath;
  readonly after: Found;
  readonly versions: DocumentVersions;
  /** The fields by which a rule knows the items of lists. */
  readonly names: readonly DataPath[];
}

/** Whether the same holds for every value that stood at the path in the window, and it did not change too often. */
export function isWithinWindow(limits: ChangeLimits, node: ChangingNode): Answer {
  const { windowMs, maxChanges = Number.POSITIVE_INFINITY } = limits;
  const { path, after: next, versions } = node;
  if (windowMs === undefined) return 'yes';
  const known = versions.past?.();
  if (known === undefined) return 'unclear';
  const since = known.now - windowMs;
  // Also what seems to come from the future: then the clock was set back.
  const lately = known.changes.filter(({ at }) => at > since);
  const steps = lately.map(({ before, after }): [Found, Found] => [
    before?.at(path) ?? 'none',
    after?.at(path) ?? 'none',
  ]);
  const changes = steps.filter(([before, after]) => isOther(before, after)).length;
  return answerOfAll([
    known.knownSince > since || !isSamePlace(node, lately) ? 'unclear' : 'yes',
    ...steps.flat().map((old) => isWithin(limits, old, next)),
    answer(changes < maxChanges),
  ]);
}

/** Whether each index on the path is that of the same item in all versions. */
function isSamePlace({ path, versions, names }: ChangingNode, changes: readonly PastChange[]): boolean {
  const all = [versions, ...changes].flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  const isOne = (of: (data: DocumentData) => unknown) =>
    new Set(all.map((data) => JSON.stringify(of(data)))).size <= 1;
  return path.every((part, depth) => {
    if (typeof part !== 'number') return true;
    const [list, item] = [path.slice(0, depth), path.slice(0, depth + 1)];
    const isSameLength = isOne((data) => data.lengthAt(list));
    return isSameLength && names.every((name) => isOne((data) => data.at([...item, ...name])));
  });
}

/** Of what is not there, or cannot be told, nothing is within the limits anyway. */
function isOther(one: Found, other: Found): boolean {
  return typeof one === 'object' && typeof other === 'object' && !isSame(one.value, other.value);
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
