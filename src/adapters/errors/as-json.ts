// Makes the call that sends a value again which was not valid in the file's format: as a text, or as YAML translated to that
// format.
import type { Refusal } from '../../security/index.ts';
import { corrected } from './corrected-call.ts';
import { askedFor, type Call, type RecoveryStep } from './steps.ts';

/** Answers the call with the value as a quoted text; with the actions of a template, which only `value` may bring, as source. */
export function asJson(call: Call, { clues, where }: Refusal): RecoveryStep | undefined {
  const { edit_index: index } = where;
  const { value, path = '' } = askedFor(call, index);
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  const asPreview = { ...call, args: { ...call.args, dry_run: true } };
  const { translated, asText: source } = clues;
  if (translated !== undefined)
    return corrected({ value: translated.value }, index, asPreview, `Preview it in ${translated.format}`);
  // A text at the root would replace the whole document.
  if (path === '' || path === '$' || path === '.') return undefined;
  const asText = source === undefined ? { value: undefined, json: value } : { value: source };
  return corrected(asText, index, asPreview, 'Preview it as a string, quoted as needed');
}
