// Reply data in well-formed Unicode, keys as well: half of a surrogate pair becomes U+FFFD, as in the text.

export function wellFormed(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  // JSON.stringify spells what is not well-formed as \udXXX: nearly always there is none, and this is cheap.
  return /\\ud[89a-f]/.test(JSON.stringify(data)) ? mendedEntries(data) : data;
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(mended);
  return typeof value === 'object' && value !== null ? mendedEntries(value) : value;
}

function mendedEntries(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), mended(member)]),
  );
}
