// YAML 1.2, and 1.1 where it reads the same.
import type { Format } from '../../tree/format.ts';
import { countDocuments } from './count-documents.ts';
import { ownSchema } from './own-schema.ts';
import { parseWithYaml } from './parse-with-yaml.ts';
import { parseYaml } from './parse-yaml.ts';
import { isPlainSafe } from './plain-safety.ts';
import { writeKey } from './write-key.ts';
import { writeScalar } from './write-scalar.ts';

export const YAML_FORMAT: Format = {
  name: 'YAML',
  parse: parseYaml,
  reference: parseWithYaml,
  countDocuments,
  layout: 'block',
  commentMark: '#',
  hasEmptyValues: true,
  hasDialects: true,
  ownSchema,
  writeScalar,
  writeKey,
  isPlainKey: isPlainSafe,
};
