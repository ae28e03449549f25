// The files that tests edit: the examples, the official suite, realistic TOML, and generated ones.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refusalOf } from '../../harness/refusals.ts';
import { VALID_SUITE } from '../../harness/yaml-suite.ts';
import { generateJsonc } from '../formats/jsonc/generate-jsonc.ts';
import { type Language, parse } from './attempt.ts';
import { generateYaml } from './generate-yaml.ts';

export interface Source {
  readonly id: string;
  readonly text: string;
  readonly language: Language;
}

const EXAMPLES_DIR = fileURLToPath(new URL('../../../examples', import.meta.url));

export const EXAMPLES: readonly Source[] = readdirSync(EXAMPLES_DIR, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:ya?ml|json)$/.test(name))
  .sort()
  .flatMap((name) => {
    const text = readFileSync(join(EXAMPLES_DIR, name), 'utf8');
    if (!name.endsWith('.json')) return [{ id: name, text, language: 'yaml' }];
    const minified = JSON.stringify(JSON.parse(text));
    return [
      { id: name, text, language: 'json' },
      { id: `${name} minified`, text: minified, language: 'json' },
      { id: `${name} as YAML`, text: minified, language: 'yaml' },
    ];
  });

/** Those that are read by keys. */
export const SUITE_SOURCES: readonly Source[] = VALID_SUITE.filter(
  ({ text }) => refusalOf(() => parse(text)) === undefined,
).map(({ id, text }) => ({ id, text, language: 'yaml' }));

const TOML_DIR = new URL('../formats/toml/corpus/', import.meta.url);

/** Each as it is, with CRLF, and without its last line break. */
export const TOML_SOURCES: readonly Source[] = readdirSync(TOML_DIR).flatMap((id): Source[] => {
  const text = readFileSync(new URL(id, TOML_DIR), 'utf8');
  const texts = [text, text.replaceAll('\n', '\r\n'), text.trimEnd()];
  return texts.map((each) => ({ id, text: each, language: 'toml' }));
});

export function generatedJsonc(seed: number): Source {
  return { id: `generated JSONC ${seed}`, text: generateJsonc(seed), language: 'jsonc' };
}

export function generated(seed: number): Source {
  return { id: `generated ${seed}`, text: generateYaml(seed, 1 + (seed % 4)), language: 'yaml' };
}
