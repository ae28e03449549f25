// The call that sends as a text what was no value of its format.
import type { Refusal } from '../../security/index.ts';
import { type Call, editsOf, type RecoveryStep } from './steps.ts';

/** The same text, sent so that it is quoted as needed; with the actions of a template that only `value` may bring. */
export function asJson(call: Call, { asText: source }: Refusal['clues']): RecoveryStep | undefined {
  const { tool, args } = call;
  const edits = editsOf(call);
  const edit = tool === 'config_edit' && edits.length === 1 ? edits[0] : args;
  if (typeof edit !== 'object' || edit === null || !('value' in edit)) return undefined;
  const { value, ...rest } = edit;
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  // It would replace the whole document by a text.
  const path = 'path' in edit ? edit.path : '';
  if (path === '' || path === '$' || path === '.') return undefined;
  const asText = source === undefined ? { ...rest, json: value } : { ...rest, value: source };
  return {
    do: 'Preview it as a string, quoted as needed',
    tool,
    arguments: edit === args ? { ...asText, dry_run: true } : { ...args, edits: [asText], dry_run: true },
  };
}
