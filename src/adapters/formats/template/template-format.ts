// Templates of YAML: Helm's and others of Go, and Jinja where it is alike. Literal text is read and written as YAML; actions in
// a text are written unchanged.

import { Refusal } from '../../../security/errors/refusal.ts';
import { quotedText } from '../../../security/node-paths/node-path.ts';
import type { Format } from '../../tree/format.ts';
import { type Stream, walk } from '../../tree/span-tree.ts';
import { YAML_FORMAT } from '../yaml/yaml-format.ts';
import { keepsActions, lexActions, mayHoldActions } from './lex-actions.ts';
import { isTemplateReadAlike, NAME, parseTemplate, valuesInTemplate } from './parse-template.ts';

export const TEMPLATE_FORMAT: Format = {
  ...YAML_FORMAT,
  name: NAME,
  parse: parseTemplate,
  reference: isTemplateReadAlike,
  valuesIn: valuesInTemplate,
  requireData: requireNoNewAction,
  writeScalar: (value, place) => {
    const usual = YAML_FORMAT.writeScalar(value, place);
    const staysBlock = (place.style === 'literal' || place.style === 'folded') && /^[|>]/.test(usual);
    return staysBlock ? usual : (withActions(value) ?? usual);
  },
  writeKey: (key, isFlow, quotes) => withActions(key) ?? YAML_FORMAT.writeKey(key, isFlow, quotes),
  isPlainKey: (key, isFlow) => !mayHoldActions(key) && YAML_FORMAT.isPlainKey(key, isFlow),
};

/** YAML that is filled in as a template, even if no action is in it so far. */
export const CHART_FORMAT: Format = {
  ...YAML_FORMAT,
  writeScalar: (value, place) => requireKept(value, YAML_FORMAT.writeScalar(value, place)),
  writeKey: (key, isFlow, quotes) => requireKept(key, YAML_FORMAT.writeKey(key, isFlow, quotes)),
};

function requireKept(value: null | boolean | number | string, written: string): string {
  if (typeof value !== 'string' || keepsActions(value, written)) return written;
  throw new Refusal(
    'TEMPLATE_ACTION',
    'Cannot write this text: YAML would have to escape characters within its actions',
    {},
    { advice: ['Edit the line with op "replace_text" and no path'] },
  );
}

/**
 * Throws for a new action in `json` or a comment, which are data wherever they come from, and must not bring actions that read
 * values or call functions.
 */
function requireNoNewAction(text: string, old: string): void {
  if (!/\{[{%#]/.test(text)) return;
  const lexed = lexActions(text);
  if ('lexemes' in lexed && lexed.lexemes.every(({ start, end }) => old.includes(text.slice(start, end))))
    return;
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot write this text: it holds an action of a template, which would be carried out when the template is filled in',
    {},
    {
      advice: [
        'To have the action, send it in "value", within quotes where it is a text: "{{ … }}"',
        'To have the braces as they are, write {{ "{{" }} for them in "value"; or leave them out of a comment',
      ],
    },
  );
}

/** Writes a text in double quotes, in which its actions are not escaped; undefined for a text without any. */
function withActions(value: null | boolean | number | string): string | undefined {
  if (typeof value !== 'string' || !mayHoldActions(value)) return undefined;
  const lexed = lexActions(value);
  if ('message' in lexed || lexed.lexemes.length === 0) return quotedText(value);
  let written = '';
  let at = 0;
  for (const { start, end } of lexed.lexemes) {
    written += quotedText(value.slice(at, start)).slice(1, -1) + value.slice(start, end);
    at = end;
  }
  return `"${written}${quotedText(value.slice(at)).slice(1, -1)}"`;
}

/** True if YAML can read the text as well, and no action is structure: each action is then within a text, and the file is read as YAML first. */
export function isYamlAsWell({ documents, actions = [], comments }: Stream): boolean {
  if (actions.some(({ isHidden }) => isHidden)) return false;
  const starts = new Set<number>();
  for (const { root } of documents)
    for (const node of walk(root))
      if (node.kind === 'scalar' && node.style === 'plain') starts.add(node.start);
  let comment = 0;
  return actions.every(({ start, block }) => {
    while ((comments[comment]?.end ?? Number.POSITIVE_INFINITY) <= start) comment += 1;
    const isCommented = (comments[comment]?.start ?? Number.POSITIVE_INFINITY) < start;
    return isCommented ? block === undefined : !starts.has(start);
  });
}
