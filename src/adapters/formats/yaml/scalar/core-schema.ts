// The JSON value of a scalar under YAML's core schema (1.2), or that of 1.1 where a file declares it.

/** Integers beyond 2^53, infinities and not-a-number have no JSON number: they come as their source text. */
export function typedValue(
  value: string,
  isPlain: boolean,
  tag: string | undefined,
): string | number | boolean | null {
  if (tag !== undefined && tag !== '!!int' && tag !== '!!float' && tag !== '!!bool' && tag !== '!!null')
    return value;
  if (!isPlain && tag === undefined) return value;
  if (!mayBeOther(value)) return value;
  if (/^(?:|~|null|Null|NULL)$/.test(value)) return null;
  if (/^(?:true|True|TRUE)$/.test(value)) return true;
  if (/^(?:false|False|FALSE)$/.test(value)) return false;
  if (value.length > 400 || !/^[-+.0-9]/.test(value)) return value;
  return resolveNumber(value);
}

/** Told by the first character, for nearly all values are words: patterns are slow once they are locked. */
function mayBeOther(value: string): boolean {
  return value === '' || '~nNtTfF+-.0123456789'.includes(value.charAt(0));
}

function resolveNumber(value: string): string | number {
  if (/^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(value)) {
    const number = value.startsWith('+') ? Number(value.slice(1)) : Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(value)) {
    const number = Number(value);
    return Number.isFinite(number) ? number : value;
  }
  return value;
}
