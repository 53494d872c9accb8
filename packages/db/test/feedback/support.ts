import { randomUUID } from 'node:crypto';
import { createUuidV7Source, type FeedbackEvent, formatId } from '@postrider/domain';
import { afterAll, beforeAll } from '@postrider/testing';
import type { RecordedFeedback } from '../../src/feedback/record.ts';
import {
  type AppRole,
  createIngest,
  type Database,
  openDatabase,
  recordFeedback,
  type ServiceKeySource,
  type UnboundDatabase,
} from '../../src/index.ts';
import {
  createFixture,
  createTestDatabase,
  createTestKeys,
  type Fixture,
  type TestDatabase,
  testEvent,
} from '../../src/testing/index.ts';

const newId = createUuidV7Source();

/** A database for the tests of a file, as its owner and an API process see it, and what recording feedback needs. */
export function useFeedback() {
  let database: TestDatabase | undefined;
  let api: Database | undefined;
  let deps: { readonly db: Database; readonly keys: ServiceKeySource } | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    api = openDatabase(database.urlFor('postrider_api'), { poolSize: 4 });
    deps = { db: api, keys: createTestKeys(database.db) };
  });
  afterAll(async () => {
    await api?.$disconnect();
    await database?.drop();
  });
  function open<Value>(value: Value | undefined): Value {
    if (value === undefined) throw new Error('the database is there once the tests run');
    return value;
  }
  return {
    /** As the owner of the tables: a test sees all of them. */
    get db(): UnboundDatabase {
      return open(database).db;
    },
    /** As an API process. */
    get api(): Database {
      return open(api);
    },
    get deps() {
      return open(deps);
    },
    urlFor: (role: AppRole) => open(database).urlFor(role),
    /** An environment with an email channel, and a template with these copies. */
    fixture: (copies: { readonly cc?: string; readonly bcc?: string } = {}) =>
      createFixture(open(database).db, { channels: [EMAIL], templates: [{ ...TEMPLATE, ...copies }] }),
  };
}

export const EMAIL = {
  kind: 'email',
  name: 'Mail',
  config: {
    smtp: { host: 'smtp.example.com', port: 587, secure: false },
    from: { email: 'shop@example.com' },
  },
} as const;

export const TEMPLATE = {
  eventKey: 'order.shipped',
  channelKind: 'email',
  subject: 'Shipped',
  text: 'Shipped',
  activate: true,
} as const;

/** A run of the fixture's first channel, with its message. Ids are UUIDs. */
export interface Sent {
  readonly messageId: string;
  readonly runId: string;
}

/** Accepts an event for the first channel, with the first template. */
export async function sendOne(db: Database, fixture: Fixture, email = 'ada@example.com'): Promise<Sent> {
  const channel = { id: fixture.channels[0]?.id ?? '', kind: 'email', name: 'Mail' };
  const runs = [{ channel, templateVersionId: fixture.templates[0]?.id ?? null, maxAttempts: 5 }];
  const outcome = await createIngest(db)(testEvent(fixture, { runs, recipient: { email } }));
  if (outcome.outcome !== 'accepted') throw new Error(`the event was not accepted: ${outcome.outcome}`);
  return { messageId: outcome.messageId, runId: outcome.wakeUps[0]?.runId ?? '' };
}

/** An ended attempt of a run. */
interface EndedAttempt {
  readonly status: 'succeeded' | 'failed' | 'unknown';
  readonly sender?: string;
  readonly providerMessageId?: string;
}

/** Gives a run these attempts. */
export async function addAttempts(
  db: UnboundDatabase,
  runId: string,
  attempts: readonly EndedAttempt[],
): Promise<void> {
  const at = new Date();
  await db.attempt.createMany({
    data: attempts.map((attempt, index) => ({
      ...{ runId, id: randomUUID(), number: index + 1, fence: index + 1, startedAt: at, completedAt: at },
      ...(attempt.status !== 'succeeded' && { errorCode: 'smtp_connection_failed', retryable: true }),
      ...attempt,
    })),
  });
}

/** Completes a run with one attempt, for which the provider returned this id. */
export async function endRun(db: UnboundDatabase, runId: string, providerMessageId?: string): Promise<void> {
  const at = new Date();
  await addAttempts(db, runId, [{ status: 'succeeded', ...(providerMessageId && { providerMessageId }) }]);
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
