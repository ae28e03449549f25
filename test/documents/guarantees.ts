// SECURITY.md promises nothing that no test holds: each guarantee names a test file and a test's name.
import { parseSync, Visitor } from 'oxc-parser';

/** One line for each breach; empty when every guarantee names tests that exist. `sourceOf`: undefined where there is no such file. */
export function guaranteeViolations(
  document: string,
  sourceOf: (file: string) => string | undefined,
): readonly string[] {
  const guarantees = guaranteesIn(document);
  const breaches = guarantees.length === 0 ? ['the document guarantees nothing'] : [];
  for (const guarantee of guarantees) {
    const holders = [...guarantee.matchAll(/`(test\/[^`]+\.test\.ts)`: "([^"]+)"/g)];
    if (holders.length === 0) breaches.push(`held by no test: ${guarantee.slice(0, 60)}`);
    for (const [, file = '', name = ''] of holders) {
      const source = sourceOf(file);
      if (source === undefined) breaches.push(`${file} does not exist`);
      else if (!testNames(file, source).has(name)) breaches.push(`${file} has no test "${name}"`);
    }
  }
  return breaches;
}

/** The bullets under "## Guarantees", each on one line. */
function guaranteesIn(document: string): readonly string[] {
  const section = /^## Guarantees\n(.*?)(?=^## |(?![\s\S]))/ms.exec(document)?.[1] ?? '';
  const bullets = section.split(/^(?=- )/m).filter((bullet) => bullet.startsWith('- '));
  return bullets.map((bullet) => bullet.replace(/\s+/g, ' ').trim());
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
