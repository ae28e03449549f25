// The project's own files, read once for each test that looks at them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const PROJECT = new URL('../../', import.meta.url);

/** File (posix, relative to the project) → its text, in the order of names. */
export function filesIn(folder: string, ending = /\.ts$/u): Map<string, string> {
  if (!existsSync(new URL(folder, PROJECT))) return new Map();
  const names = readdirSync(new URL(folder, PROJECT), { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
  return new Map(
    files
      .filter((file) => ending.test(file))
      .sort()
      .map((file) => [file, textOf(file)]),
  );
}

function textOf(file: string): string {
  return readFileSync(new URL(file, PROJECT), 'utf8');
}

/** Undefined where there is no such file. */
export function jsonIn(file: string): unknown {
  return existsSync(new URL(file, PROJECT)) ? JSON.parse(textOf(file)) : undefined;
}
