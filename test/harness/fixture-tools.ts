// Tools that do what no real one does. Each is made for one test.
import { z } from 'zod';
import type { CallContext, Hints, Reply, Tool } from '../../src/tools/index.ts';

const READS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const WRITES: Hints = { ...READS, readOnlyHint: false, destructiveHint: true };

export const OK: Reply = { text: 'done', data: { ok: true } };

interface Fixture<Shape extends z.ZodRawShape> {
  readonly name?: string;
  readonly input?: Shape;
  readonly writes?: boolean;
  run(input: Record<string, unknown>, context: CallContext): Reply | Promise<Reply>;
}

export function fixtureTool<Shape extends z.ZodRawShape>(fixture: Fixture<Shape>): Tool {
  const { name = 'fixture', input = {}, writes = false, run } = fixture;
  return {
    name,
    title: 'A fixture',
    description: 'Does what a test needs.',
    input: z.strictObject(input),
    hints: writes ? WRITES : READS,
    run: (value, context) => run(value, context),
  };
}
