// Every command, once: the command line, its help and the README's table are made from this list.
import { apply } from './apply.ts';
import { approve } from './approve.ts';
import { audit } from './audit.ts';
import type { Command } from './command.ts';
import { history } from './history.ts';
import { keygen } from './keygen.ts';
import { preview } from './preview.ts';
import { reject } from './reject.ts';
import { review } from './review.ts';
import { serve } from './serve.ts';
import { undo } from './undo.ts';

export type { Command } from './command.ts';
export { serve } from './serve.ts';

export const COMMANDS: readonly Command[] = [
  ...[serve, review, approve, reject, history, undo, audit],
  ...[preview, apply, keygen],
];
