import { randomUUID } from 'node:crypto';
import { createUuidV7Source, type FeedbackEvent, formatId } from '@postrider/domain';
import {
  createIngest,
  type Database,
  type RecordedFeedback,
  recordFeedback,
  type ServiceKeySource,
  type UnboundDatabase,
} from '../../src/index.ts';
import { type Fixture, testEvent } from '../../src/testing/index.ts';

const newId = createUuidV7Source();

export const EMAIL = {
  kind: 'email',
  name: 'Mail',
  config: {
    smtp: { host: 'smtp.example.com', port: 587, secure: false },
    from: { email: 'shop@example.com' },
  },
} as const;

/** A run of the fixture's first channel, with its message. Ids are UUIDs. */
export interface Sent {
  readonly messageId: string;
  readonly runId: string;
}

/** Accepts an event for the first channel. */
export async function sendOne(db: Database, fixture: Fixture, email = 'ada@example.com'): Promise<Sent> {
  const channel = { id: fixture.channels[0]?.id ?? '', kind: 'email', name: 'Mail' };
  const runs = [{ channel, templateVersionId: null, maxAttempts: 5 }];
  const outcome = await createIngest(db)(testEvent(fixture, { runs, recipient: { email } }));
  if (outcome.outcome !== 'accepted') throw new Error(`the event was not accepted: ${outcome.outcome}`);
  return { messageId: outcome.messageId, runId: outcome.enqueue[0]?.runId ?? '' };
}

/** Completes a run with one attempt, for which the provider returned this id. */
export async function endRun(
  db: UnboundDatabase,
  runId: string,
  providerMessageId: string | null = null,
): Promise<void> {
  const at = new Date();
  const attempt = { number: 1, fence: 1, status: 'succeeded', startedAt: at, completedAt: at };
  await db.attempt.create({ data: { runId, id: randomUUID(), ...attempt, providerMessageId } });
  await db.deliveryRun.update({ where: { id: runId }, data: { status: 'succeeded', completedAt: at } });
}

/** An event of a run, with an id of its own. */
export function reported(
  { runId }: Pick<Sent, 'runId'>,
  changes: Partial<FeedbackEvent> = {},
): FeedbackEvent {
  return {
    id: randomUUID(),
    type: 'delivered',
    permanent: false,
    email: 'ada@example.com',
    runId: formatId('run', runId),
    providerMessageId: null,
    at: new Date('2026-11-22T10:00:00.000Z'),
    reason: null,
    ...changes,
  };
}

/** Records events for the fixture's first channel. */
export function report(
  { db, keys }: { readonly db: Database; readonly keys: ServiceKeySource },
  { environmentId, channels }: Fixture,
  events: readonly FeedbackEvent[],
  onlyRecipient = false,
): Promise<RecordedFeedback> {
  const channelId = channels[0]?.id ?? '';
  const request = { environmentId, channelId, source: 'provider', onlyRecipient, events };
  return recordFeedback({ db, newId, keys }, request);
}
