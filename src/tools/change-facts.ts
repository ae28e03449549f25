// What the judge is told of an edit: how the file differs.
import { type ConfigFile, factsOf } from '../adapters/index.ts';
import type { FileFacts, SafePath } from '../security/index.ts';

export function changeFacts(path: SafePath, base: ConfigFile, result: ConfigFile): FileFacts {
  return factsOf(base, result, isFilledIn(path));
}

/** Helm fills in each file of `templates`; these endings say it of themselves. */
function isFilledIn({ components }: SafePath): boolean {
  return (
    components.slice(0, -1).includes('templates') ||
    /\.(?:j2|jinja2?|tmpl|gotmpl|tpl)$/iu.test(`${components.at(-1)}`)
  );
}
