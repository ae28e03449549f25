// Decides without the disk whether the agent may know a path at all. The built-in denylist cannot be switched off, the
// operator's denylist comes next, and a path outside the allowlist does not exist.

import type { Policy } from '../policy/policy.ts';
import { foldText, isPlainAscii } from '../text/fold.ts';
import { isOnDenylist } from './denylist.ts';
import { compileAllow, compileDeny, type PathTest } from './operator-pattern.ts';
import { deniedPath, type SafePath, unreadablePath } from './safe-path.ts';

export class Admission {
  readonly #allows: PathTest;
  readonly #denies: PathTest;

  /** Throws StartError for a pattern that cannot be trusted. */
  constructor(policy: Policy) {
    this.#allows = compileAllow(policy.allow, policy.roots);
    this.#denies = compileDeny(policy.deny, policy.roots);
  }

  /** Throws PATH_DENIED, in the same words whatever the reason is and whether the file exists or not. */
  requireAdmitted(path: SafePath): void {
    if (!this.isAdmitted(path.components)) throw deniedPath(path.toString());
  }

  isAdmitted(components: readonly string[]): boolean {
    return this.standingOf(components) === 'open';
  }

  /**
   * Returns whether a file is open; or closed, so that another allowlist would open it; or denied. The first `known` components are
   * known to be a folder that is visible.
   */
  standingOf(components: readonly string[], known = 0): 'open' | 'closed' | 'denied' {
    if (components.slice(known).some(isDisguised) || !this.isFolderVisible(components, known))
      return 'denied';
    return this.#allows(components) ? 'open' : 'closed';
  }

  /** True where a listing may look into a folder; the denylists hold for everything below it. */
  isFolderVisible(components: readonly string[], known = 0): boolean {
    return !isOnDenylist(components, known) && !this.#denies(components);
  }

  /** Throws PATH_DENIED for malformed spellings of denied paths as well: "prod//x.yaml" is an attempt at prod/x.yaml. */
  requireNotAttempted(text: string): void {
    if (unreadablePath(text) !== undefined || text.startsWith('/')) return;
    const components = text.split('/').filter((component) => component !== '' && component !== '.');
    const isNamed = components[0]?.startsWith('@') ?? false;
    const isDenied = this.#denies(components) || (isNamed && this.#denies(components.slice(1)));
    if (isDenied) throw deniedPath(text);
  }
}

/** True for a name with dots or slashes of another width, which some file system could take for the plain ones. */
function isDisguised(name: string): boolean {
  return !isPlainAscii(name) && /^\.{1,2}$|[\\/]/u.test(foldText(name));
}
