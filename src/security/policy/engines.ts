// Engines that some constraints need and most servers do not: RE2, which matches patterns in linear time whatever the text, and
// the comparison of versions. They are loaded when a policy asks for them.
interface Engines {
  re2?: typeof import('re2js');
  semver?: typeof import('semver');
}

const engines: Engines = {};
const loaded = new WeakSet<object>();

/**
 * Loads the engines that a policy needs, or the plain value that one is read from. It must have ended before rules are
 * compiled; each thread loads its own.
 */
export async function loadEngines(policy: unknown): Promise<void> {
  if (typeof policy !== 'object' || policy === null || loaded.has(policy)) return;
  const asked = keysIn(policy);
  if (asked.has('pattern')) await loadPatternEngine();
  if (asked.has('semver')) await loadVersions();
  loaded.add(policy);
}

async function loadPatternEngine(): Promise<void> {
  engines.re2 ??= await import('re2js');
}

/** Loads the comparison of versions. */
export async function loadVersions(): Promise<void> {
  engines.semver ??= (await import('semver')).default;
}

/** Compiles a pattern to a test of a text. Throws an Error of the engine where the pattern is malformed. */
export function compilePattern(pattern: string): (text: string) => boolean {
  if (engines.re2 === undefined) throw new Error('the engine of patterns was not loaded');
  const compiled = engines.re2.RE2JS.compile(pattern);
  return (text) => compiled.matcher(text).find();
}

export function semver(): NonNullable<Engines['semver']> {
  if (engines.semver === undefined) throw new Error('the comparison of versions was not loaded');
  return engines.semver;
}

/** True if a mapping at any depth has the key. */
export function namesKey(value: unknown, key: string): boolean {
  return keysIn(value).has(key);
}

function keysIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, part] of Object.entries(value)) {
    found.add(key);
    keysIn(part, found);
  }
  return found;
}
