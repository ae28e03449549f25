// What clients ask with, and the tools as `tools/list` shows them, in the order of the list. Input schemas are complete, for
// models read them; output schemas say the least, and admit the error shape too.
import { isSpecType, type Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../tools/index.ts';

/** There is one page only. */
export const ListParams = z.looseObject({ cursor: z.string().optional() });

/** The arguments raw: a schema that copies them would drop a `__proto__`, which must be refused instead. */
export const CallParams = z.looseObject({
  name: z.string(),
  arguments: z.custom<Readonly<Record<string, unknown>>>(isObject).optional(),
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listTools(tools: readonly Tool[]): ListedTool[] {
  return tools.map((tool) => {
    const listed: unknown = {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchema(tool.input),
      outputSchema: OUTPUT_SCHEMA,
      annotations: tool.hints,
    };
    if (!isSpecType.Tool(listed)) throw new Error(`${tool.name} is not what MCP calls a tool`);
    return listed;
  });
}

function inputSchema(input: z.ZodObject): object {
  // Without a dialect, for MCP's own default is the one meant.
  const { $schema, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    // Any JSON value, which only `z.custom` says in few words.
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // A model need not read what is always so in JSON: integers are safe, names are strings.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      showAdvertised(jsonSchema);
    },
  });
  return schema;
}

/** More is taken than a field says where clients would drop or refuse a schema that says it. */
function showAdvertised(schema: Record<string, unknown>): void {
  const { advertised, description } = schema;
  if (advertised === undefined) return;
  for (const name of Object.keys(schema)) delete schema[name];
  Object.assign(schema, advertised, description === undefined ? {} : { description });
}

/**
 * Clients check structured content against it, of failed calls as well. What a
 * tool answers models seldom read here, and every character of the list is read by every client.
 */
const OUTPUT_SCHEMA = { type: 'object' } as const;
