// The facts of a change between JSON values, found by comparing all leaves: for asking `judge` without any file.
import type {
  DataPath,
  DocumentData,
  DocumentVersions,
  FileFacts,
  Found,
  Json,
  LeafChange,
} from '../../../src/security/index.ts';

/** One document; undefined where it is not there. */
export function factsOf(before: Json | undefined, after: Json | undefined): FileFacts {
  const versions: DocumentVersions = { before: dataOf(before), after: dataOf(after) };
  const [old, next] = [leavesOf(before), leavesOf(after)];
  const paths = [...new Set([...old.keys(), ...next.keys()])];
  const changes = paths.flatMap((key): LeafChange[] => {
    const path: DataPath = JSON.parse(key);
    const [from, to] = [old.get(key), next.get(key)];
    if (from === to) return [];
    return [{ op: from === undefined ? 'add' : to === undefined ? 'remove' : 'replace', doc: 0, path }];
  });
  return { documents: [versions], changes };
}

/** By their path as JSON; a collection without parts is a leaf. */
function leavesOf(value: Json | undefined, path: DataPath = [], found = new Map<string, string>()) {
  if (value === undefined) return found;
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (parts.length === 0) found.set(JSON.stringify(path), JSON.stringify(value));
  for (const [key, part] of parts) leavesOf(part, [...path, Array.isArray(value) ? Number(key) : key], found);
  return found;
}

export function dataOf(value: Json | undefined): DocumentData | undefined {
  if (value === undefined) return undefined;
  const at = (path: DataPath) => foundAt(value, path);
  return {
    at,
    keysAt: (path) => {
      const found = at(path);
      const isMapping = typeof found === 'object' && typeof found.value === 'object' && found.value !== null;
      return isMapping && !Array.isArray(found.value) ? Object.keys(found.value ?? {}) : [];
    },
    lengthAt: (path) => {
      const found = at(path);
      return typeof found === 'object' && Array.isArray(found.value) ? found.value.length : undefined;
    },
  };
}

function foundAt(value: Json, path: DataPath): Found {
  const [key, ...rest] = path;
  if (key === undefined) return { value };
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return 'none';
  if (Array.isArray(value) !== (typeof key === 'number')) return 'none';
  const part: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
  return foundAt(JSON.parse(JSON.stringify(part)), rest);
}
