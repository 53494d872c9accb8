import { createIngest, type Database } from '../../src/index.ts';
import { type Fixture, testEvent } from '../../src/testing/index.ts';

/** Accepts one event for the first channel of an environment. */
export async function acceptOne(
  db: Database,
  fixture: Fixture,
): Promise<{ messageId: string; runId: string }> {
  const runs = [
    {
      channel: { id: fixture.channels[0]?.id ?? '', kind: 'webhook', name: 'Shop' },
      templateVersionId: null,
      maxAttempts: 5,
    } as const,
  ];
  const outcome = await createIngest(db)(testEvent(fixture, { runs }));
  if (outcome.outcome !== 'accepted') throw new Error(`the event was not accepted: ${outcome.outcome}`);
  return { messageId: outcome.messageId, runId: outcome.wakeUps[0]?.runId ?? '' };
}
