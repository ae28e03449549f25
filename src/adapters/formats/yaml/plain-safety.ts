// Which strings may stand unquoted: no reader of YAML 1.1 or 1.2 takes them for anything but that string.

const INDICATORS_AT_START = /^[-?:](?:\s|$)|^[,[\]{}#&*!|>'"%@`]/;

/** Whether `text`, written plain on one line, is that string for every reader. */
export function isPlainSafe(text: string, isFlow: boolean): boolean {
  if (text === '' || text !== text.trim() || INDICATORS_AT_START.test(text)) return false;
  if (/: |:$| #|\t/.test(text)) return false;
  if (/^(?:---|\.\.\.)/.test(text)) return false;
  if (isFlow && /[,[\]{}]|^[?:]/.test(text)) return false;
  if (
    /[^\x20-\x7e\u00a1-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|[\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/u.test(
      text.replaceAll(' ', ''),
    )
  )
    return false;
  return !isTyped(text);
}

/** Whether some reader of YAML 1.1 or 1.2 takes the plain scalar for null, a boolean, a number, a date or a merge. */
function isTyped(text: string): boolean {
  if (text.length > LONGEST_TYPED) return /^[-+0-9._:eExob]+$/.test(text);
  return TYPED.some((pattern) => pattern.test(text));
}

/** Beyond it only digits and their signs are taken for a number: the patterns below must stay cheap. */
const LONGEST_TYPED = 200;

const TYPED: readonly RegExp[] = [
  /^(?:~|null|Null|NULL|)$/,
  /^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  // Integers: decimal, binary, octal of both versions, hexadecimal, with the underscores of 1.1.
  /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)$/,
  // Floats, infinities and not-a-number.
  /^[-+]?(?:[0-9][0-9_]*)?\.?[0-9_]*(?:[eE][-+]?[0-9]+)?$/,
  /^[-+]?\.(?:inf|Inf|INF)$/,
  /^\.(?:nan|NaN|NAN)$/,
  // Sexagesimal integers and floats of 1.1.
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
  // Dates and times.
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?$/,
  /^(?:<<|=)$/,
];
