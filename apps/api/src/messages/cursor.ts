/** First byte of a cursor: the form of what follows, so that it can change without misreading an old one. */
const FORM = 1;
const LENGTH = 17;

/** An opaque cursor for the position after a message: it holds that message's UUID and nothing else. */
export function formatCursor(messageId: string): string {
  return Buffer.from(`0${FORM}${messageId.replaceAll('-', '')}`, 'hex').toString('base64url');
}

/**
 * The UUID of the message that a cursor stands behind, or null when it is not a cursor that {@link
 * formatCursor} made.
 */
export function parseCursor(text: string): string | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== LENGTH || bytes[0] !== FORM || bytes.toString('base64url') !== text) return null;
  return bytes.toString('hex', 1).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
