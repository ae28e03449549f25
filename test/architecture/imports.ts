// Which of our own files a file imports, types included.
import { posix } from 'node:path';
import { factsOf } from './facts.ts';

/** What a file imports by a relative path, as paths of the project. */
export function ownImports(file: string, text: string): readonly string[] {
  const specifiers = factsOf(file, text).imports.map(({ specifier }) => specifier ?? '');
  const own = specifiers.filter((specifier) => specifier.startsWith('.'));
  // A worker is named by what it is built to.
  return own.map((specifier) => posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts'));
}
