import { createHash, randomUUID } from 'node:crypto';
import {
  acceptReplay,
  type CancelOutcome,
  type ClaimOutcome,
  cancelRun,
  createAccepting,
  createIngest,
  createStoredResponseLookup,
  draftRuns,
  type FinishAttempt,
  type IdempotencyClaim,
  type PlannedRun,
  releaseExpiredLeases,
  type UnboundDatabase,
} from '@postrider/db';
import {
  createFixture,
  createOwnerClaim,
  createOwnerFinish,
  createTestDatabase,
  type Fixture,
  testEvent,
} from '@postrider/db/testing';
import { createUuidV7Source } from '@postrider/domain';
import { BOUNDS } from './model.ts';

/** A run as the model tells of it, too. */
export interface ObservedRun {
  readonly status: string;
  readonly fence: number;
  readonly attempts: readonly string[];
}

const CHANNEL = { kind: 'webhook', name: 'hook', config: { url: 'http://127.0.0.1:9/hook' } } as const;

/** The service's own database functions, on rows of one environment that each sequence begins without. */
export async function openSystem() {
  const { db, drop } = await createTestDatabase();
  const fixture = await createFixture(db, {
    plan: { eventsPerMonth: BOUNDS.events },
    channels: Array.from({ length: BOUNDS.channels }, () => CHANNEL),
  });
  return { begin: () => begin(db, fixture), drop };
}

export type System = Awaited<ReturnType<typeof begin>>;

async function clear(db: UnboundDatabase, { tenantId, environmentId }: Fixture): Promise<void> {
  await db.$transaction([
    db.message.deleteMany({ where: { environmentId } }),
    db.idempotencyRecord.deleteMany({ where: { environmentId } }),
    db.environmentUsage.deleteMany({ where: { environmentId } }),
    db.tenantUsage.deleteMany({ where: { tenantId } }),
    db.channel.updateMany({ where: { environmentId }, data: { enabled: true } }),
  ]);
}

async function begin(db: UnboundDatabase, fixture: Fixture) {
  await clear(db, fixture);
  const { tenantId, environmentId } = fixture;
  const newId = createUuidV7Source();
  const ingest = createIngest(db);
  const claim = createOwnerClaim(db);
  const finish = createOwnerFinish(db);
  const findStoredResponse = createStoredResponseLookup(db);
  const accept = createAccepting(db);
  const keys = new Map<number, IdempotencyClaim>();
  const runs: string[] = [];
  const messages: string[] = [];

  const at = (ids: readonly string[], index: number): string => {
    const id = ids[index];
    if (id === undefined) throw new Error(`the system has nothing at ${index}`);
    return id;
  };

  function keyOf(key: number): IdempotencyClaim {
    const known = keys.get(key);
    if (known) return known;
    const made = {
      environmentId,
      operation: 'events.create',
      key: randomUUID(),
      fingerprint: createHash('sha256').update(String(key)).digest(),
    } as const;
    keys.set(key, made);
    return made;
  }

  const planned = (enabled: readonly boolean[]): PlannedRun[] =>
    fixture.channels
      .filter((_, index) => enabled[index])
      .map(({ id }) => ({
        channel: { id, kind: 'webhook', name: 'hook' },
        templateVersionId: null,
        maxAttempts: BOUNDS.maxAttempts,
      }));

  return {
    async ingest(key: number, delaySeconds: number | null, enabled: readonly boolean[]) {
      const outcome = await ingest(
        testEvent(fixture, {
          key: keyOf(key).key,
          fingerprint: keyOf(key).fingerprint,
          recipient: {},
          payload: {},
          scheduleAt: delaySeconds === null ? null : new Date(Date.now() + delaySeconds * 1_000),
          runs: planned(enabled),
        }),
      );
      if (outcome.outcome === 'accepted') {
        messages.push(outcome.messageId);
        runs.push(...outcome.enqueue.map((run) => run.runId));
      }
      return outcome.outcome;
    },
    /** Whether an answer is stored for the key, whatever it is. */
    async hasAnswer(key: number): Promise<boolean> {
      return (await findStoredResponse(keyOf(key))) !== null;
    },
    async replay(message: number, enabled: readonly boolean[]) {
      const messageId = at(messages, message);
      const outcome = await acceptReplay(db, {
        ...draftRuns(planned(enabled), { now: new Date(), messageId }),
        tenantId,
        environmentId,
        traceparent: null,
        response: null,
      });
      if (outcome.outcome === 'accepted') runs.push(...outcome.enqueue.map((run) => run.runId));
      return outcome.outcome;
    },
    async cancel(run: number): Promise<CancelOutcome['outcome'] | 'duplicate' | 'in_progress'> {
      const outcome = await accept(environmentId, (tx) =>
        cancelRun(tx, { newId, environmentId, runId: at(runs, run) }),
      );
      return outcome.outcome;
    },
    async claim(run: number): Promise<ClaimOutcome['outcome']> {
      return (await claim({ runId: at(runs, run), attemptId: newId() })).outcome;
    },
    async finish(
      run: number,
      request: Omit<Parameters<FinishAttempt>[0], 'runId' | 'environmentId' | 'durationMs' | 'response'>,
    ) {
      return (await finish({ runId: at(runs, run), durationMs: 1, response: null, ...request })).outcome;
    },
    async release(): Promise<number> {
      return (await releaseExpiredLeases(db, 1_000)).length;
    },
    async setChannel(index: number, enabled: boolean): Promise<void> {
      const id = fixture.channels[index]?.id ?? '';
      await db.channel.update({ where: { id }, data: { enabled } });
    },
    /** Lets time pass by moving everything that is due, held or kept into the past. */
    async advance(seconds: number): Promise<void> {
      await db.$executeRaw`
        WITH passed AS (SELECT make_interval(secs => ${seconds}::float8) AS time), runs AS (
          UPDATE delivery_runs SET due_at = due_at - time, lease_until = lease_until - time,
                 scheduled_at = scheduled_at - time
            FROM passed WHERE environment_id = ${environmentId}::uuid
        )
        UPDATE idempotency_records SET expires_at = expires_at - time, created_at = created_at - time
          FROM passed WHERE environment_id = ${environmentId}::uuid`;
    },
    /** The runs in the order in which they were made. */
    async observe(): Promise<ObservedRun[]> {
      const rows = await db.$queryRaw<(ObservedRun & { id: string })[]>`
        SELECT run.id, run.status, run.fence,
               ARRAY(SELECT attempt.status FROM attempts attempt WHERE attempt.run_id = run.id ORDER BY number) AS attempts
          FROM delivery_runs run WHERE environment_id = ${environmentId}::uuid`;
      const byId = new Map(rows.map(({ id, ...run }) => [id, run]));
      return runs.flatMap((id) => byId.get(id) ?? []);
    },
    /** Messages, and events counted for the environment and for the tenant. */
    async totals() {
      const [environment] = await db.environmentUsage.findMany({ where: { environmentId } });
      const [tenant] = await db.tenantUsage.findMany({ where: { tenantId } });
      return {
        messages: await db.message.count({ where: { environmentId } }),
        environment: Number(environment?.eventsUsed ?? 0),
        tenant: Number(tenant?.eventsUsed ?? 0),
      };
    },
  };
}
