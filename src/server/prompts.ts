// Serves the prompts: three texts that lead a model through the tools for a task. The tools check what a prompt names.
import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { quoted } from '../security/text/visible.ts';

type PromptArguments = Readonly<Record<string, string>>;

interface PromptDefinition extends Prompt {
  readonly text: (given: PromptArguments) => string;
}

const FILE = { name: 'file', description: 'A file, relative to the root', required: true };

const PROMPTS: readonly PromptDefinition[] = [
  {
    name: 'review_change',
    title: 'Review a change',
    description: 'Explains what a preview or a change does, and what could go wrong.',
    arguments: [{ name: 'id', description: 'A preview_id or a change_id', required: true }],
    text: ({ id = '' }) =>
      `Review ${quoted(id)}. Call config_history with it as ${id.startsWith('ch_') ? 'change_id' : 'preview_id'}. Say for each file what changes and why it matters, quote the warnings, and name what a person should look at before it is applied. Apply nothing.`,
  },
  {
    name: 'find_setting',
    title: 'Find a setting',
    description: 'Finds where a setting stands, with its value.',
    arguments: [
      { name: 'setting', description: 'What it is called, or what it does', required: true },
      { ...FILE, required: false },
    ],
    text: ({ setting = '', file }) =>
      `Find the setting ${quoted(setting)}${file === undefined ? '' : ` in ${quoted(file)}`}. Call config_search with key, then with text where no key is found. Answer with file, path and value, and say where several places disagree. Change nothing.`,
  },
  {
    name: 'mend_file',
    title: 'Mend a file',
    description: 'Mends a file that does not parse or breaks its schema, as a preview.',
    arguments: [FILE],
    text: ({ file = '' }) =>
      `Mend ${quoted(file)}. Call config_validate with it, and read the lines of each problem with config_get and view "raw". Mend one problem after the other with config_edit and change nothing else. Show the preview, and apply it only when I say so.`,
  },
];

export const LISTED_PROMPTS: readonly Prompt[] = PROMPTS.map(({ text: _, ...listed }) => listed);

export const PromptParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string().max(1_000)).optional(),
});

/** Returns a prompt. Throws a ProtocolError for an unknown prompt, and where a required argument is missing. */
export function getPrompt({ name, arguments: given = {} }: z.infer<typeof PromptParams>): GetPromptResult {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (prompt === undefined)
    throw invalid(
      `Unknown prompt ${quoted(name)}; the prompts are ${PROMPTS.map((one) => one.name).join(', ')}`,
    );
  const missing = prompt.arguments?.find((one) => one.required === true && given[one.name] === undefined);
  if (missing !== undefined) throw invalid(`The prompt ${name} needs ${missing.name}`);
  const { description = '' } = prompt;
  return { description, messages: [{ role: 'user', content: { type: 'text', text: prompt.text(given) } }] };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
