// Decides whether a text of several lines is a configuration, because then each of its lines is checked for secrets by itself.

/** Matches a line: a comment, a section, a mark of a document, a bracket, an item, an action of a template, or a key with its value. */
const LINE =
  /^\s*(?:[#;].*|\/\/.*|\[.*\]|---(?:\s.*)?|[{}[\]]+,?|- .*|\{\{.*\}\}|(?:export +)?["']?[A-Za-z_][\w.$/-]{0,80}["']?(?:\s*=>?.*|:|:\s.*))?\s*$/u;

const CERTIFICATE = /^[ \t]*-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----[ \t\r]*$/gmu;

/** True for a configuration. `text` has nothing before its first line. Certificates in it are ignored, because they are public. */
export function isConfigText(text: string): boolean {
  const rest = text.replaceAll(CERTIFICATE, '# a certificate\n#');
  const lines = rest.split('\n').filter((line) => line.trim() !== '');
  // A Docker configuration is excluded, because it keeps `user:password` in base64 below "auths".
  return lines.length > 1 && !text.includes('"auths"') && lines.every((line) => LINE.test(line));
}
