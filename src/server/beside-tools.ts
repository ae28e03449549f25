// Serves resources, prompts and completions. They read files only by calls of the tools.
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { CompleteParams, complete } from './completions.ts';
import type { Serve } from './dispatch.ts';
import { ListParams } from './list-tools.ts';
import { getPrompt, LISTED_PROMPTS, PromptParams } from './prompts.ts';
import {
  type CallTool,
  READ_RESULT,
  RESOURCE_TEMPLATES,
  RESOURCES,
  ReadParams,
  readResource,
} from './resources.ts';

export function serveResourcesAndPrompts({ server }: McpServer, served: () => Promise<Serve>): void {
  const caller =
    (context: ServerContext): CallTool =>
    async (name, args) =>
      READ_RESULT.parse(await (await served())({ name, arguments: args }, context, true));
  server.setRequestHandler('resources/list', { params: ListParams }, () => ({ resources: RESOURCES }));
  server.setRequestHandler('resources/templates/list', { params: ListParams }, () => ({
    resourceTemplates: RESOURCE_TEMPLATES,
  }));
  server.setRequestHandler('resources/read', { params: ReadParams }, (params, context) =>
    readResource(params, caller(context)),
  );
  server.setRequestHandler('prompts/list', { params: ListParams }, () => ({ prompts: [...LISTED_PROMPTS] }));
  server.setRequestHandler('prompts/get', { params: PromptParams }, (params) => getPrompt(params));
  server.setRequestHandler('completion/complete', { params: CompleteParams }, (params, context) =>
    complete(params, caller(context)),
  );
}
