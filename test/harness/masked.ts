// What of a text is masked, without a server: by the rules that a sandbox is opened with.
import { maskText } from '../../src/adapters/secrets/mask-text.ts';
import { SafePath } from '../../src/security/paths/safe-path.ts';
import { DEFAULT_LIMITS, DEFAULT_MASKING, type MaskingPolicy } from '../../src/security/policy/policy.ts';
import { MaskedText, type SecretSpan } from '../../src/security/secrets/masked-text.ts';

const PLACE = { name: undefined, dir: '.' };

/** What of it is masked; those that overlap are several. */
export function spansIn(
  file: string,
  text: string,
  masking: Partial<MaskingPolicy> = {},
): readonly SecretSpan[] {
  const { search, mask } = maskText({
    verify: 'fast',
    limits: DEFAULT_LIMITS,
    masking: { ...DEFAULT_MASKING, ...masking },
    roots: [PLACE],
  });
  let found: readonly SecretSpan[] = [];
  mask(SafePath.parse(file, [undefined]), text, search(text), (spans) => {
    found = spans;
    return new MaskedText(text, spans, () => '<secret:00000000>');
  });
  return found.filter(({ start, end }) => end > start);
}
