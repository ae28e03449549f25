// Makes the data of a reply well-formed Unicode, keys as well: half of a surrogate pair, which a YAML escape can write, is no text
// that all JSON readers accept, and becomes U+FFFD.

export function wellFormed(data: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key.toWellFormed(), member(value)]));
}

function member(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(member);
  return typeof value === 'object' && value !== null ? wellFormed(value) : value;
}
