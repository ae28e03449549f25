// Parses numbers, versions and quantities of configurations, and compares them.

/** A plain decimal, or one in quotes: whoever asks for ports below 1024 means "80" as well. */
export function numberIn(text: string): number | undefined {
  return /^[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/u.test(text)
    ? Number(text.replaceAll('_', ''))
    : undefined;
}

export interface Version {
  readonly numbers: readonly number[];
  /** The part `rc.1` of `1.2.0-rc.1`; undefined for a release. */
  readonly prerelease: string | undefined;
}

/** Reads `1.8.7`, `v0.93.1`, `1.9` or `2.0.0-rc.1`; four numbers are more often an address than a version. */
export function versionIn(text: string): Version | undefined {
  const found = /^[vV]?(\d{1,9}(?:\.\d{1,9}){0,2})(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]+)?$/u.exec(
    text,
  );
  const isPlain = /^\d+(?:-|$)/u.test(text);
  if (found === null || (isPlain && found[2] !== undefined)) return undefined;
  return { numbers: (found[1] ?? '').split('.').map(Number), prerelease: found[2] };
}

/** Reads the tag of `name:1.9.0` or `host:5000/name:v1-alpine@sha256:…`; a plain number of four or five digits may be a port. */
export function versionOfImage(text: string): Version | undefined {
  const [, tag = ''] = /^[^\s:@]+(?::\d+\/[^\s:@]+)?:([\w.-]+)(?:@sha256:[0-9a-f]+)?$/u.exec(text) ?? [];
  return /^\d{4,5}$/u.test(tag) ? undefined : versionOfTag(tag);
}

/** Reads `1.9.0`, `v1` or `16-alpine`. What follows the numbers is a build, unless it is called a candidate. */
function versionOfTag(tag: string): Version | undefined {
  const [, numbers, rest = ''] = /^[vV]?(\d{1,9}(?:\.\d{1,9}){0,3})(?:[-+_.](.{1,100}))?$/u.exec(tag) ?? [];
  if (numbers === undefined) return undefined;
  const isCandidate = /^(?:rc|alpha|beta|pre|dev|nightly|snapshot)/iu.test(rest);
  return { numbers: numbers.split('.').map(Number), prerelease: isCandidate ? rest : undefined };
}

/** True for a version that is no number: it has a `v`, three parts, or a suffix. */
export function isVersionOnly(text: string): boolean {
  return numberIn(text) === undefined && versionIn(text) !== undefined;
}

/** Orders versions as semantic versions; negative where `a` is lower. Missing numbers count as 0. */
export function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < 3; i++) {
    const difference = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.prerelease === b.prerelease) return 0;
  if (a.prerelease === undefined) return 1;
  return b.prerelease === undefined
    ? -1
    : comparePrereleases(a.prerelease.split('.'), b.prerelease.split('.'));
}

function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [one, other] = [a[i], b[i]];
    if (one === other) continue;
    if (one === undefined) return -1;
    if (other === undefined) return 1;
    const [number, than] = [one, other].map((part) => (/^\d+$/u.test(part) ? Number(part) : undefined));
    if (number !== undefined && than !== undefined) return number - than;
    if (number !== undefined || than !== undefined) return number === undefined ? 1 : -1;
    return one < other ? -1 : 1;
  }
  return 0;
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
