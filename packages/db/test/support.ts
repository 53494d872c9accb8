import { createHash, randomUUID } from 'node:crypto';
import { createTraceId } from '@postrider/domain';
import type { EventToAccept, IngestOutcome, PlannedRun } from '../src/index.ts';
import type { Fixture } from '../src/testing/index.ts';

export const WEBHOOK = {
  kind: 'webhook',
  name: 'hook',
  config: { url: 'http://127.0.0.1:9/hook' },
} as const;

/** The plan of one run per webhook channel of the fixture. */
export function plannedRuns(fixture: Fixture, maxAttempts = 3): PlannedRun[] {
  return fixture.channels.map(({ id }) => ({
    channel: { id, kind: 'webhook', name: 'hook' },
    templateVersionId: null,
    maxAttempts,
  }));
}

/** An event for the fixture's environment; every call has a key of its own unless told otherwise. */
export function eventFor(
  fixture: Fixture,
  changes: Partial<EventToAccept> & { key?: string } = {},
): EventToAccept {
  const { key = randomUUID(), ...rest } = changes;
  return {
    tenantId: fixture.tenantId,
    idempotency: {
      environmentId: fixture.environmentId,
      operation: 'events.create',
      key,
      fingerprint: createHash('sha256').update(key).digest(),
    },
    eventKey: 'order.shipped',
    recipient: { email: 'ada@example.com' },
    payload: { order: 1 },
    scheduleAt: null,
    requestId: null,
    traceId: createTraceId(),
    traceparent: null,
    runs: plannedRuns(fixture),
    bytes: 100,
    responseStatus: 201,
    respond: ({ messageId, runs }) =>
      Buffer.from(JSON.stringify({ messageId, runs: runs.map((run) => run.id) })),
    ...rest,
  };
}

export type Accepted = Extract<IngestOutcome, { outcome: 'accepted' }>;

export function accepted(outcome: IngestOutcome): Accepted {
  if (outcome.outcome !== 'accepted') throw new Error(`expected an acceptance, got ${outcome.outcome}`);
  return outcome;
}

/** The id of the only run that an acceptance made. */
export function onlyRun(outcome: IngestOutcome): string {
  const [run] = accepted(outcome).enqueue;
  if (!run) throw new Error('the acceptance made no run');
  return run.runId;
}
