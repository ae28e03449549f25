// The contract by example, through a client: the cases of TOML, of JSON with comments and of templates.
import { testCases } from './case-through-client.ts';

testCases('toml-cases.json', 'jsonc-cases.json', 'template-cases.json');
