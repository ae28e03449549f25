// Holds the list of tools of this version. The bundle has the result as text (scripts/bundle.mjs), so that the server can list its
// tools before it has loaded them.
import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { TOOLS } from '../tools/index.ts';
import { listTools } from './list-tools.ts';

export const LISTED: readonly ListedTool[] = listTools(TOOLS);
