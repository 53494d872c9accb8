import { MAX_BODY_BYTES, receiveBytes } from '../http/receive-bytes.ts';
import type { Authenticated, Stage, WithBody } from './stage.ts';

/** The largest body that a plan allows, in bytes; a plan can only lower what holds for everybody. */
export function bodyLimit(plan: { readonly maxPayloadBytes: number | null }): number {
  return Math.min(MAX_BODY_BYTES, plan.maxPayloadBytes ?? MAX_BODY_BYTES);
}

/**
 * Reads the raw body once the token is known (docs/specification.md, "Request pipeline"). The bytes are
 * parsed only after the last stage.
 */
export const receiveBody: Stage<Authenticated, WithBody> = async (request) => {
  const { http, traits, snapshot } = request;
  const received = await receiveBytes(http, traits.body, bodyLimit(snapshot.plan));
  return received.outcome === 'refused'
    ? { reply: received.refusal }
    : { passed: { ...request, bytes: received.bytes } };
};
