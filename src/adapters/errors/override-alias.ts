// Makes the call that gives one user of an anchor a value of its own: a mapping that merges the meaning of the alias.
import type { Refusal } from '../../security/index.ts';
import { quotedText } from '../tree/node-path.ts';
import { corrected } from './corrected-call.ts';
import { askedFor, type Call, type RecoveryStep } from './steps.ts';

/** Answers the steps; empty where the call sets no single key below the alias, or a value of several lines. */
export function overrideAlias({ clues, where }: Refusal, call: Call): RecoveryStep[] {
  const { alias, existingPath: path } = clues;
  const { op, value: source, json } = askedFor(call, where.edit_index);
  const isSet = call.tool === 'config_set' || op === 'set';
  const value = typeof source === 'string' ? source : sourceOf(json);
  if (alias === undefined || path === undefined || !isSet) return [];
  if (value === undefined || value.includes('\n')) return [];
  const key = /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(alias.key) ? alias.key : quotedText(alias.key);
  const own = { json: undefined, path, value: `<<: *${alias.name}\n${key}: ${value}` };
  return [corrected(own, where.edit_index, call, `For ${path} only`)];
}

/** A word that is a text for every reader needs no quotes. The formats, which know of more, are not loaded at a start. */
function sourceOf(json: unknown): string | undefined {
  const isWord = typeof json === 'string' && /^[a-z][a-z0-9_./-]*$/iu.test(json);
  return isWord && !/^(?:true|false|yes|no|on|off|null|y|n)$/iu.test(json) ? json : JSON.stringify(json);
}
