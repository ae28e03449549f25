// What a document may call a holder of its promises: `test/<file>.test.ts`: "<name>".
import { parseSync, Visitor } from 'oxc-parser';

/** The text of a file by its path from the home of the project; undefined where there is none. */
export type SourceOf = (file: string) => string | undefined;

/** One line for each test that `text` names and that does not exist; undefined where it names none. */
export function brokenHolders(text: string, sourceOf: SourceOf): readonly string[] | undefined {
  const holders = [...text.matchAll(/`(test\/[^`]+\.test\.ts)`: "([^"]+)"/g)];
  if (holders.length === 0) return undefined;
  return holders.flatMap(([, file = '', name = '']) => {
    const source = sourceOf(file);
    if (source === undefined) return [`${file} does not exist`];
    return testNames(file, source).has(name) ? [] : [`${file} has no test "${name}"`];
  });
}

/** The names of a file's tests and groups as written, placeholders included; skipped and todo tests do not count. */
function testNames(file: string, source: string): ReadonlySet<string> {
  const names = new Set<string>();
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      const words = source.slice(callee.start, callee.end);
      if (!/^(it|test|describe)\b/.test(words) || /^\w+\.(skip|todo)\b/.test(words)) return;
      if (title?.type === 'Literal' && typeof title.value === 'string') names.add(title.value);
    },
  }).visit(parseSync(file, source).program);
  return names;
}
