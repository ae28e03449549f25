// MUTATION_SHARE=0.2 judges a fifth of the mutants, the same ones each time, where all would take too long.
import { createHash } from 'node:crypto';

const share = Number(process.env.MUTATION_SHARE ?? 1);

export function isInSample({ location: { start, end }, mutatorName, replacement }) {
  // Not where it stands: the runner counts lines from 0 and the report from 1.
  const size = [end.line - start.line, end.column - start.column];
  const about = JSON.stringify([...size, mutatorName, replacement]);
  return createHash('sha256').update(about).digest().readUInt32BE(0) < share * 2 ** 32;
}
