import type { Request } from 'express';
import { isJsonBody } from './media-type.ts';
import { readBody } from './read-body.ts';
import { type Refusal, refuse } from './reply.ts';

/** Whether an operation wants a body. */
export type BodyUse = 'required' | 'optional' | 'ignored';

/** The largest body in bytes, of any request: docs/specification.md, "Request bodies". */
export const MAX_BODY_BYTES = 256 * 1024;

export type ReceivedBytes =
  | { readonly outcome: 'received'; readonly bytes: Uint8Array }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

const NOTHING: ReceivedBytes = { outcome: 'received', bytes: new Uint8Array() };

const refused = (refusal: Refusal): ReceivedBytes => ({ outcome: 'refused', refusal });

/**
 * Reads the raw body of a request whose sender is known: 415 for what is not JSON, 413 for what is larger
 * than `limit` bytes (docs/specification.md, "Request bodies" and "Request pipeline"). The bytes are empty
 * where the body is ignored or was left out.
 */
export async function receiveBytes(http: Request, use: BodyUse, limit: number): Promise<ReceivedBytes> {
  if (use === 'ignored') return NOTHING;
  const isJson = isJsonBody(http.get('content-type'), http.get('content-encoding'));
  if (use === 'required' && !isJson) return refused(refuse('unsupported_media_type'));
  const read = await readBody(http, limit);
  if (read.outcome === 'too_large') {
    return refused(refuse('payload_too_large', { message: `The body is larger than ${limit} bytes.` }));
  }
  if (read.bytes.byteLength > 0 && !isJson) return refused(refuse('unsupported_media_type'));
  return { outcome: 'received', bytes: read.bytes };
}
