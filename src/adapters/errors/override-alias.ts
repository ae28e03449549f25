// The call that gives one consumer of an anchor a value of its own: a mapping that merges what the alias means.
import type { Refusal } from '../../security/index.ts';
import { quotedText } from '../tree/node-path.ts';
import { type Call, previewed, type RecoveryStep } from './steps.ts';

/** Nothing where the call sets no single key below the alias, or a value of several lines. */
export function overrideAlias({ clues, where }: Refusal, call: Call): RecoveryStep[] {
  const { alias, existingPath: path } = clues;
  const { edits } = call.args;
  const at = where.edit_index ?? 0;
  const edit = Array.isArray(edits) ? Object(edits[at]) : call.args;
  const isSet = call.tool === 'config_set' || edit.op === 'set';
  const value: unknown = typeof edit.value === 'string' ? edit.value : sourceOf(edit.json);
  if (alias === undefined || path === undefined || !isSet) return [];
  if (typeof value !== 'string' || value.includes('\n')) return [];
  const key = /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(alias.key) ? alias.key : quotedText(alias.key);
  const { json: _, ...rest } = edit;
  const own = { ...rest, path, value: `<<: *${alias.name}\n${key}: ${value}` };
  const args = Array.isArray(edits)
    ? { ...call.args, edits: edits.map((other, i) => (i === at ? own : other)) }
    : own;
  return [previewed({ ...call, args }, `For ${path} only`)];
}

/** A word that is a text for every reader needs no quotes. The formats, which know of more, are not loaded at a start. */
function sourceOf(json: unknown): string | undefined {
  const isWord = typeof json === 'string' && /^[a-z][a-z0-9_./-]*$/iu.test(json);
  return isWord && !/^(?:true|false|yes|no|on|off|null|y|n)$/iu.test(json) ? json : JSON.stringify(json);
}
