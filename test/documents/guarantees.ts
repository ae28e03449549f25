// SECURITY.md promises nothing that no test holds: each guarantee names a test file and a test's name.
import { brokenHolders, type SourceOf } from './test-names.ts';

/** One line for each breach; empty when every guarantee names tests that exist. */
export function guaranteeViolations(document: string, sourceOf: SourceOf): readonly string[] {
  const guarantees = guaranteesIn(document);
  if (guarantees.length === 0) return ['the document guarantees nothing'];
  return guarantees.flatMap(
    (guarantee) => brokenHolders(guarantee, sourceOf) ?? [`held by no test: ${guarantee.slice(0, 60)}`],
  );
}

/** The bullets under "## Guarantees", each on one line. */
function guaranteesIn(document: string): readonly string[] {
  const section = /^## Guarantees\n(.*?)(?=^## |(?![\s\S]))/ms.exec(document)?.[1] ?? '';
  const bullets = section.split(/^(?=- )/m).filter((bullet) => bullet.startsWith('- '));
  return bullets.map((bullet) => bullet.replace(/\s+/g, ' ').trim());
}
