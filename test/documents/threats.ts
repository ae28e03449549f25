// docs/threat-model.md is true: each row names source files and tests that exist and attacks that are
// tried, and no file of the security room is without a row.
import { brokenHolders, type SourceOf } from './test-names.ts';

interface Ground {
  readonly sourceOf: SourceOf;
  /** Every file of src/security, as src/security/… */
  readonly guards: readonly string[];
  /** The text of every test, where the ids of attacks stand. */
  readonly tests: string;
}

interface Threat {
  readonly threat: string;
  readonly guard: string;
  readonly test: string;
  readonly attacks: string;
}

/** A threat that nothing meets yet says so in the place of its test, with the issue that will. */
const NOT_YET = /^not yet: issue \d+$/;

/** One line for each breach; empty when the document is true. */
export function threatViolations(document: string, { sourceOf, guards, tests }: Ground): readonly string[] {
  const threats = threatsIn(document);
  if (threats.length === 0) return ['the document names no threat'];
  const named = new Set(threats.flatMap(({ guard }) => filesIn(guard)));
  const bare = guards.filter((file) => !named.has(file)).map((file) => `${file} has no row`);
  return [...threats.flatMap((threat) => breachesOf(threat, sourceOf, tests)), ...bare];
}

function breachesOf(
  { threat, guard, test, attacks }: Threat,
  sourceOf: SourceOf,
  tests: string,
): readonly string[] {
  const isMet = !NOT_YET.test(test);
  const files = filesIn(guard);
  const breaches = files
    .filter((file) => sourceOf(file) === undefined)
    .map((file) => `${file} does not exist`);
  if (isMet && files.length === 0) breaches.push(`guarded by no file: ${threat}`);
  if (isMet) breaches.push(...(brokenHolders(test, sourceOf) ?? [`held by no test: ${threat}`]));
  const untried = [...attacks.matchAll(/[A-Z]{4}-\d{3}/g)].filter(([id]) => isMet && !tests.includes(id));
  return [...breaches, ...untried.map(([id]) => `no test tries ${id}`)];
}

function filesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([\w./-]+\.(?:ts|json))`/g)].map(([, file = '']) => file);
}

/** The rows of all tables with the four columns; heads and rules left out. */
function threatsIn(document: string): readonly Threat[] {
  return document.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [before, threat, guard, test, attacks, after] = cells;
    if (cells.length !== 6 || before !== '' || after !== '' || threat === 'threat') return [];
    if (threat === undefined || guard === undefined || test === undefined || attacks === undefined) return [];
    return /^-+$/.test(threat) ? [] : [{ threat, guard, test, attacks }];
  });
}
