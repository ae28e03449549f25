// Makes the list of tools for `tools/list`, and the schemas of its requests. Input schemas are complete, because models read them. The
// output schema is as short as possible, and admits errors, too.
import { isSpecType, type Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../tools/index.ts';

/** The parameters of `tools/list`; a cursor is ignored, because there is only one page. */
export const ListParams = z.looseObject({ cursor: z.string().optional() });

/** The parameters of `tools/call`. The arguments stay raw: a schema that copies them would drop a `__proto__`, which must be refused instead. */
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
  // No dialect is named, because MCP's own default is right.
  const { $schema, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    // Any JSON value is allowed, which only `z.custom` says briefly.
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Models need not read what is always so in JSON: integers are safe, names are strings.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      showAdvertised(jsonSchema);
    },
  });
  return schema;
}

/** Replaces a schema by the simpler one that its field advertises, because clients would drop or refuse the full one. */
function showAdvertised(schema: Record<string, unknown>): void {
  const { advertised, description } = schema;
  if (advertised === undefined) return;
  for (const name of Object.keys(schema)) delete schema[name];
  Object.assign(schema, advertised, description === undefined ? {} : { description });
}

/**
 * The schema against which clients check structured content, also of failed calls. It is short, because every client reads the
 * whole list, and models seldom read this part.
 */
const OUTPUT_SCHEMA = { type: 'object' } as const;
