import { groupBy } from '@postrider/domain';
import type { LedgerIdempotencyRecord, Ledgers } from '../ledgers.ts';
import type { Violation } from './violation.ts';

type Records = readonly LedgerIdempotencyRecord[];

const differs = (subject: string, detail: string): Violation => ({
  kind: 'idempotency_record_differs',
  subject,
  detail,
});

/** Each message has exactly one stored answer, unless its key is a day old. */
function* checkEvents({ client, database }: Ledgers, records: Records): Generator<Violation> {
  const expired = new Set(
    client.requests.filter(({ key }) => client.expiredKeys.includes(key)).map(({ reference }) => reference),
  );
  const byMessage = groupBy(records, ({ messageId }) => messageId ?? '');
  for (const { id, reference } of database.messages) {
    const count = byMessage.get(id)?.length ?? 0;
    if (count === 1 || (count === 0 && expired.has(reference))) continue;
    yield differs(id, `${count} records for the message`);
  }
  const messages = new Set(database.messages.map(({ id }) => id));
  for (const { key, messageId } of records) {
    if (messageId !== null && messages.has(messageId)) continue;
    yield differs(key, `record of absent ${messageId}`);
  }
}

/** Each replay has a stored answer: the client of a fault run sends a key with each. */
function* checkReplays({ database }: Ledgers, records: Records): Generator<Violation> {
  const byMessage = groupBy(records, ({ messageId }) => messageId ?? '');
  for (const { id, replayCount } of database.messages) {
    const count = byMessage.get(id)?.length ?? 0;
    if (count !== replayCount) yield differs(id, `${count} records for ${replayCount} replays`);
  }
}

/** Each cancelled run has a stored answer, and no other run has one. */
function* checkCancels({ database }: Ledgers, records: Records): Generator<Violation> {
  const byRun = groupBy(records, ({ runId }) => runId ?? '');
  for (const { id, status } of database.runs) {
    const count = byRun.get(id)?.length ?? 0;
    if (count !== (status === 'cancelled' ? 1 : 0))
      yield differs(id, `${count} records, the run is ${status}`);
  }
}

/** Compares the stored answers of each operation with what they describe. */
export function* checkIdempotency(ledgers: Ledgers): Generator<Violation> {
  const records = groupBy(ledgers.database.idempotency, ({ operation }) => operation);
  yield* checkEvents(ledgers, records.get('events.create') ?? []);
  yield* checkReplays(ledgers, records.get('messages.replay') ?? []);
  yield* checkCancels(ledgers, records.get('delivery-runs.cancel') ?? []);
}
