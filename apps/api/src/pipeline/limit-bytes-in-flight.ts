import type { Admit } from '../http/admission.ts';
import { admitRequest } from '../http/admit-request.ts';
import { bodyLimit } from './receive-body.ts';
import type { Authenticated, Stage } from './stage.ts';

export interface InFlightDeps {
  readonly admit: Admit;
}

/**
 * Between the token and the body: bounds the bytes of requests and responses that a tenant has in flight, so that no
 * tenant, with however many tokens, takes the memory of the process from others.
 */
export function createLimitBytesInFlight({ admit }: InFlightDeps): Stage<Authenticated, Authenticated> {
  return async (request) => {
    const { http, snapshot, traits, onDecided } = request;
    const step = await admitRequest(admit, {
      http,
      holder: snapshot.tenant.id,
      use: traits.body,
      limit: bodyLimit(snapshot.plan),
      responseBytes: traits.responseBytes,
    });
    if ('reply' in step) return step;
    const expected = traits.responseBytes ?? 0;
    onDecided((reply) => {
      if (reply && 'body' in reply) step.ticket.add(Math.max(0, reply.body.byteLength - expected));
    });
    return { passed: request };
  };
}
