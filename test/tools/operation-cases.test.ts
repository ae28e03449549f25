// The contract by example, through a client: what each operation does, and batches whose later edits see what earlier ones made.
import { testCases } from './case-through-client.ts';

testCases('operation-cases.json');
