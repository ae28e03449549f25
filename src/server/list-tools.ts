// The tools as `tools/list` shows them, in the order of the list. Input schemas are complete, for
// models read them; output schemas name and type the top level only, and admit the error shape too.
import { isSpecType, type Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../tools/index.ts';

/** There is one page only. */
export const ListParams = z.looseObject({ cursor: z.string().optional() });

export function listTools(tools: readonly Tool[]): ListedTool[] {
  return tools.map((tool) => {
    const listed: unknown = {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchema(tool.input),
      outputSchema: outputSchema(tool.output),
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
      // What goes without saying in JSON (integers are safe, names are strings) a model need not read.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') delete jsonSchema.propertyNames;
    },
  });
  return schema;
}

/** Clients check structured content against it, of failed calls as well: only `ok` is always there. */
function outputSchema(output: z.ZodObject): object {
  const { properties = {} } = z.toJSONSchema(output, { io: 'output' });
  const topLevel = Object.entries(properties).map(([name, schema]) => [name, onlyType(schema)]);
  return {
    type: 'object',
    properties: { ...Object.fromEntries(topLevel), ok: { type: 'boolean' }, error: { type: 'object' } },
    required: ['ok'],
  };
}

function onlyType(schema: unknown): { readonly type?: string } {
  const isTyped = typeof schema === 'object' && schema !== null && 'type' in schema;
  return isTyped && typeof schema.type === 'string' ? { type: schema.type } : {};
}
