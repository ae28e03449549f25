// Real texts for comparing the two readers of YAML.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXAMPLES } from '../../../editing/sources.ts';

export interface NamedText {
  readonly id: string;
  readonly text: string;
}

const CORPUS = fileURLToPath(new URL('corpus', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url));

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
