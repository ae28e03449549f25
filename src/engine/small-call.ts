// Which calls may be tried in the thread that hears the client: those that read or preview named files and say
// little. Walks over folders, and whatever writes, are never among them.
import type { Call } from './engine.ts';

/** Each by the files that it names; all of them keep to the limits of the policy that they are given. */
const OF_NAMED_FILES = new Set(['config_get', 'config_validate', 'config_set', 'config_edit']);
const MOST_CHARS = 30_000;
const MOST_PARTS = 2_000;

export function isSmallCall(call: Call): boolean {
  return isLookOnly(call) && new Measure().isSmall(call.args);
}

/** Whether it changes none of the files that it names, whatever happens. */
export function isLookOnly({ tool, args }: Call): boolean {
  return OF_NAMED_FILES.has(tool) && args['dry_run'] !== false;
}

/** Stops as soon as it is too much, so that it takes no time to speak of. */
class Measure {
  #chars = MOST_CHARS;
  #parts = MOST_PARTS;

  isSmall(value: unknown): boolean {
    if (--this.#parts < 0) return false;
    if (typeof value === 'string') return this.#fits(value);
    if (typeof value !== 'object' || value === null) return true;
    if (Array.isArray(value)) return value.length <= this.#parts && value.every((item) => this.isSmall(item));
    for (const name in value) if (!this.#fits(name)) return false;
    return Object.values(value).every((item) => this.isSmall(item));
  }

  #fits(text: string): boolean {
    this.#chars -= text.length;
    return this.#chars >= 0;
  }
}
