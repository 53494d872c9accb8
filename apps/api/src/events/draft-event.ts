import { draftRuns, type EventToAccept, type IdempotencyClaim } from '@postrider/db';
import { acceptedBody } from '../delivery-runs/present.ts';
import { type Refusal, refuse } from '../http/reply.ts';
import type { Identified } from '../pipeline/stage.ts';
import type { ValidatedEvent } from './validate-event.ts';

export type ValidEvent = Extract<ValidatedEvent, { readonly outcome: 'valid' }>;

export const CREATED = 201;

/** The refusal of an event that needs a scope which the token lacks (docs/specification.md, "Tokens"), or null. */
export function refuseBeyondScopes(
  { message }: ValidEvent,
  { scopes }: Pick<Identified, 'scopes'>,
): Refusal | null {
  if (!message.ignoreSuppression || scopes.includes('ignore_suppression')) return null;
  return refuse('token_scope_missing', {
    message:
      'The token does not have the scope ignore_suppression: leave the field out, or use a token with the scope.',
  });
}

/** Drafts the rows of a valid event, dated `now`, with the response to store for its key. */
export function draftEvent(
  { message, runs }: ValidEvent,
  { snapshot, context }: Pick<Identified, 'snapshot' | 'context'>,
  {
    claim,
    now,
    bytes,
    files = [],
  }: { claim: IdempotencyClaim; now: Date; bytes: number; files?: readonly Buffer[] },
): EventToAccept {
  const { requestId, traceId, traceparent } = context;
  const drafted = draftRuns(runs, { now, scheduleAt: message.scheduleAt });
  return {
    ...drafted,
    tenantId: snapshot.tenant.id,
    environmentId: snapshot.environment.id,
    message: { ...message, requestId, traceId, test: false, operational: null },
    replay: 0,
    traceparent,
    response: { ...claim, responseStatus: CREATED, responseBody: acceptedBody(drafted) },
    bytes,
    files,
  };
}
