/**
 * Control characters, which would move the cursor or worse, and those of Unicode that break lines or turn the
 * direction of what follows (Unicode Standard Annex 9, section 2); what is shown may come from a webhook's receiver.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g;
/** Those of {@link CONTROL} that JSON does not escape. */
const BARE_IN_JSON = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Text of others as a terminal may show it: on one line, without control characters. */
export function plain(text: string): string {
  return text.replace(CONTROL, ' ').trim();
}

/** Characters of what a receiver answered that are shown; `--json` has all that was kept. */
const MAX_EXCERPT = 200;

/** The beginning of a text of others, on one line, as {@link plain}. */
export function excerpt(text: string): string {
  const characters = [...plain(text)];
  return characters.length > MAX_EXCERPT
    ? `${characters.slice(0, MAX_EXCERPT).join('')}…`
    : characters.join('');
}

/** Text of others on as many lines as it has, without other control characters. */
export function lines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(CONTROL, ' ').trimEnd())
    .join('\n');
}

/** JSON that a terminal may show: whatever is no text to be read is escaped, which a program reads as the same. */
export function json(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    BARE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Any value of a resource on one line. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value) && value.length === 0) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return plain(value.join(', '));
  if (typeof value === 'object') return plain(JSON.stringify(value));
  return plain(String(value));
}

/** A time of the service for people: UTC, with a blank for the `T`. */
export function time(iso: string | null): string {
  return iso === null ? '-' : iso.replace('T', ' ');
}
