// Completes what a person types for a prompt or a resource: files that can be read, paths and documents in them, and error codes. They
// come from the tools, so that nothing is offered that the same client could not list.
import type { CompleteResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type CallTool, ERROR_TEMPLATE } from './resources.ts';

export const CompleteParams = z.looseObject({
  ref: z.looseObject({ type: z.string(), name: z.string().optional(), uri: z.string().optional() }),
  argument: z.looseObject({ name: z.string(), value: z.string().max(1_000) }),
  context: z.looseObject({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});

/** The maximum number of values in one answer by the protocol. */
const MAX = 100;

export async function complete(
  { ref, argument, context }: z.infer<typeof CompleteParams>,
  call: CallTool,
): Promise<CompleteResult> {
  const { name, value } = argument;
  if (name === 'file') return filesStarting(value, call);
  const { file, doc } = context?.arguments ?? {};
  if (file !== undefined && name === 'doc') return matching(value, await documentsIn(file, call));
  if (file !== undefined && ['path', 'setting'].includes(name))
    return matching(value, await pathsBeside(value, { file, ...(doc === undefined ? {} : { doc }) }, call));
  if (ref.uri === ERROR_TEMPLATE && name === 'code')
    return matching(value.toUpperCase(), await errorCodes(call));
  return matching(value, []);
}

/** Returns the files that begin like this. The tool may answer files of other roots as well, because a pattern names no root. */
async function filesStarting(lead: string, call: CallTool): Promise<CompleteResult> {
  const below = lead.replace(/^@[^/]*\/?/u, '');
  const pattern = below === '' ? {} : { pattern: `{${below}*,${below}*/**}` };
  const { structuredContent } = await call('config_list', { ...pattern, limit: MAX });
  const { completion } = matching(lead, textsIn(structuredContent?.['files'], 'file'));
  if (structuredContent?.['next_cursor'] === undefined) return { completion };
  return { completion: { values: completion.values, hasMore: true } };
}

/** Returns the paths of the keys and items beside the one that is being typed. */
async function pathsBeside(
  typed: string,
  place: Readonly<Record<string, string>>,
  call: CallTool,
): Promise<readonly string[]> {
  const [parent = ''] = /^.*(?=[.[])/su.exec(typed) ?? [];
  const outline = await outlineOf({ ...place, ...(parent === '' ? {} : { path: parent }) }, call);
  // The children of the node stand two columns to its right.
  return [...outline.matchAll(/^ {2}(\["(?:[^"\\]|\\.)*"\]|\[\d+\]|[^\s[]\S*)/gmu)].map(([, key = '']) =>
    parent === '' || key.startsWith('[') ? parent + key : `${parent}.${key}`,
  );
}

async function documentsIn(file: string, call: CallTool): Promise<readonly string[]> {
  return [...(await outlineOf({ file }, call)).matchAll(/^doc \d+: (\S+)$/gmu)].map(([, doc = '']) => doc);
}

async function outlineOf(place: Readonly<Record<string, string>>, call: CallTool): Promise<string> {
  const { structuredContent } = await call('config_get', { ...place, view: 'outline' });
  const outline = structuredContent?.['outline'];
  return typeof outline === 'string' ? outline : '';
}

/** Returns all error codes, which the tool suggests for an unknown code. */
async function errorCodes(call: CallTool): Promise<readonly string[]> {
  const { structuredContent } = await call('explain_error', { code: '?' });
  return textsIn(structuredContent?.['codes']);
}

function textsIn(list: unknown, member?: string): readonly string[] {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  return items
    .map((item) =>
      member === undefined || typeof item !== 'object' || item === null ? item : Reflect.get(item, member),
    )
    .filter((text) => typeof text === 'string');
}

function matching(lead: string, texts: readonly string[]): CompleteResult {
  const found = texts.filter((text) => text.startsWith(lead));
  return { completion: { values: found.slice(0, MAX), total: found.length, hasMore: found.length > MAX } };
}
