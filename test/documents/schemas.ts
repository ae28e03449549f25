// The JSON Schema of the config file, from the list of options. Those of a policy and its cases are written by hand.
import type { Option } from '../../src/cli/settings/option.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

export function configSchema(options: readonly Option<unknown>[]) {
  const keys = options.map(({ name, help, schema, isRepeatable }) => {
    const many = { type: 'array', items: schema, minItems: 1 };
    return [name, { description: sentence(help), ...(isRepeatable ? { anyOf: [schema, many] } : schema) }];
  });
  return {
    $schema: DIALECT,
    title: 'config-airlock: config file',
    type: 'object',
    properties: Object.fromEntries(keys),
    additionalProperties: false,
  };
}

function sentence(help: string): string {
  return `${help.slice(0, 1).toUpperCase()}${help.slice(1)}.`;
}
