// The contract by example, through a client: what each operation does, batches whose later edits see what earlier ones made, and
// what a path names.
import { testCases } from './case-through-client.ts';

testCases('operation-cases.json', 'path-cases.json');
