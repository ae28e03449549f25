// Tells the judge how a file differs.
import { type ConfigFile, factsOf } from '../adapters/index.ts';
import type { FileFacts, SafePath } from '../security/index.ts';

export function changeFacts(path: SafePath, base: ConfigFile, result: ConfigFile): FileFacts {
  return factsOf(base, result, isFilledIn(path));
}

/** True for a template: Helm fills in each file in `templates`, and these endings say it themselves. */
function isFilledIn({ components }: SafePath): boolean {
  return (
    components.slice(0, -1).includes('templates') ||
    /\.(?:j2|jinja2?|tmpl|gotmpl|tpl)$/iu.test(`${components.at(-1)}`)
  );
}
