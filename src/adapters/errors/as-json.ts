// The call that sends a value anew which was no value of the file's format: as a text, or YAML in the words of that format.
import type { Refusal } from '../../security/index.ts';
import { type Call, editsOf, type RecoveryStep } from './steps.ts';

/** The same text, sent so that it is quoted as needed; with the actions of a template that only `value` may bring. */
export function asJson(call: Call, { clues, where }: Refusal): RecoveryStep | undefined {
  const { tool, args } = call;
  const edits = editsOf(call);
  const at = where.edit_index ?? 0;
  const edit = tool === 'config_edit' ? edits[at] : args;
  if (typeof edit !== 'object' || edit === null || !('value' in edit)) return undefined;
  const { value, ...rest } = edit;
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  const send = (what: string, changed: object): RecoveryStep => ({
    do: what,
    tool,
    arguments:
      edit === args
        ? { ...changed, dry_run: true }
        : { ...args, edits: edits.map((one, index) => (index === at ? changed : one)), dry_run: true },
  });
  const { translated, asText: source } = clues;
  if (translated !== undefined)
    return send(`Preview it in ${translated.format}`, { ...rest, value: translated.value });
  // It would replace the whole document by a text.
  const path = 'path' in edit ? edit.path : '';
  if (path === '' || path === '$' || path === '.') return undefined;
  const asText = source === undefined ? { ...rest, json: value } : { ...rest, value: source };
  return send('Preview it as a string, quoted as needed', asText);
}
