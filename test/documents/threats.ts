// docs/threat-model.md is true: each row names source files or folders, guarantees and attacks that exist, and every folder
// of the security layer stands in a row.

interface Facts {
  /** Whether a file or folder of the project exists. */
  readonly exists: (path: string) => boolean;
  /** Every folder of src/security, as src/security/… */
  readonly folders: readonly string[];
  /** The ids of docs/guarantees.md. */
  readonly guarantees: readonly string[];
  /** The text of every test, where the ids of attacks stand. */
  readonly tests: string;
}

interface Threat {
  readonly threat: string;
  readonly guard: string;
  readonly held: string;
  readonly attacks: string;
}

/** One line for each breach; empty when the document is true. */
export function threatViolations(document: string, facts: Facts): readonly string[] {
  const threats = threatsIn(document);
  if (threats.length === 0) return ['the document names no threat'];
  const named = threats.flatMap(({ guard }) => pathsIn(guard));
  const missing = facts.folders.filter((folder) => !named.some((path) => path.startsWith(`${folder}/`)));
  return [
    ...threats.flatMap((threat) => breachesOf(threat, facts)),
    ...missing.map((folder) => `${folder} has no row`),
  ];
}

function breachesOf(
  { threat, guard, held, attacks }: Threat,
  { exists, guarantees, tests }: Facts,
): readonly string[] {
  const paths = pathsIn(guard);
  const ids = held.match(/\b[A-Z]{3}-\d+\b/g) ?? [];
  return [
    ...(paths.length === 0 ? [`guarded by nothing: ${threat}`] : []),
    ...paths.filter((path) => !exists(path)).map((path) => `${path} does not exist`),
    ...(ids.length === 0 ? [`no guarantee against: ${threat}`] : []),
    ...ids.filter((id) => !guarantees.includes(id)).map((id) => `${id} is no guarantee`),
    ...(attacks.match(/[A-Z]{4}-\d{3}/g) ?? [])
      .filter((id) => !tests.includes(id))
      .map((id) => `no test tries ${id}`),
  ];
}

function pathsIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([\w.-]+(?:\/[\w./-]*)?)`/g)].map(([, path = '']) => path);
}

/** The rows of all tables with the four columns; heads and rules left out. */
function threatsIn(document: string): readonly Threat[] {
  return document.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [before, threat, guard, held, attacks, after] = cells;
    if (cells.length !== 6 || before !== '' || after !== '' || threat === 'threat') return [];
    if (threat === undefined || guard === undefined || held === undefined || attacks === undefined) return [];
    return /^-+$/.test(threat) ? [] : [{ threat, guard, held, attacks }];
  });
}
