// No edit may unmask, and none may say what is masked: the result, masked anew, must be what was planned on the masked text.
// So nobody learns a secret by moving it or what is around it, and nobody can try a guess by writing it beside one.
import { Refusal } from '../errors/refusal.ts';
import { PLACEHOLDERS } from '../text/placeholders.ts';

/** `planned`: what the edit makes of the shown text; `shown`: how the result is shown. Throws POLICY_DENIED. */
export function requireStillMasked(planned: string, shown: string, file: string): void {
  if (planned === shown) return;
  let at = 0;
  while (planned[at] === shown[at]) at += 1;
  const line = planned.slice(0, at).split('\n').length;
  throw isWithinPlaceholder(planned, at) && !isWithinPlaceholder(shown, at)
    ? refused(
        'make this edit: a masked value would no longer be masked',
        'Keep what tells that it is a secret: its key, the kind of its document, the lines around it',
        { file, line },
      )
    : refused(
        'make this edit: it writes a value that is masked here, and only a person may say one',
        'Leave the value out, or write a reference to it, such as ${DB_PASSWORD}; a person enters it into the file',
        { file, line },
      );
}

function isWithinPlaceholder(text: string, at: number): boolean {
  return [...text.slice(Math.max(at - 20, 0), at + 20).matchAll(PLACEHOLDERS)].some(({ 0: found, index }) => {
    const start = Math.max(at - 20, 0) + index;
    return start <= at && at < start + found.length;
  });
}

function refused(
  action: string,
  advice: string,
  where: { readonly file: string; readonly line: number },
): Refusal {
  return new Refusal('POLICY_DENIED', `Cannot ${action}`, where, { advice: [advice] });
}
