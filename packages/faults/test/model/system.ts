import { createHash, randomUUID } from 'node:crypto';
import {
  acceptInEnvironment,
  acceptReplay,
  cancelMessage,
  cancelRun,
  claimRuns,
  createIngest,
  createStoredResponseLookup,
  draftRuns,
  type EndedAttempt,
  findResumedStreams,
  type PlannedRun,
  pollChannels,
  refuseRuns,
  releaseExpiredLeases,
  releaseHeldRuns,
  rescheduleMessage,
  resumeStream,
  switchChannel,
  type UnboundDatabase,
} from '@postrider/db';
import {
  actorNamed,
  type ClaimOutcome,
  createFixture,
  createOwnerClaim,
  createOwnerFinish,
  createTestDatabase,
  type Fixture,
  passTime,
  testEvent,
} from '@postrider/db/testing';
import { createUuidV7Source, type IdempotencyClaim } from '@postrider/domain';
import { BOUNDS, type Model } from './model.ts';

/** The fields of a run that the model also has. */
interface ObservedRun {
  readonly status: string;
  readonly fence: number;
  readonly attempts: readonly string[];
  readonly isHeld: boolean;
  readonly isHeldForStream: boolean;
}

type Channels = Pick<Model, 'channelEnabled' | 'channelPaused'>;

interface EventOptions {
  readonly delaySeconds: number | null;
  readonly inStream: boolean;
}

const CHANNEL = {
  kind: 'email',
  name: 'mail',
  config: { smtp: { host: '127.0.0.1', port: 9, secure: false }, from: { email: 'shop@example.com' } },
} as const;
const STREAM = 'news';
/** More runs than a sequence makes. */
const MOST_RUNS = 100;
const RULES = { addressHashKey: null };

/** The service's own database functions, on one environment whose rows are removed before each sequence. */
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
    db.streamPause.deleteMany({ where: { environmentId } }),
    db.channelHealth.deleteMany({ where: { environmentId } }),
    db.channel.updateMany({ where: { environmentId }, data: { enabled: true, paused: false } }),
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

  const planned = ({ channelEnabled, channelPaused }: Channels): PlannedRun[] =>
    fixture.channels
      .map(({ id }, index) => ({
        channel: { id, kind: 'email' as const, name: 'mail' },
        templateVersionId: null,
        maxAttempts: BOUNDS.maxAttempts,
        isHeld: channelPaused[index] ?? false,
      }))
      .filter((_, index) => channelEnabled[index]);
  const channelOf = (index: number) => fixture.channels[index]?.id ?? '';
  const operator = { db, newId, actor: actorNamed('model') };

  /** The runs of an acceptance in the order of the channels. Held runs are not enqueued. */
  async function newRuns(): Promise<string[]> {
    const rows = await db.deliveryRun.findMany({
      where: { environmentId, id: { notIn: runs } },
      select: { id: true, channelId: true },
    });
    const place = new Map(fixture.channels.map(({ id }, index) => [id, index]));
    return rows
      .sort((one, other) => (place.get(one.channelId) ?? 0) - (place.get(other.channelId) ?? 0))
      .map(({ id }) => id);
  }

  const eventOf = (key: number, { delaySeconds, inStream }: EventOptions, channels: Channels) =>
    testEvent(fixture, {
      key: keyOf(key).key,
      fingerprint: keyOf(key).fingerprint,
      recipient: { email: 'ada@example.com' },
      stream: inStream ? STREAM : null,
      payload: {},
      scheduleAt: delaySeconds === null ? null : new Date(Date.now() + delaySeconds * 1_000),
      runs: planned(channels),
    });

  async function noteMessage(messageId: string): Promise<void> {
    messages.push(messageId);
    runs.push(...(await newRuns()));
  }

  return {
    async ingest(key: number, options: EventOptions, channels: Channels) {
      const outcome = await ingest(eventOf(key, options, channels));
      if (outcome.outcome === 'accepted') await noteMessage(outcome.messageId);
      return outcome.outcome;
    },
    /** Accepts an event in a transaction that does `work` before it commits, and returns the result of `work`. */
    async ingestAfter<Result>(key: number, channels: Channels, work: () => Promise<Result>): Promise<Result> {
      const results: Result[] = [];
      const outcome = await ingest({
        ...eventOf(key, { delaySeconds: null, inStream: false }, channels),
        audit: async () => void results.push(await work()),
      });
      const [result] = results;
      if (outcome.outcome !== 'accepted' || result === undefined) {
        throw new Error('the event was not accepted');
      }
      await noteMessage(outcome.messageId);
      return result;
    },
    /** Does `work` while another transaction has locked a run, without changing it. */
    whileLocked<Result>(run: number, work: () => Promise<Result>): Promise<Result> {
      return db.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT FROM delivery_runs WHERE id = ${at(runs, run)}::uuid FOR UPDATE`;
        return work();
      });
    },
    /** Whether any answer is stored for the key. */
    async hasAnswer(key: number): Promise<boolean> {
      return (await findStoredResponse(keyOf(key))) !== null;
    },
    async replay(message: number, channels: Channels) {
      const messageId = at(messages, message);
      const outcome = await acceptReplay(db, {
        ...draftRuns(planned(channels), { now: new Date(), messageId }),
        tenantId,
        environmentId,
      });
      if (outcome.outcome === 'accepted') runs.push(...(await newRuns()));
      return outcome.outcome;
    },
    /** Returns how many runs it has cancelled. */
    async cancelMessage(message: number): Promise<number> {
      return acceptInEnvironment(db, environmentId, async (tx) => {
        const changed = await cancelMessage(tx, { newId, environmentId, messageId: at(messages, message) });
        return changed?.changed.size ?? -1;
      });
    },
    /** Returns how many runs it has rescheduled. */
    async reschedule(message: number, delaySeconds: number): Promise<number> {
      const scheduleAt = new Date(Date.now() + delaySeconds * 1_000);
      return acceptInEnvironment(db, environmentId, async (tx) => {
        const moved = await rescheduleMessage(tx, {
          environmentId,
          messageId: at(messages, message),
          scheduleAt,
        });
        return moved?.changed.size ?? -1;
      });
    },
    async pause(index: number): Promise<void> {
      await switchChannel(operator, { channelId: channelOf(index), to: 'paused' });
    },
    async resume(index: number): Promise<void> {
      await switchChannel(operator, { channelId: channelOf(index), to: 'resumed' });
      await this.releaseHeld(index);
    },
    async setStreamPaused(isPaused: boolean): Promise<void> {
      if (isPaused)
        await db.$executeRaw`
          INSERT INTO stream_pauses (environment_id, stream, paused_at, delivered, complained)
          VALUES (${environmentId}::uuid, ${STREAM}, now(), 1000, 5)
          ON CONFLICT (environment_id, stream) DO UPDATE SET resumed_at = NULL`;
      else await resumeStream(operator, { environmentId, stream: STREAM });
    },
    /** Continues the release of a channel, second by second, until no run is held except for a paused stream. */
    async releaseHeld(index: number): Promise<void> {
      const channelId = channelOf(index);
      const streams = (await findResumedStreams(db, BOUNDS.channels)).get(channelId) ?? [];
      const where = { channelId, held: { in: ['paused', ...streams] }, completedAt: null };
      while ((await db.deliveryRun.count({ where })) > 0) {
        await passTime(db, channelId, 1_000);
        await releaseHeldRuns({ db }, channelId, streams);
      }
    },
    async cancel(run: number): Promise<'cancelled' | 'not_cancellable'> {
      const { isCancelled } = await acceptInEnvironment(db, environmentId, (tx) =>
        cancelRun(tx, { newId, environmentId, runId: at(runs, run) }),
      );
      return isCancelled ? 'cancelled' : 'not_cancellable';
    },
    async claim(run: number): Promise<ClaimOutcome['outcome']> {
      return (await claim({ runId: at(runs, run), attemptId: newId() })).outcome;
    },
    /** Claims all due runs of a channel that may be sent, holds or ends the others, and returns the indices of the claimed ones. */
    async claimChannel(index: number): Promise<number[]> {
      const attemptIds = Array.from({ length: MOST_RUNS }, newId);
      const ask = { channelId: channelOf(index), environmentId, slots: MOST_RUNS, renders: MOST_RUNS };
      const [answer] = await claimRuns(db, [{ ...ask, attemptIds, since: null }], RULES);
      if (!answer) throw new Error('there is no such channel');
      const refused = answer.refused.map((runId) => ({ runId, environmentId, attemptId: newId() }));
      if (refused.length > 0) await refuseRuns(db, refused, RULES);
      return answer.runs.map(({ runId }) => runs.indexOf(runId)).sort((one, other) => one - other);
    },
    /** Whether a poll finds the channel. */
    async isPolled(index: number): Promise<boolean> {
      const found = await pollChannels(db, { kinds: ['email'], without: [], aheadMs: 0, limit: 1_000 });
      return found.some(({ channelId }) => channelId === channelOf(index));
    },
    finish(
      run: number,
      lease: Pick<EndedAttempt['run'], 'attemptNumber' | 'fence'>,
      outcome: EndedAttempt['outcome'],
    ) {
      return finish({ runId: at(runs, run), ...lease }, outcome);
    },
    async release(): Promise<number> {
      return (await releaseExpiredLeases(db, 1_000)).length;
    },
    async setChannel(index: number, enabled: boolean): Promise<void> {
      const id = fixture.channels[index]?.id ?? '';
      await db.channel.update({ where: { id }, data: { enabled } });
    },
    /** Lets time pass by moving all stored times into the past. */
    async advance(seconds: number): Promise<void> {
      await db.$executeRaw`
        WITH passed AS (SELECT make_interval(secs => ${seconds}::float8) AS time), runs AS (
          UPDATE delivery_runs SET due_at = CASE WHEN held IN ('paused', 'probe', 'stream:news') THEN due_at ELSE due_at - time END,
                 lease_until = lease_until - time, scheduled_at = scheduled_at - time
            FROM passed WHERE environment_id = ${environmentId}::uuid
        )
        UPDATE idempotency_records SET expires_at = expires_at - time, created_at = created_at - time
          FROM passed WHERE environment_id = ${environmentId}::uuid`;
    },
    /** Reads the runs in the order of their creation. */
    async observe(): Promise<ObservedRun[]> {
      const rows = await db.$queryRaw<(ObservedRun & { id: string })[]>`
        SELECT run.id, run.status, run.fence, run.held IS NOT DISTINCT FROM 'paused' AND run.completed_at IS NULL AS "isHeld",
               run.held IS NOT DISTINCT FROM 'stream:news' AND run.completed_at IS NULL AS "isHeldForStream",
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
