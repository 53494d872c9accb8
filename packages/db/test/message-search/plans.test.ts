import type { MessageFilter } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { acrossEnvironments, openDatabase, type Prisma, type UnboundDatabase } from '../../src/client.ts';
import { findMessages, readChunk } from '../../src/read/message-search.ts';
import { createFixture, createTestDatabase, type TestDatabase } from '../../src/testing/index.ts';
import { explainFirst, type PlanNode, rowsRead } from '../plan-nodes.ts';
import { WEBHOOK } from '../support.ts';

const MESSAGES = 200_000;
const SLICE = 10_000;
const SLICE_TIMEOUT_MS = 60_000;
const ROWS = 2_000;
/** A candidate's message, its run, and that run looked at once more for another filter. */
const MAX_ROWS_PER_CANDIDATE = 4;
const FIRST_AT = Date.UTC(2026, 9, 1);
const at = (index: number) => new Date(FIRST_AT + index);

let database: TestDatabase;
/** With the role of the API, whose policies keep functions that are not leakproof out of the conditions of an index. */
let api: UnboundDatabase;
let environmentId: string;
let commonChannel: string;
let rareChannel: string;

/**
 * One message per millisecond, each with a run; what is rare is spread evenly. The rows are made to fit, and without
 * foreign keys they are inserted in half the time. Ids are in the order of time, as those of the service.
 */
async function fillSlice(tx: Prisma.TransactionClient, from: number, to: number): Promise<void> {
  await tx.$executeRaw`SET LOCAL session_replication_role = 'replica'`;
  await tx.$executeRaw`
    INSERT INTO messages (environment_id, id, event_key, recipient, recipient_email, payload, trace_id, created_at)
    SELECT ${environmentId}::uuid,
           (lpad(to_hex(${FIRST_AT}::bigint + i), 12, '0') || '7000a000' || lpad(to_hex(i), 12, '0'))::uuid,
           CASE WHEN i % 10000 = 1 THEN 'invoice.paid' ELSE 'order.shipped' END,
           '{}', 'user' || i % 50000 || '@example.com', '{}', '0', to_timestamp((${FIRST_AT}::bigint + i) / 1000.0)
      FROM generate_series(${from}::int, ${to}::int - 1) AS i`;
  await tx.$executeRaw`
    INSERT INTO delivery_runs (id, environment_id, message_id, channel_id, channel_kind, status, max_attempts, due_at,
                               scheduled_at, completed_at, created_at, last_error_code)
    SELECT (lpad(to_hex(${FIRST_AT}::bigint + i), 12, '0') || '7000b000' || lpad(to_hex(i), 12, '0'))::uuid,
           ${environmentId}::uuid,
           (lpad(to_hex(${FIRST_AT}::bigint + i), 12, '0') || '7000a000' || lpad(to_hex(i), 12, '0'))::uuid,
           CASE WHEN i % 5000 = 2 THEN ${rareChannel}::uuid ELSE ${commonChannel}::uuid END, 'webhook',
           status, 3, now(), CASE status WHEN 'scheduled' THEN now() END,
           CASE WHEN status IN ('succeeded', 'failed') THEN now() END, now(),
           CASE WHEN i % 20000 = 7 THEN 'webhook_endpoint_gone' WHEN status IN ('failed', 'retrying') THEN 'webhook_http_error' END
      FROM (SELECT i, CASE WHEN i % 50 = 7 THEN 'failed' WHEN i % 5000 = 3 THEN 'retrying'
                           WHEN i % 5000 = 4 THEN 'scheduled' ELSE 'succeeded' END AS status
              FROM generate_series(${from}::int, ${to}::int - 1) AS i) AS numbered`;
}

/** Inserts in slices, each far below the time limit of a statement. */
async function fill(): Promise<void> {
  for (let from = 0; from < MESSAGES; from += SLICE) {
    await database.db.$transaction((tx) => fillSlice(tx, from, from + SLICE), { timeout: SLICE_TIMEOUT_MS });
  }
  await database.db.$executeRaw`ANALYZE messages, delivery_runs`;
}

beforeAll(async () => {
  database = await createTestDatabase();
  const fixture = await createFixture(database.db, { channels: [WEBHOOK, { ...WEBHOOK, name: 'rare' }] });
  environmentId = fixture.environmentId;
  commonChannel = fixture.channels[0]?.id ?? '';
  rareChannel = fixture.channels[1]?.id ?? '';
  await fill();
  api = acrossEnvironments(openDatabase(database.urlFor('postrider_api')));
}, 180_000);
afterAll(async () => {
  await api.$disconnect();
  await database.drop();
});

/** The nodes of the plan that read a table, as Postgres has executed it. */
async function tableReads(filter: MessageFilter, after: string | null): Promise<PlanNode[]> {
  const search = { environmentId, filter, after };
  const nodes = await explainFirst(api, (db) => readChunk(db, search, ROWS, 26));
  return nodes.filter((node) => node['Relation Name'] !== undefined);
}

const FILTERS: readonly (readonly [string, () => MessageFilter, number | 'many'])[] = [
  ['nothing', () => ({}), 'many'],
  ['an address', () => ({ recipientEmail: 'user7@example.com' }), 4],
  ['an address without messages', () => ({ recipientEmail: 'nobody@example.com' }), 0],
  ['a rare event key', () => ({ eventKey: 'invoice.paid' }), 20],
  ['a common event key', () => ({ eventKey: 'order.shipped' }), 'many'],
  ['an event key without messages', () => ({ eventKey: 'no.such' }), 0],
  ['a time', () => ({ createdAfter: at(100), createdBefore: at(110) }), 10],
  ['a common error', () => ({ errorCode: 'webhook_http_error' }), 'many'],
  ['a rare error', () => ({ errorCode: 'webhook_endpoint_gone' }), 10],
  ['an error without runs', () => ({ errorCode: 'smtp_auth_failed' }), 0],
  ['a rare error of a time', () => ({ errorCode: 'webhook_endpoint_gone', createdBefore: at(50_000) }), 3],
  ['a rare channel', () => ({ channelId: rareChannel }), 40],
  ['a common channel', () => ({ channelId: commonChannel }), 'many'],
  ['failed runs', () => ({ runStatus: 'failed' }), 'many'],
  ['failed runs of a channel without any', () => ({ runStatus: 'failed', channelId: rareChannel }), 0],
  ['failed runs of a rare event key', () => ({ runStatus: 'failed', eventKey: 'invoice.paid' }), 0],
  ['retrying runs', () => ({ runStatus: 'retrying' }), 40],
  ['scheduled runs', () => ({ runStatus: 'scheduled' }), 40],
  ['queued runs, if there are none', () => ({ runStatus: 'queued' }), 0],
  ['a kind without runs', () => ({ channelKind: 'email' }), 0],
  ['failed messages', () => ({ status: 'failed' }), 'many'],
  ['cancelled messages, if there are none', () => ({ status: 'cancelled' }), 0],
  ['pending messages', () => ({ status: 'pending' }), 80],
];

describe('the search among 200,000 messages, for', () => {
  it.each(FILTERS)('%s reads a bounded number of rows by an index', async (_what, filter) => {
    const middle = await findMessages(api, {
      environmentId,
      filter: { createdBefore: at(MESSAGES / 2) },
      after: null,
      limit: 1,
    });
    for (const after of [null, middle.rows[0] ?? '']) {
      const reads = await tableReads(filter(), after);
      expect(reads.length).toBeGreaterThan(0);
      expect(reads.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      expect(rowsRead(reads)).toBeLessThanOrEqual(ROWS * MAX_ROWS_PER_CANDIDATE);
    }
  });

  it.each(FILTERS)('%s finds all matches over several calls', async (_what, filter, expected) => {
    const found: string[] = [];
    let after: string | null = null;
    do {
      const page = await findMessages(api, { environmentId, filter: filter(), after, limit: 1_000 });
      found.push(...page.rows);
      after = page.nextAfter;
    } while (after !== null && found.length < 5_000);
    expect(found).toEqual([...new Set(found)].sort().reverse());
    if (expected === 'many') expect(found.length).toBeGreaterThan(1_000);
    else expect(found).toHaveLength(expected);
  });
});
