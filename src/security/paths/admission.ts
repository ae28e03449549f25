// Decides without the disk whether the agent may know a path at all. The built-in denylist cannot be switched off, the
// operator's denylist comes next, and a path outside the allowlist is closed: it is counted and named, and never opened.

import { ignoring, type Refusal } from '../errors/refusal.ts';
import type { Policy } from '../policy/policy.ts';
import { foldText, isPlainAscii } from '../text/look-alikes.ts';
import { quoted } from '../text/visible.ts';
import { isEnvFile, isOnDenylist } from './denylist.ts';
import { compileAllow, compileDeny, compileFormat, type PathTest } from './operator-pattern.ts';
import { deniedPath, type FormatOf, type SafePath, unreadablePath } from './safe-path.ts';

export class Admission {
  readonly #allows: PathTest;
  readonly #denies: PathTest;
  readonly #isEnvOpen: boolean;
  /** The operator's word for the format of a file. */
  readonly formatOf: FormatOf;

  /** Throws StartError for a pattern that cannot be trusted. */
  constructor(policy: Policy) {
    this.#allows = compileAllow(policy.allow, policy.roots);
    this.#denies = compileDeny(policy.deny, policy.roots);
    this.#isEnvOpen = policy.allowEnv === true;
    const formats = (policy.formats ?? []).map(({ files, format }) => ({
      format,
      matches: compileFormat(files, policy.roots),
    }));
    this.formatOf = (components) => formats.find(({ matches }) => matches(components))?.format;
  }

  /** Throws PATH_DENIED, which says by the name alone what would open the file. */
  requireAdmitted(path: SafePath): void {
    const { components } = path;
    const standing = this.standingOf(components);
    if (standing === 'denied') throw this.#denied(path.toString(), components);
    if (standing === 'closed') throw deniedPath(path.toString(), howToAllow(components));
  }

  isAdmitted(components: readonly string[]): boolean {
    return this.standingOf(components) === 'open';
  }

  /**
   * Returns whether a file is open; or closed, so that another allowlist would open it; or denied. The first `known` components are
   * known to be a folder that is visible.
   */
  standingOf(components: readonly string[], known = 0): 'open' | 'closed' | 'denied' {
    if (!this.isFolderVisible(components, known)) return 'denied';
    return this.#allows(components) ? 'open' : 'closed';
  }

  /** True if a listing may look into a folder; the denylists hold for everything below it. */
  isFolderVisible(components: readonly string[], known = 0): boolean {
    const isDisguise = components.slice(known).some(isDisguised);
    return !isDisguise && !this.#isBuiltIn(components, known) && !this.#denies(components);
  }

  #isBuiltIn(components: readonly string[], known = 0): boolean {
    return isOnDenylist(components, known) || (!this.#isEnvOpen && isEnvFile(components, known));
  }

  #denied(text: string, components: readonly string[]): Refusal {
    const isOfEnv = !isOnDenylist(components) && !this.#denies(components) && isEnvFile(components);
    return isOfEnv ? deniedPath(text, ENV_WAY) : deniedPath(text);
  }

  /** Throws PATH_DENIED for malformed spellings of denied paths as well: "prod//x.yaml" is an attempt at prod/x.yaml. */
  requireNotAttempted(text: string): void {
    if (unreadablePath(text) !== undefined || text.startsWith('/')) return;
    const components = text.split('/').filter((component) => component !== '' && component !== '.');
    const isNamed = components[0]?.startsWith('@') ?? false;
    for (const names of isNamed ? [components, components.slice(1)] : [components])
      if (this.#denies(names) || (!this.#isEnvOpen && isEnvFile(names))) throw this.#denied(text, names);
  }
}

const ENV_WAY = 'files of environment variables are denied unless the operator gives --allow-env';

/** Says which pattern opens a file that is closed only because no pattern allows it. */
function howToAllow(components: readonly string[]): string {
  const name = components.at(-1) ?? '';
  const exact = components.join('/').replace(/[^./](?=[^./]*$)/u, name.includes('.') ? '$&' : '[$&]');
  const globs = [name.replace(/^.*(?=\.)/u, '**/*'), exact];
  const glob = globs.find((one) => ignoring('all', () => compileAllow([one], [])(components)) === true);
  const pattern = glob === undefined ? 'a pattern for it' : `--allow ${quoted(glob)}`;
  return `no --allow names it, and the operator can open it with ${pattern}, beside the patterns that shall stay open`;
}

/** True for a name with dots or slashes of another width, which some file system could take for the plain ones. */
function isDisguised(name: string): boolean {
  return !isPlainAscii(name) && /^\.{1,2}$|[\\/]/u.test(foldText(name));
}
