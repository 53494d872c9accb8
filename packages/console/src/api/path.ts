/** A segment that is only dots would be resolved away, even percent-encoded once. Nothing has such an id. */
const DOTS = /^\.{1,2}$/;

function segment(value: unknown): string {
  const text = String(value);
  return encodeURIComponent(DOTS.test(text) ? text.replaceAll('.', '%2E') : text);
}

/**
 * Builds the path of a screen or of a request: `` path`/e/${environmentId}/messages/${messageId}` ``. Each value is
 * encoded as one segment, so that an id from a link or from a search box cannot lead to another path.
 */
export function path(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  return texts.reduce((before, text, at) => `${before}${segment(values[at - 1])}${text}`);
}
