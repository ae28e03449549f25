// Parses numbers, versions and quantities of configurations. What compares versions must have been loaded.
import { semver } from '../../security/index.ts';

/** A plain decimal, or one in quotes: whoever asks for ports below 1024 means "80" as well. */
export function numberIn(text: string): number | undefined {
  return /^[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/u.test(text)
    ? Number(text.replaceAll('_', ''))
    : undefined;
}

/** Reads `1.8.7`, `v0.93.1`, `1.9` or `2.0.0-rc.1` as a semantic version; four numbers are more often an address than a version. */
export function versionIn(text: string): string | undefined {
  const [, numbers, candidate] =
    /^[vV]?(\d{1,9}(?:\.\d{1,9}){0,2})(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]+)?$/u.exec(text) ?? [];
  const isPlain = /^\d+(?:-|$)/u.test(text);
  return isPlain && candidate !== undefined ? undefined : semanticVersion(numbers, candidate);
}

/** Missing numbers are 0, and a fourth one is left out. */
function semanticVersion(numbers: string | undefined, candidate: string | undefined): string | undefined {
  if (numbers === undefined) return undefined;
  const [major, minor = 0, patch = 0] = numbers.split('.');
  const rest = candidate === undefined ? '' : `-${candidate.replaceAll('_', '-')}`;
  return semver().valid(`${major}.${minor}.${patch}${rest}`, true) ?? undefined;
}

/** Reads the tag of `name:1.9.0` or `host:5000/name:v1-alpine@sha256:…`; a plain number of four or five digits may be a port. */
export function versionOfImage(text: string): string | undefined {
  const [, tag = ''] = /^[^\s:@]+(?::\d+\/[^\s:@]+)?:([\w.-]+)(?:@sha256:[0-9a-f]+)?$/u.exec(text) ?? [];
  return /^\d{4,5}$/u.test(tag) ? undefined : versionOfTag(tag);
}

/** Reads `1.9.0`, `v1` or `16-alpine`. What follows the numbers is a build, unless it is called a candidate. */
function versionOfTag(tag: string): string | undefined {
  const [, numbers, rest = ''] = /^[vV]?(\d{1,9}(?:\.\d{1,9}){0,3})(?:[-+_.](.{1,100}))?$/u.exec(tag) ?? [];
  const isCandidate = /^(?:rc|alpha|beta|pre|dev|nightly|snapshot)/iu.test(rest);
  return semanticVersion(numbers, isCandidate ? rest : undefined);
}

/** Returns the lowest version of a range: `^16.13.1`, `>=16 <19`, `~> 1.2`, `16.x`. */
export function lowestIn(text: string): string | undefined {
  const [, operator, lowest, any] =
    /^(\^|~[>=]?|>=?|==?)? ?v?(\d{1,9}(?:\.\d{1,9}){0,2})((?:\.[xX*]){1,2})?(?:-[\w.]{1,50})?(?:[ ,|][\d .<>=~^|,xX*v-]{0,99})?$/u.exec(
      text,
    ) ?? [];
  return operator === undefined && any === undefined ? undefined : semanticVersion(lowest, undefined);
}

/** True for a version that is no number: it has a `v`, three parts, or a suffix. */
export function isVersionOnly(text: string): boolean {
  return numberIn(text) === undefined && versionIn(text) !== undefined;
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** Reads `500m` or `256Mi` as Kubernetes does; a plain number has no unit. */
export function quantityIn(text: string): number | undefined {
  const [, number = '', unit = ''] = /^([-+]?\d+(?:\.\d+)?)([numkMGTPE]|[KMGTPE]i)$/u.exec(text) ?? [];
  return number === '' ? numberIn(text) : Number(number) * (UNITS[unit] ?? 1);
}
