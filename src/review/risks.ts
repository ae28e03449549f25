// Names what is dangerous in a change, so that a reviewer reads it first: the rules that the operator has marked, and what opens a
// cluster whatever the rules say. It changes no level; a value that is masked is not looked at.
import { dataChanges } from '../adapters/index.ts';
import { type Change, displayLine, type Preview } from '../security/index.ts';
import { namedFiles } from './summary.ts';

/** Returns each risk once, with the files that have it. */
export function risksOf({ rules, files }: Pick<Preview, 'rules' | 'files'>): readonly string[] {
  const marked = rules.flatMap(({ rule, risk, say }) =>
    risk === undefined ? [] : [`Rule ${rule}${say === undefined ? '' : `: ${say}`}`],
  );
  const filesOf = new Map<string, Set<string>>();
  for (const { file, changes } of files)
    for (const risk of dataChanges(changes).flatMap(risksIn))
      filesOf.set(risk, (filesOf.get(risk) ?? new Set()).add(file));
  const found = [...filesOf].map(([risk, named]) => `${risk}: ${namedFiles([...named])}`);
  return [...new Set([...marked, ...found])].map(displayLine);
}

function risksIn({ path, to }: Change): readonly string[] {
  if (to === undefined) return [];
  const names = (key: string) => path.includes(key) || to.includes(key);
  const isAll = to.trim() === '*' || ['"*"', "'*'"].some((all) => to.includes(all));
  const isTrue = /\btrue\b/u.test(to);
  return [
    ...(names('privileged') && isTrue ? ['A privileged container'] : []),
    ...(names('hostPath') ? ['A path of the host in a container'] : []),
    ...(['verbs', 'resources', 'apiGroups'].some(names) && isAll ? ['Everything (*) in a role'] : []),
    ...(['0.0.0.0/0', '::/0'].some((cidr) => to.includes(cidr)) ? ['Open to every address'] : []),
  ];
}
