/** Characters that break a line, in ASCII or Unicode (UAX #14, mandatory breaks). */
const LINE_BREAK = /[\n-\r\u0085\u2028\u2029]+/;

/**
 * Control characters, line breaks, and characters that change the direction of the following text (UAX #9: embeddings,
 * overrides and isolates, U+202A-U+202E and U+2066-U+2069). LRM, RLM and ALM, which Hebrew and Arabic text needs, are
 * allowed: they affect only adjacent characters.
 */
const CONTROL = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;
const CONTROLS = new RegExp(CONTROL, 'gu');

/** Whether a text has a character that is not allowed in one line of plain text. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}

/**
 * Converts a text to one line, such as a mail's subject: line breaks and tabs become a space, other control characters
 * and direction changes are removed, and half of a surrogate pair becomes U+FFFD.
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

/**
 * Text on one line, without control characters (C0, DEL, C1), line or paragraph separators, or characters that change
 * the direction of text (UAX #9: embeddings, overrides, isolates). The marks LRM, RLM and ALM are allowed.
 */
export const PLAIN_TEXT_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$';
