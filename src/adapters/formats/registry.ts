// The languages that config-airlock edits, by file extension. A format is a folder and a line here.
import { Refusal, type SafePath } from '../../security/index.ts';
import type { Syntax } from '../syntax.ts';
import { parseJson } from './json/parse-json.ts';
import { withCache } from './parse-cache.ts';
import { parseWithYaml } from './yaml/parse-with-yaml.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

const YAML: Syntax = withCache({
  name: 'YAML',
  parse: parseYaml,
  parseByOther: parseWithYaml,
});
const JSON_SYNTAX: Syntax = withCache({
  name: 'JSON',
  parse: parseJson,
  parseByOther: parseJson,
});

const BY_EXTENSION: ReadonlyMap<string, Syntax> = new Map([
  ['yaml', YAML],
  ['yml', YAML],
  ['json', JSON_SYNTAX],
]);

/** Of the files that can be read and edited, lower-case and without the dot. */
export const EXTENSIONS: readonly string[] = [...BY_EXTENSION.keys()];

/** Throws UNSUPPORTED_FORMAT. */
export function syntaxOf(path: SafePath): Syntax {
  const syntax = BY_EXTENSION.get(path.extension);
  if (syntax !== undefined) return syntax;
  const known = EXTENSIONS.map((extension) => `.${extension}`).join(', ');
  throw new Refusal('UNSUPPORTED_FORMAT', `Cannot read ${path}: only ${known} files can be read and edited`, {
    file: path.toString(),
  });
}

export const SYNTAXES = { yaml: YAML, json: JSON_SYNTAX } as const;
