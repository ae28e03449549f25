// docs/guarantees.md promises nothing that no test holds: each guarantee has an id, and the id stands in the names of its tests.
import { parseSync, Visitor } from 'oxc-parser';

export interface Guarantee {
  readonly id: string;
  readonly statement: string;
  /** The heading that it stands under. */
  readonly area: string;
}

/** Files of tests with their text. */
export type TestSources = ReadonlyMap<string, string>;

const ID = /\b[A-Z]{3}-\d+\b/;
const MARK = new RegExp(`\\[(${ID.source})\\]`, 'g');

/** The bullets `- **ID: statement** details`, in their order. */
export function guaranteesIn(document: string): readonly Guarantee[] {
  const guarantees: Guarantee[] = [];
  for (const section of document.split(/^## /m).slice(1)) {
    const area = section.slice(0, section.indexOf('\n'));
    for (const [, id = '', statement = ''] of section.matchAll(/^- \*\*([A-Z]{3}-\d+): (.+?)\*\*/gms))
      guarantees.push({ id, statement: statement.replaceAll(/\s+/g, ' ').replace(/\.$/, ''), area });
  }
  return guarantees;
}

/** One line for each breach; empty when every guarantee has a test, and every id of a test or a document a guarantee. */
export function guaranteeViolations(
  guarantees: readonly Guarantee[],
  tests: TestSources,
  citing: readonly string[],
): readonly string[] {
  if (guarantees.length === 0) return ['the document guarantees nothing'];
  const known = guarantees.map(({ id }) => id);
  const held = new Set([...tests].flatMap(([file, source]) => idsOfTests(file, source)));
  const cited = citing.flatMap((text) => [...text.matchAll(MARK)].map(([, id = '']) => id));
  return [
    ...known.filter((id, index) => known.indexOf(id) !== index).map((id) => `${id} stands there twice`),
    ...known.filter((id) => !held.has(id)).map((id) => `${id} is held by no test`),
    ...[...new Set([...held, ...cited])]
      .filter((id) => !known.includes(id))
      .map((id) => `${id} is no guarantee`),
  ];
}

/** The table of SECURITY.md: each promise with the ids of its details. */
export function promiseTable(guarantees: readonly Guarantee[]): string {
  const promises = [...new Set(guarantees.map(({ area }) => area))];
  const idsOf = (promise: string) => guarantees.filter(({ area }) => area === promise).map(({ id }) => id);
  const rows = promises.map((promise) => `| ${promise} | ${idsOf(promise).join(', ')} |\n`);
  return `| promise | ids |\n|---|---|\n${rows.join('')}`;
}

/** The ids in the names of a file's tests and groups; tests that are skipped or still to be written hold nothing. */
function idsOfTests(file: string, source: string): readonly string[] {
  if (!ID.test(source)) return [];
  const ids: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      const words = source.slice(callee.start, callee.end);
      if (!/^(it|test|describe)\b/.test(words) || /^\w+\.(skip|todo)\b/.test(words)) return;
      if (title?.type !== 'Literal' || typeof title.value !== 'string') return;
      ids.push(...[...title.value.matchAll(MARK)].map(([, id = '']) => id));
    },
  }).visit(parseSync(file, source).program);
  return ids;
}
