/** Visible ASCII, without the space: docs/specification.md, "Request and trace ids". */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/**
 * The value of `error.request_id` when the client sent no id, or an invalid one:
 * docs/specification.md, "Request and trace ids".
 */
export const UNKNOWN_REQUEST_ID = 'unknown';

/**
 * The client's X-Request-ID when it can be echoed, logged and stored as it is (1 to 128 visible ASCII
 * characters, docs/specification.md, "Request and trace ids"), else null. A header sent twice arrives joined
 * by a comma and a space: null.
 */
export function acceptRequestId(header: string | undefined): string | null {
  return header !== undefined && REQUEST_ID.test(header) ? header : null;
}
