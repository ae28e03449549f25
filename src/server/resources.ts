// Serves the resources: the policy in force, the meaning of an error code, and one file. Each is read by a call of the tool that answers
// the same, so that it is checked, masked, logged and audited like that call.
import { ProtocolError, ProtocolErrorCode, type ReadResourceResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { quoted } from '../security/text/visible.ts';

/** The answer of a tool that reads; it never holds a question to a person. */
export const READ_RESULT = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

/** Calls a tool that reads. */
export type CallTool = (
  name: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<z.infer<typeof READ_RESULT>>;

const FILE_TEMPLATE = 'config-airlock://file/{+file}{?path,doc}';
export const ERROR_TEMPLATE = 'config-airlock://error/{code}';
const POLICY = 'config-airlock://policy';
const MIME_TYPE = 'text/plain';

export const RESOURCES = [
  {
    uri: POLICY,
    name: 'policy',
    title: 'Policy in force',
    description: 'The limits and the policy of this server.',
    mimeType: MIME_TYPE,
  },
];

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: FILE_TEMPLATE,
    name: 'file',
    title: 'A configuration file',
    description: 'The text of one file, or of the node at a path in it, with its secrets masked.',
    mimeType: MIME_TYPE,
  },
  {
    uriTemplate: ERROR_TEMPLATE,
    name: 'error',
    title: 'An error code',
    description: 'What an error code of this server means, and how to recover.',
    mimeType: MIME_TYPE,
  },
];

export const ReadParams = z.looseObject({ uri: z.string().max(10_000) });

const READ = /^config-airlock:\/\/(policy|file|error)(?:\/([^?]+))?(?:\?(.+))?$/su;
const NODE = z.strictObject({ path: z.string().exactOptional(), doc: z.string().exactOptional() });

/** Reads a resource. Throws a ProtocolError for an unknown resource, and for a refusal of the tool, with its message. */
export async function readResource(
  { uri }: z.infer<typeof ReadParams>,
  call: CallTool,
): Promise<ReadResourceResult> {
  const { name, args } = toolCallFor(uri);
  const { isError = false, content, structuredContent } = await call(name, args);
  const [first] = content;
  const text = first?.text ?? '';
  // The message of a protocol error is one line.
  if (isError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text.replaceAll('\n', ' '), { uri });
  // `source` is the exact text, without the notes that the tool adds.
  const source = structuredContent?.['source'];
  return { contents: [{ uri, mimeType: MIME_TYPE, text: typeof source === 'string' ? source : text }] };
}

function toolCallFor(uri: string): {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
} {
  const [, kind, rest, query] = READ.exec(uri) ?? [];
  const named = rest === undefined ? undefined : decoded(rest);
  if (named !== undefined && kind === 'file') {
    const node = NODE.safeParse(Object.fromEntries(new URLSearchParams(query)));
    if (node.success) return { name: 'config_get', args: { file: named, view: 'source', ...node.data } };
  }
  if (query === undefined && kind === 'policy' && rest === undefined)
    return { name: 'list_capabilities', args: {} };
  if (query === undefined && named !== undefined && kind === 'error')
    return { name: 'explain_error', args: { code: named } };
  const known = [POLICY, FILE_TEMPLATE, ERROR_TEMPLATE].join(', ');
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown resource ${quoted(uri)}; the resources are ${known}`,
    { uri },
  );
}

/** Decodes percent-encoding; undefined if it is malformed. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
