// The contract by example, through a client: the cases of every other construct, and diffs that no reviewer would send back.
import { testCases } from './case-through-client.ts';

testCases('more-cases.json', 'diff-cases.json');
