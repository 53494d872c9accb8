/** Characters after which a text goes on in another line, in ASCII or in Unicode (UAX #14, mandatory breaks). */
const LINE_BREAK = /[\n-\r\u0085\u2028\u2029]+/;

/**
 * Control characters, line breaks, and what turns the direction of the text after it (UAX #9: embeddings, overrides and
 * isolates, U+202A-U+202E and U+2066-U+2069). The marks that Hebrew and Arabic text needs, LRM, RLM and ALM, are none of
 * them: they have no effect beyond the characters next to them.
 */
const CONTROL = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;
const CONTROLS = new RegExp(CONTROL, 'gu');

/** Whether a text has a character that cannot stand on one line of plain text. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}

/**
 * A text as it can stand on one line, such as a mail's subject: line breaks and tabs become a space, other control
 * characters and those that turn the direction of text are left out, and half a character becomes U+FFFD.
 */
export function onOneLine(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll('\t', ' ')
    .split(LINE_BREAK)
    .map((line) => line.replace(CONTROLS, '').trim())
    .filter((line) => line !== '')
    .join(' ');
}
