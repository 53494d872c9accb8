/**
 * Control characters, which could move the cursor or worse, and Unicode characters that break lines or change the
 * direction of text (Unicode Standard Annex 9, section 2). Shown text may come from a webhook's receiver.
 */
const UNSAFE = String.raw`[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]`;
const CONTROL = new RegExp(`${UNSAFE}+`, 'g');
/** Those that JSON does not escape. */
const BARE_IN_JSON = new RegExp(String.raw`(?![\u0000-\u001f])${UNSAFE}`, 'g');
/** Those besides line breaks and the colours of a `Style`. */
const UNSTYLED = new RegExp(String.raw`(?!\n|\u001b\[\d{1,2}m)${UNSAFE}`, 'g');

/** Makes untrusted text safe for a terminal: one line without control characters. */
export function plain(text: string): string {
  return text.replace(CONTROL, ' ').trim();
}

/**
 * Makes the whole text of a view safe for a terminal, also where a value was not made {@link plain}. It keeps line breaks and colours,
 * so a value that must be one line, or must have no colours of its own, is made plain before.
 */
export function withoutControls(text: string): string {
  return text.replace(UNSTYLED, ' ');
}

/** The most characters shown of a receiver's response. `--json` prints everything that was stored. */
const MAX_EXCERPT = 200;

/** The beginning of an untrusted text, as {@link plain}. */
export function excerpt(text: string): string {
  const characters = [...plain(text)];
  return characters.length > MAX_EXCERPT
    ? `${characters.slice(0, MAX_EXCERPT).join('')}…`
    : characters.join('');
}

/** Makes untrusted text of several lines safe for a terminal. */
export function lines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(CONTROL, ' ').trimEnd())
    .join('\n');
}

/** JSON that is safe for a terminal: control characters are escaped, which does not change its meaning. */
export function json(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    BARE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Formats any value of a resource on one line. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && value.length === 0) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return plain(value.join(', '));
  if (typeof value === 'object') return plain(JSON.stringify(value));
  return plain(String(value));
}

/** Formats a time for people: UTC, with a space instead of the `T`. */
export function time(iso: string | null): string {
  return iso === null ? '-' : iso.replace('T', ' ');
}
