// JSON in ASCII.

/** The same JSON, and nothing in it that a terminal would obey. */
export function asciiJson(json: string): string {
  return json.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
