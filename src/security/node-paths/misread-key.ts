// Finds keys without quotes in a node path that could be misread in a rule of the operator, because a rule about such a key
// would silently never hold.
import { quoted } from '../text/visible.ts';

/** Returns why it could be misread, or undefined. */
export function misreadKey(key: string): string | undefined {
  return /[*?{},&]|^\s|\s$/u.test(key)
    ? `${quoted(key)} is a key as it stands here; * and ** are whole parts of a path, and a key with such characters is written ["…"]`
    : undefined;
}
