import { createHash, randomUUID } from 'node:crypto';
import { createIngest, type Database } from '../../src/index.ts';
import type { Fixture } from '../../src/testing/index.ts';

/** Accepts one event for the first channel of an environment. */
export async function acceptOne(
  db: Database,
  fixture: Fixture,
): Promise<{ messageId: string; runId: string }> {
  const { tenantId, environmentId } = fixture;
  const key = randomUUID();
  const outcome = await createIngest(db)({
    tenantId,
    idempotency: {
      environmentId,
      operation: 'events.create',
      key,
      fingerprint: createHash('sha256').update(key).digest(),
    },
    eventKey: 'order.shipped',
    recipient: { email: 'ada@example.com' },
    payload: {},
    scheduleAt: null,
    requestId: null,
    traceId: '0'.repeat(32),
    traceparent: null,
    runs: [
      {
        channel: { id: fixture.channels[0]?.id ?? '', kind: 'webhook', name: 'Shop' },
        templateVersionId: null,
        maxAttempts: 5,
      },
    ],
    bytes: 100,
    responseStatus: 201,
    respond: () => Buffer.from('{}'),
  });
  if (outcome.outcome !== 'accepted') throw new Error(`the event was not accepted: ${outcome.outcome}`);
  return { messageId: outcome.messageId, runId: outcome.enqueue[0]?.runId ?? '' };
}
