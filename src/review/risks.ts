// Names what is dangerous in a change, so that a reviewer reads it first: the rules that the operator has marked, and what opens a
// cluster whatever the rules say. It changes no level; a value that is masked is not looked at.
import type { Change } from '../security/edits/edit.ts';
import { displayLine } from '../security/text/visible.ts';
import type { Preview, PreviewFile } from '../state/preview.ts';
import { namedFiles } from './summary.ts';

/** Returns each risk once, with the files that have it. */
export function risksOf({ rules, files }: Pick<Preview, 'rules' | 'files'>): readonly string[] {
  const marked = rules.flatMap(({ rule, risk, say }) =>
    risk === undefined ? [] : [`Rule ${rule}${say === undefined ? '' : `: ${say}`}`],
  );
  const filesOf = new Map<string, Set<string>>();
  for (const { file, changes, edits } of files)
    for (const risk of changes.flatMap((change) => risksIn(change, edits)))
      filesOf.set(risk, (filesOf.get(risk) ?? new Set()).add(file));
  const found = [...filesOf].map(([risk, named]) => `${risk}: ${namedFiles([...named])}`);
  return [...new Set([...marked, ...found])].map(displayLine);
}

const PRIVILEGED = /privileged["'\]]*\s*:[^\n]{0,40}\b(?:true|yes|on)\b/iu;
const ALL_ADDRESSES = /(?:\.0|:0*)\/0(?!\d)/u;

function risksIn(change: Change, edits: PreviewFile['edits']): readonly string[] {
  const { op, path } = change;
  // What creates a file or renames a key does not say the value.
  const to = op === 'create' ? edits[0]?.insert : op === 'rename' ? 'true' : change.to;
  if (to === undefined) return [];
  const names = (key: string) => path.includes(key) || to.includes(key);
  const isAll = to.trim() === '*' || ['"*"', "'*'"].some((all) => to.includes(all));
  return [
    ...(PRIVILEGED.test(`${path}: ${to}`) ? ['A privileged container'] : []),
    ...(names('hostPath') ? ['A path of the host in a container'] : []),
    ...(['verbs', 'resources', 'apiGroups'].some(names) && isAll ? ['Everything (*) in a role'] : []),
    ...(ALL_ADDRESSES.test(to) ? ['Open to every address'] : []),
  ];
}
