// Texts for comparing the two readers of YAML.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { EXAMPLES } from '../../../editing/sources.ts';

export interface NamedText {
  readonly id: string;
  readonly text: string;
}

const CORPUS = fileURLToPath(new URL('corpus', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url));
const TABLE = new URL('../../../../tables/yaml-texts.json', import.meta.url);

const Named = z.array(z.object({ why: z.string(), text: z.string() }));
const table = z
  .strictObject({ native: Named, hostile: Named, pieces: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(TABLE, 'utf8')));

/** Every habit of real configuration. The scan reads them itself, and the same as `yaml`. */
export const NATIVE = table.native;
/** Where readers of YAML part ways. The scan may leave what it likes of them to `yaml`; what it reads is the same. */
export const HOSTILE = table.hostile;
/** What means something in YAML, and what some readers take for something else. */
export const PIECES = table.pieces;

/** The examples, and files after what people keep in repositories: one of each kind, with its habits. */
export const REAL: readonly NamedText[] = [
  ...EXAMPLES.filter(({ language }) => language === 'yaml'),
  ...below(CORPUS),
];

/** What other people's packages happen to hold: those that are installed here. */
export function foreignTexts(): readonly NamedText[] {
  return below(PACKAGES);
}

function below(folder: string): NamedText[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((id) => ({ id, text: readFileSync(join(folder, id), 'utf8') }));
}
