/**
 * First byte of a cursor: the form of what follows, so that a list refuses the cursor of one with another
 * key, and forms can change without misreading an old one.
 */
const FORM = { id: 1, text: 2 } as const;
const UUID_BYTES = 16;

function format(form: number, key: Uint8Array): string {
  return Buffer.concat([Buffer.of(form), key]).toString('base64url');
}

/** The key within a cursor of this form, null for any text that {@link format} did not make. */
function parse(form: number, text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes[0] === form && bytes.toString('base64url') === text ? bytes.subarray(1) : null;
}

/** An opaque cursor for the position after a row with this UUID; it holds nothing else. */
export function formatCursor(id: string): string {
  return format(FORM.id, Buffer.from(id.replaceAll('-', ''), 'hex'));
}

/**
 * The UUID of the row that a cursor stands behind, or null when it is not one that {@link formatCursor} made.
 */
export function parseCursor(text: string): string | null {
  const key = parse(FORM.id, text);
  if (key?.length !== UUID_BYTES) return null;
  return key.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** As {@link formatCursor}, for a list in the order of a text such as a code. */
export function formatTextCursor(key: string): string {
  return format(FORM.text, Buffer.from(key));
}

/**
 * The key that a cursor stands behind, or null when it is not one that {@link formatTextCursor} made of
 * something that `isKey`.
 */
export function parseTextCursor(text: string, isKey: (key: string) => boolean): string | null {
  const key = parse(FORM.text, text)?.toString();
  return key !== undefined && isKey(key) ? key : null;
}
