// Compares quantities of Kubernetes (`500m`, `1Gi`, `2e3`) exactly. A text that is no quantity has no size.
import type { Json } from './change-policy.ts';

const QUANTITY = /^([+-]?)(\d{1,30})(?:\.(\d{1,30}))?(?:([eE])([+-]?\d{1,2})|([numkMGTPE]|[KMGTPE]i)?)$/u;
const DECIMAL = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 } as const;
const BINARY = { Ki: 1n, Mi: 2n, Gi: 3n, Ti: 4n, Pi: 5n, Ei: 6n } as const;
/** The number of decimal places of a size: no exponent with a fraction needs more. */
const SCALE = 140;

/** Returns the size in parts of 10^-140; undefined for what is no quantity. */
export function quantityOf(value: Json): bigint | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const [, sign, whole = '', fraction = '', , exponent = '0', unit = ''] = QUANTITY.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  const power = Object.entries(DECIMAL).find(([name]) => name === unit)?.[1] ?? Number(exponent);
  const times = Object.entries(BINARY).find(([name]) => name === unit)?.[1] ?? 0n;
  const size = digits * 1024n ** times * 10n ** BigInt(SCALE + power - fraction.length);
  return sign === '-' ? -size : size;
}

/** True for a quantity within the bounds, undefined for what is none. `bounds` were read by read-value-schema.ts. */
export function isQuantityWithin(
  value: Json,
  bounds: { readonly min?: Json; readonly max?: Json },
): boolean | undefined {
  const size = quantityOf(value);
  if (size === undefined) return undefined;
  const { min = null, max = null } = bounds;
  const [least, most] = [quantityOf(min), quantityOf(max)];
  return (least === undefined || size >= least) && (most === undefined || size <= most);
}
