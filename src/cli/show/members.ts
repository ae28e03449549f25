// Reads members of a tool's answer, each of which may be missing or of another type.

export function textIn(value: unknown, name: string): string | undefined {
  const found = memberOf(value, name);
  return typeof found === 'string' ? found : undefined;
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const found = memberOf(value, name);
  return Array.isArray(found) ? found : [];
}

export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
