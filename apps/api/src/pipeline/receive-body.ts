import { isJsonBody } from '../http/media-type.ts';
import { readBody } from '../http/read-body.ts';
import { refuse } from '../http/reply.ts';
import type { Authenticated, Stage, WithBody } from './stage.ts';

/** Contract section 1; a plan can only lower it. */
export const MAX_BODY_BYTES = 256 * 1024;

/** The largest body that a plan allows, in bytes. */
export function bodyLimit(plan: { readonly maxPayloadBytes: number | null }): number {
  return Math.min(MAX_BODY_BYTES, plan.maxPayloadBytes ?? MAX_BODY_BYTES);
}

const EMPTY = new Uint8Array();

/**
 * Reads the raw body once the token is known: 415 for what is not JSON, 413 for what is too large (contract
 * section 3). The bytes are parsed only after the last stage.
 */
export const receiveBody: Stage<Authenticated, WithBody> = async (request) => {
  const { http, traits, snapshot } = request;
  if (traits.body === 'ignored') return { passed: { ...request, bytes: EMPTY } };
  const isJson = isJsonBody(http.get('content-type'), http.get('content-encoding'));
  if (traits.body === 'required' && !isJson) return { reply: refuse('unsupported_media_type') };
  const limit = bodyLimit(snapshot.plan);
  const read = await readBody(http, limit);
  if (read.outcome === 'too_large') {
    return { reply: refuse('payload_too_large', { message: `The body is larger than ${limit} bytes.` }) };
  }
  if (read.bytes.byteLength > 0 && !isJson) return { reply: refuse('unsupported_media_type') };
  return { passed: { ...request, bytes: read.bytes } };
};
