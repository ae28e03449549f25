// The refusals of values that cannot be used, with a way to send them.
import { type Limits, Refusal, unlessRefused } from '../../security/index.ts';
import type { Format } from '../tree/format.ts';
import { findDuplicateKey } from '../tree/keys.ts';
import { withoutEnd } from '../tree/lines.ts';
import type { Stream } from '../tree/span-tree.ts';

/** Makes the refusal of a text that its format cannot read as a value. */
export function notOneValue(error: Refusal, text: string, format: Format, limits: Limits): Refusal {
  const first = error.clues.problems?.[0];
  const place =
    first === undefined ? '' : ` (line ${first.line}, column ${first.column} of the value: ${first.message})`;
  const reason = `it is not one complete ${format.name} value${place}`;
  return /\{[{%]/.test(text) && format.requireData !== undefined
    ? notWholeWithActions(reason, text, format, limits)
    : invalid(reason, quoted(format.name)).hinting({ wantedFormat: format.name });
}

/** The refusal for a fragment with actions that are not whole: it advises quotes where the whole text is one value. */
function notWholeWithActions(reason: string, text: string, format: Format, limits: Limits): Refusal {
  const source = format.writeScalar(withoutEnd(text, '\n'), {
    style: 'double',
    isFlow: false,
    quotes: () => 'double',
    unit: () => 2,
  });
  if (!isOneText(source, format, limits))
    return new Refusal(
      'TEMPLATE_ACTION',
      `Cannot use this value: the actions of the template in it are not whole: ${reason}`,
      {},
      { advice: WHOLE_ACTIONS },
    );
  const advice = ['Put the text in quotes, its actions included: "a: {{ … }}"', ...WHOLE_ACTIONS.slice(1)];
  const instead = { fields: { value: source }, what: 'Send it as a string, quoted as needed' };
  return new Refusal('VALUE_INVALID', `Cannot use this value: ${reason}`, {}, { advice, instead });
}

function isOneText(source: string, format: Format, limits: Limits): boolean {
  const { documents = [] } = unlessRefused(() => format.parse(`${source}\n`, limits)) ?? {};
  return documents.length === 1 && documents[0]?.root.kind === 'scalar';
}

/** Throws VALUE_INVALID for a repeated key: some readers take the first entry, some the last, and some refuse the file. */
export function requireDistinctKeys(stream: Stream): void {
  const repeated = findDuplicateKey(stream);
  if (repeated === undefined) return;
  throw invalid(
    `its key ${(repeated.path ?? '').replace(/\[#\d+\]$/, '')} stands twice in one mapping (again in line ${repeated.line} of the value)`,
  );
}

const AS_DATA = 'Send plain data in "json" instead of "value": it is quoted as needed';

/** Advises how to quote text. `format` is the name of the file's format. */
function quoted(format: string): readonly string[] {
  return [AS_DATA, `Quote text that is no value of ${format} by itself, or would be read as structure`];
}

const WHOLE_ACTIONS = [
  'Send whole actions: each is closed, and each if, range, with or define has its end in the value',
  'To change only one of them, use op "replace_text" and no path',
];

export function invalid(
  reason: string,
  advice: readonly string[] = [AS_DATA, 'Quote text that would be read as structure'],
): Refusal {
  return new Refusal('VALUE_INVALID', `Cannot use this value: ${reason}`, {}, { advice });
}

export function emptyItem(): Refusal {
  return new Refusal(
    'VALUE_INVALID',
    'Cannot use this value: a list in [ ] can have no empty item',
    {},
    { advice: ['Write null instead'] },
  );
}

/** Makes the refusal of an alias in the place of a node with an anchor. */
export function aliasUnderAnchor(name: string): Refusal {
  return new Refusal(
    'ANCHOR_IN_USE',
    `Cannot put an alias here: the node carries the anchor &${name}, and an alias can have none`,
    {},
    {
      advice: [
        `Set a copy of the value instead of an alias, or give the anchor &${name} to another node first`,
      ],
    },
  );
}
