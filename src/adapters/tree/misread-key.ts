// What a key of a node path without quotes could be taken for, in a rule of the operator: a rule about such a key would hold nowhere in
// silence.
import { quoted } from '../../security/index.ts';

/** Why it is not what it looks like, or undefined. */
export function misreadKey(key: string): string | undefined {
  return /[*?{},&]|^\s|\s$/u.test(key)
    ? `${quoted(key)} is a key as it stands here; * and ** are whole parts of a path, and a key with such characters is written ["…"]`
    : undefined;
}
