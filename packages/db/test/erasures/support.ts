import { createUuidV7Source } from '@postrider/domain';
import { createErasure, createIngest, erasePage, type UnboundDatabase } from '../../src/index.ts';
import { actorNamed, createTestKeys, type Fixture } from '../../src/testing/index.ts';
import { createBatch } from '../replay-batches/support.ts';
import { accepted, eventFor } from '../support.ts';

export const ADDRESS = 'ada@example.com';
export const newId = createUuidV7Source();
export const actor = actorNamed('op');

/** The UUID of a new message to the address, which is in everything that a client can give. */
export async function send(
  db: UnboundDatabase,
  fixture: Fixture,
  email = ADDRESS,
  scheduleAt: Date | null = null,
): Promise<string> {
  const event = eventFor(fixture, {
    recipient: { email, name: 'Ada' },
    payload: { email },
    requestId: email,
    scheduleAt,
  });
  return accepted(await createIngest(db)(event)).messageId;
}

/** Ends the message's run after one attempt that failed with a text of the remote end. */
export async function fail(db: UnboundDatabase, messageId: string, address = ADDRESS): Promise<void> {
  const run = await db.deliveryRun.findFirstOrThrow({ where: { messageId } });
  const at = new Date();
  const attempt = { fence: 1, status: 'failed', startedAt: at, completedAt: at, retryable: false };
  const said = {
    errorMessage: `550 <${address}> unknown`,
    responseExcerpt: `no ${address}`,
    providerMessageId: address,
  };
  await db.attempt.createMany({
    data: [
      { ...attempt, ...said, runId: run.id, number: 1, id: newId(), errorCode: 'webhook_timeout' },
      { ...attempt, ...said, runId: run.id, number: 2, id: newId(), errorCode: 'webhook_http_error' },
    ],
  });
  await db.deliveryRun.update({
    where: { id: run.id },
    data: { status: 'failed', completedAt: at, attemptCount: 2 },
  });
}

/** Asks for the erasure of the address. */
export const ask = (db: UnboundDatabase, { environmentId }: Fixture, recipientEmail = ADDRESS) =>
  createErasure({ db, newId, actor }, { environmentId, recipientEmail });
/** Makes a page as a worker would. */
export const work = (db: UnboundDatabase, erasure: { id: string }) =>
  erasePage({ db, newId, keys: createTestKeys(db), lateMessagesSeconds: 0 }, erasure);
export const message = (db: UnboundDatabase, id: string) =>
  db.message.findFirstOrThrow({ where: { id }, include: { runs: { include: { attempts: true } } } });

/** The UUID of a new bulk replay of the recipient's messages. */
export const replay = async (db: UnboundDatabase, fixture: Fixture, recipientEmail = ADDRESS) =>
  (await createBatch(db, fixture, { filter: { recipientEmail } })).id;
