// Which files can be read and edited, and in which format: apart from the formats, so that a server can start, and list
// its tools, before a parser is loaded.

/** By extension, lower-case and without the dot. */
export const FORMAT_NAMES: ReadonlyMap<string, 'yaml' | 'json'> = new Map([
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
  ['json', 'json'],
]);

export const EXTENSIONS: readonly string[] = [...FORMAT_NAMES.keys()];

/** The files that exist for an agent unless the operator says otherwise. */
export const DEFAULT_ALLOW: readonly string[] = [`**/*.{${EXTENSIONS.join(',')}}`];
