// The tools of this version, in the order in which they are listed. What is not in the list does not exist.
import type { Tool } from './tool.ts';

export type { Desk, Reply, Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [];
