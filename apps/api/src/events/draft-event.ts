import { draftRuns, type EventToAccept, type IdempotencyClaim } from '@postrider/db';
import { acceptedBody } from '../delivery-runs/present.ts';
import type { Identified } from '../pipeline/stage.ts';
import type { ValidatedEvent } from './validate-event.ts';

export type ValidEvent = Extract<ValidatedEvent, { readonly outcome: 'valid' }>;

export const CREATED = 201;

/** Drafts what is stored for a valid event, dated `now`, with the response stored for its key. */
export function draftEvent(
  { message, runs }: ValidEvent,
  { snapshot, context }: Pick<Identified, 'snapshot' | 'context'>,
  { claim, now, bytes }: { claim: IdempotencyClaim; now: Date; bytes: number },
): EventToAccept {
  const { requestId, traceId, traceparent } = context;
  const drafted = draftRuns(runs, { now, scheduleAt: message.scheduleAt });
  return {
    ...drafted,
    tenantId: snapshot.tenant.id,
    environmentId: snapshot.environment.id,
    message: { ...message, requestId, traceId, test: false },
    replay: 0,
    traceparent,
    response: { ...claim, responseStatus: CREATED, responseBody: acceptedBody(drafted) },
    bytes,
  };
}
