// How wide a terminal may show a text, counted by the package for that alone: where one disagrees, the wider is taken.
import { eastAsianWidth } from 'get-east-asian-width';

export function columnsOf(text: string): number {
  const widths = Array.from(text, (sign) =>
    /\p{Mn}/u.test(sign) ? 0 : eastAsianWidth(sign.codePointAt(0) ?? 0, { ambiguousAsWide: true }),
  );
  return widths.reduce<number>((sum, width) => sum + width, 0);
}
