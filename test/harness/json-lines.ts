// Lines of JSON, as a log or an audit trail holds them.

type Line = Record<string, unknown>;

export function jsonLines(text: string): Line[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line): Line => JSON.parse(line));
}
