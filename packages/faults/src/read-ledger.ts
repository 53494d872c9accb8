import type { Database } from '@postrider/db';
import { formatId, type RunStatus } from '@postrider/domain';
import type {
  DatabaseLedger,
  LedgerAttempt,
  LedgerIdempotencyRecord,
  LedgerMessage,
  LedgerRun,
  LedgerTransition,
  LedgerUsage,
} from './ledgers.ts';
import { FINAL_STATUSES } from './state-table.ts';

/** Rows per query, for tables with several rows per run. */
const PAGE = 50_000;

const ms = (date: Date | null): number | null => date?.getTime() ?? null;

async function readMessages(db: Database): Promise<LedgerMessage[]> {
  const rows = await db.$queryRaw<
    {
      id: string;
      environment_id: string;
      reference: string | null;
      variant: string | null;
      replay_count: number;
      channel_count: number;
    }[]
  >`SELECT id, environment_id, payload ->> 'reference' AS reference, payload ->> 'variant' AS variant, replay_count,
           (SELECT count(*)::int FROM channels WHERE environment_id = messages.environment_id AND enabled
               AND event_keys && ARRAY['*', event_key]) AS channel_count
      FROM messages ORDER BY id`;
  return rows.map((row) => ({
    id: formatId('msg', row.id),
    environmentId: formatId('env', row.environment_id),
    reference: row.reference ?? '',
    variant: row.variant ?? '',
    replayCount: row.replay_count,
    channelCount: row.channel_count,
  }));
}

async function readAttempts(db: Database): Promise<Map<string, LedgerAttempt[]>> {
  const byRun = new Map<string, LedgerAttempt[]>();
  const rows = await db.attempt.findMany({
    select: {
      runId: true,
      number: true,
      fence: true,
      status: true,
      errorCode: true,
      startedAt: true,
      completedAt: true,
      sender: true,
      tried: true,
    },
    orderBy: [{ runId: 'asc' }, { number: 'asc' }],
  });
  for (const row of rows) {
    const attempt = {
      number: row.number,
      fence: row.fence,
      status: row.status as LedgerAttempt['status'],
      errorCode: row.errorCode as LedgerAttempt['errorCode'],
      startedAt: row.startedAt.getTime(),
      completedAt: ms(row.completedAt),
      ...(row.sender === null ? {} : { sender: row.sender }),
      ...(row.tried === null ? {} : { tried: row.tried as unknown as Required<LedgerAttempt>['tried'] }),
    };
    const attempts = byRun.get(row.runId);
    if (attempts) attempts.push(attempt);
    else byRun.set(row.runId, [attempt]);
  }
  return byRun;
}

async function readRuns(db: Database): Promise<LedgerRun[]> {
  const attempts = await readAttempts(db);
  const rows = await db.deliveryRun.findMany({ orderBy: { id: 'asc' } });
  return rows.map((row) => ({
    id: formatId('run', row.id),
    messageId: formatId('msg', row.messageId),
    replay: row.replay,
    status: row.status as RunStatus,
    maxAttempts: row.maxAttempts,
    attemptCount: row.attemptCount,
    fence: row.fence,
    scheduledAt: ms(row.scheduledAt),
    dueAt: row.dueAt.getTime(),
    createdAt: row.createdAt.getTime(),
    completedAt: ms(row.completedAt),
    place:
      row.orderingKey === null || row.sequence === null
        ? null
        : {
            channelId: formatId('chn', row.channelId),
            key: row.orderingKey,
            sequence: Number(row.sequence),
          },
    attempts: attempts.get(row.id) ?? [],
  }));
}

async function readIdempotency(db: Database): Promise<LedgerIdempotencyRecord[]> {
  const rows = await db.$queryRaw<
    {
      environment_id: string;
      operation: string;
      key: string;
      message_id: string | null;
      run_id: string | null;
    }[]
  >`SELECT environment_id, operation, key, body ->> 'message_id' AS message_id, body ->> 'id' AS run_id
      FROM idempotency_records CROSS JOIN LATERAL (SELECT convert_from(response_body, 'UTF8')::jsonb AS body) stored`;
  return rows.map((row) => ({
    environmentId: formatId('env', row.environment_id),
    operation: row.operation,
    key: row.key,
    messageId: row.message_id,
    runId: row.run_id,
  }));
}

async function readUsage(db: Database): Promise<LedgerUsage> {
  const tenants = await db.$queryRaw<{ id: string; used: number; limit: number | null }[]>`
    SELECT tenants.id, sum(events_used)::float8 AS used, events_per_month AS limit
      FROM tenants JOIN tenant_usage ON tenant_id = tenants.id JOIN plans ON code = plan_code
     GROUP BY tenants.id, events_per_month`;
  const environments = await db.$queryRaw<{ id: string; tenant_id: string; used: number }[]>`
    SELECT environments.id, tenant_id, sum(events_used)::float8 AS used
      FROM environments JOIN environment_usage ON environment_id = environments.id
     GROUP BY environments.id, tenant_id`;
  return {
    tenants: tenants.map((row) => ({ ...row, tenantId: formatId('ten', row.id) })),
    environments: environments.map((row) => ({
      environmentId: formatId('env', row.id),
      tenantId: formatId('ten', row.tenant_id),
      used: row.used,
    })),
  };
}

async function readTransitions(db: Database): Promise<LedgerTransition[]> {
  const transitions: LedgerTransition[] = [];
  for (let last = 0n; ; ) {
    const rows = await db.$queryRaw<
      { id: bigint; run_id: string; before: RunStatus | null; after: RunStatus }[]
    >`
      SELECT id, run_id, before, after FROM fault_transitions WHERE id > ${last} ORDER BY id LIMIT ${PAGE}`;
    for (const row of rows) {
      transitions.push({ runId: formatId('run', row.run_id), from: row.before, to: row.after });
    }
    const end = rows.at(-1);
    if (!end) return transitions;
    last = end.id;
  }
}

/** Reads the ledger of the database. The service must have drained: the queries do not share a snapshot. */
export async function readDatabaseLedger(db: Database): Promise<DatabaseLedger> {
  return {
    messages: await readMessages(db),
    runs: await readRuns(db),
    idempotency: await readIdempotency(db),
    usage: await readUsage(db),
    transitions: await readTransitions(db),
  };
}

/** Counts the runs that have not ended. */
export async function countOpenRuns(db: Database): Promise<number> {
  return db.deliveryRun.count({ where: { status: { notIn: [...FINAL_STATUSES] } } });
}
