// Suggests a way round the refusal to edit what an alias stands for, so that only this place changes. The alias becomes a mapping
// that merges the anchored one; what is edited below it is copied there, and then the same edit follows.
import type { Refusal } from '../../security/index.ts';
import { again, askedFor, type Call, editsOf, type RecoveryStep } from './steps.ts';

/** The operations on a part as a whole; where they take it away, a merge would bring it again. */
const TAKING = ['delete', 'rename', 'move', 'copy'];

/** Returns the steps; empty if no merge can say what is meant. */
export function withOwnValue({ clues, where }: Refusal, call: Call): RecoveryStep[] {
  const { alias, existingPath: path } = clues;
  const asked = askedFor(call, where.edit_index);
  const { op = 'set', file, doc } = asked;
  const isWriting = call.tool === 'config_set' || call.tool === 'config_edit';
  if (alias === undefined || path === undefined || !isWriting || file !== where.file) return [];
  const { name, isLast, source } = alias;
  if (TAKING.includes(String(op)) && (isLast || op === 'move' || op === 'copy')) return [];
  const isCopied = source !== undefined && !(isLast && op === 'set');
  const place = { file, ...(doc === undefined ? {} : { doc }) };
  const own = [
    { op: 'set', ...place, path, value: `<<: *${name}` },
    ...(isCopied ? [{ op: 'copy', ...place, path: source, to: path }] : []),
  ];
  return [
    again({ tool: 'config_edit', args: argsWith(own, where.edit_index ?? 0, call) }, `For ${path} only`),
  ];
}

/** Returns the arguments of the call as a batch, with edits before the refused one. */
function argsWith(added: readonly unknown[], index: number, call: Call): Readonly<Record<string, unknown>> {
  const edits = editsOf(call);
  if (edits.length > 0)
    return { ...call.args, edits: [...edits.slice(0, index), ...added, ...edits.slice(index)] };
  const { file, path, doc, value, json, create, if_missing: isOnlyMissing, ...others } = call.args;
  const all = { op: 'set', file, path, doc, value, json, create, if_missing: isOnlyMissing };
  const set = Object.fromEntries(Object.entries(all).filter(([, field]) => field !== undefined));
  return { ...others, edits: [...added, set] };
}
