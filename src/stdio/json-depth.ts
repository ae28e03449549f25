// How deep JSON text nests, counted over its brackets without parsing and without recursion. Exact
// for valid JSON; for anything else only an answer that does no harm.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// "[" and "{", "]" and "}" differ in one bit, which is all that counting them needs.
const CASE_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

export function isDeeperThan(limit: number, json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (inString) {
      if (unit === BACKSLASH) at++;
      else if (unit === QUOTE) inString = false;
    } else if (unit === QUOTE) inString = true;
    else if ((unit | CASE_BIT) === OPEN) {
      if (++depth > limit) return true;
    } else if ((unit | CASE_BIT) === CLOSE) depth--;
  }
  return false;
}
