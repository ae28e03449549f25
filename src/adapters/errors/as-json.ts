// The call that sends a value anew which was no value of the file's format: as a text, or YAML in the words of that format.
import type { Refusal } from '../../security/index.ts';
import { corrected } from './corrected-call.ts';
import { askedFor, type Call, type RecoveryStep } from './steps.ts';

/** The same text, sent so that it is quoted as needed; with the actions of a template that only `value` may bring. */
export function asJson(call: Call, { clues, where }: Refusal): RecoveryStep | undefined {
  const { edit_index: index } = where;
  const { value, path = '' } = askedFor(call, index);
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  const asPreview = { ...call, args: { ...call.args, dry_run: true } };
  const { translated, asText: source } = clues;
  if (translated !== undefined)
    return corrected({ value: translated.value }, index, asPreview, `Preview it in ${translated.format}`);
  // It would replace the whole document by a text.
  if (path === '' || path === '$' || path === '.') return undefined;
  const asText = source === undefined ? { value: undefined, json: value } : { value: source };
  return corrected(asText, index, asPreview, 'Preview it as a string, quoted as needed');
}
