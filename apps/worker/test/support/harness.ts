import { randomBytes, randomUUID } from 'node:crypto';
import {
  createIngest,
  type DeliveryRunRecord,
  type PlannedRun,
  type RunWakeUp,
  readDeliveries,
  type UnboundDatabase,
} from '@postrider/db';
import {
  createFixture,
  createTestDatabase,
  type Fixture,
  type FixtureInput,
  type TestDatabase,
  testEvent,
  testRedisUrl,
} from '@postrider/db/testing';
import {
  createSecretBox,
  type EncryptionKey,
  type JsonObject,
  type RunStatus,
  type SecretBox,
} from '@postrider/domain';
import { createProducer, type Producer } from '@postrider/queue';
import { waitFor } from '@postrider/rig';
import { createLogger } from '@postrider/telemetry';
import { openSharedRenderer } from '../../../../packages/rendering/test/shared-renderer.ts';
import { type ComposeOptions, type RunningWorker, startWorker } from '../../src/compose.ts';
import type { Config } from '../../src/config.ts';
import type { SweepPauses } from '../../src/sweeps/start.ts';
import type { Sweep } from '../../src/sweeps/sweeps.ts';

/** The pauses of these sweeps for tests, in milliseconds. */
const FAST_SWEEPS = {
  deletedChannels: 200,
  expiredSecrets: 200,
  expiredMessages: 200,
  stats: 200,
  replayBatches: 50,
  health: 100,
  operationalEvents: 200,
  expiringSecrets: 200,
  quotaThresholds: 200,
  attention: 200,
  complaints: 200,
  ordering: 50,
  limits: 100,
  auditChain: 100,
  listeners: 100,
} satisfies SweepPauses;

type FastSweep = keyof typeof FAST_SWEEPS;

/** With the pauses above, the sweeps of each worker would take a fifth of a core, and most tests do not wait for them. */
const SLOW_SWEEP_MS = 2_000;
export const USUAL_SWEEPS: Readonly<Record<Sweep, number>> = {
  leases: 500,
  erasures: SLOW_SWEEP_MS,
  deletedChannels: SLOW_SWEEP_MS,
  expiredSecrets: SLOW_SWEEP_MS,
  expiredMessages: SLOW_SWEEP_MS,
  stats: SLOW_SWEEP_MS,
  replayBatches: SLOW_SWEEP_MS,
  health: SLOW_SWEEP_MS,
  operationalEvents: SLOW_SWEEP_MS,
  expiringSecrets: SLOW_SWEEP_MS,
  ordering: SLOW_SWEEP_MS,
  limits: SLOW_SWEEP_MS,
  auditChain: SLOW_SWEEP_MS,
  expiredAnswers: 60_000,
  consoleSessions: 60_000,
  quotaThresholds: 60_000,
  oldStats: 60_000,
  attention: 60_000,
  complaints: 60_000,
  idleKeys: 60_000,
  listeners: 60_000,
  presence: 10_000,
};

/** Few, because a session costs PostgreSQL some 60 ms of processor time: it plans the statements that it gets. */
export const POOL_SIZE = 4;

/** Long enough for a busy machine: the channel of a job that is not added is found later by a poll. */
const PRODUCER_DEADLINE_MS = 10_000;

export interface AcceptedEvent {
  readonly messageId: string;
  /** One per channel, in the fixture's order. */
  readonly runIds: readonly string[];
  readonly wakeUps: readonly RunWakeUp[];
}

interface EventDetails {
  readonly eventKey?: string;
  readonly recipient?: JsonObject;
  readonly payload?: JsonObject;
  readonly files?: readonly Uint8Array[];
  readonly scheduleAt?: Date | null;
  readonly maxAttempts?: number;
  readonly stream?: string;
  readonly ignoreSuppression?: boolean;
  readonly orderingKey?: string;
  readonly traceparent?: string;
  /** Whether to enqueue the runs, like the API after its commit. */
  readonly enqueue?: boolean;
  /** Indices of the fixture's channels. Default: all. */
  readonly channels?: readonly number[];
}

/** A database, a key prefix in Redis and any number of workers, all removed by `close`. */
export interface Harness {
  readonly db: UnboundDatabase;
  readonly databaseUrl: string;
  readonly keyPrefix: string;
  readonly producer: Producer;
  readonly secretBox: SecretBox;
  /** The value of `ENCRYPTION_KEYS` for a worker in a process of its own. */
  readonly encryptionKeys: string;
  readonly log: Record<string, unknown>[];
  fixture(input: FixtureInput): Promise<Fixture & { input: FixtureInput }>;
  startWorker(options?: ComposeOptions & Partial<Config>): Promise<RunningWorker>;
  accept(fixture: Fixture & { input: FixtureInput }, details?: EventDetails): Promise<AcceptedEvent>;
  run(fixture: Fixture, event: AcceptedEvent, index?: number): Promise<DeliveryRunRecord>;
  /** Waits until the run has one of the statuses. */
  runIn(
    fixture: Fixture,
    event: AcceptedEvent,
    statuses: readonly RunStatus[],
    index?: number,
  ): Promise<DeliveryRunRecord>;
  /** Waits until every run of the environment has ended, and returns their statuses by id. */
  drained(fixture: Fixture): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

interface HarnessOptions {
  /** What its producer and its workers use; the run's Redis by default. */
  readonly redisUrl?: string;
  /** The sweeps that its tests wait for. The others run at {@link USUAL_SWEEPS}. */
  readonly fastSweeps?: readonly FastSweep[];
  /** Connections of the test and of each worker. */
  readonly poolSize?: number;
  /** A database with rows of its own, which `close` drops; by default a new one. */
  readonly database?: TestDatabase;
  /** The key of the database's secrets; by default a random one. */
  readonly key?: EncryptionKey;
}

/** Starts a harness with a database and a key prefix of its own. */
export async function startHarness({
  redisUrl = testRedisUrl(),
  fastSweeps = [],
  poolSize = POOL_SIZE,
  key = { id: 'test', key: randomBytes(32) },
  ...options
}: HarnessOptions = {}): Promise<Harness> {
  const database = options.database ?? (await createTestDatabase({ poolSize }));
  const { db } = database;
  const keyPrefix = `test-${randomUUID()}`;
  const keys: EncryptionKey[] = [key];
  const secretBox = createSecretBox(keys);
  const producer = createProducer({
    redisUrl,
    prefix: keyPrefix,
    deadlineMs: PRODUCER_DEADLINE_MS,
    onError: () => undefined,
  });
  const ingest = createIngest(db);
  const sweepPauses: SweepPauses = {
    ...USUAL_SWEEPS,
    ...Object.fromEntries(fastSweeps.map((sweep) => [sweep, FAST_SWEEPS[sweep]])),
  };
  const workers: RunningWorker[] = [];
  const log: Record<string, unknown>[] = [];
  await waitFor('Redis', () => producer.ready());

  async function run(fixture: Fixture, { messageId, runIds }: AcceptedEvent, index = 0) {
    const runs = await readDeliveries(db, { environmentId: fixture.environmentId, messageId });
    const found = runs?.rows.find(({ id }) => id === runIds[index]);
    if (!found) throw new Error('the run is not there');
    return found;
  }

  return {
    db,
    databaseUrl: database.urlFor('postrider_worker'),
    keyPrefix,
    producer,
    secretBox,
    encryptionKeys: `${key.id}:${Buffer.from(key.key).toString('base64')}`,
    log,
    fixture: async (input) => ({ ...(await createFixture(db, input, secretBox)), input }),
    async startWorker(options = {}) {
      const logger = createLogger({
        service: 'worker',
        level: 'info',
        write: (line) => log.push(JSON.parse(line)),
      });
      const config: Config = {
        databaseUrl: database.urlFor('postrider_worker'),
        redisUrl,
        host: '127.0.0.1',
        port: 0,
        metricsPort: 0,
        encryptionKeys: keys,
        egressAllowCidrs: ['127.0.0.0/8'],
        concurrency: 100,
        queueShards: 1,
        webhookClient: 'node',
        egressProxy: null,
        webhookHttpsOnly: false,
        awsKeyless: false,
        auditEnvironment: null,
        publicUrl: 'https://mail.test',
        logLevel: 'info',
        nodeEnv: 'test',
        otlpEndpoint: null,
        otlpTracesEndpoint: null,
        tracesSampler: 'parentbased_always_on',
        tracesSamplerRatio: 1,
        ...options,
      };
      const worker = await startWorker(config, logger, {
        keyPrefix,
        poolSize,
        sweepPauses,
        processMetrics: false,
        openRenderer: openSharedRenderer,
        ...options,
      });
      workers.push(worker);
      return worker;
    },
    async accept(fixture, details = {}) {
      const { eventKey = 'order.shipped', maxAttempts = 5, enqueue = true } = details;
      const channels = details.channels ?? fixture.channels.map((_channel, index) => index);
      const runs: PlannedRun[] = channels.map((index) => {
        const { kind, name } = fixture.input.channels?.[index] ?? { kind: 'webhook' as const, name: '' };
        const template =
          fixture.input.templates?.findIndex((candidate) => candidate.channelKind === kind) ?? -1;
        return {
          channel: { id: fixture.channels[index]?.id ?? '', kind, name },
          templateVersionId: fixture.templates[template]?.id ?? null,
          maxAttempts,
          isOrdered: fixture.input.channels?.[index]?.ordering === 'key',
        };
      });
      const outcome = await ingest({
        ...testEvent(fixture, {
          eventKey,
          recipient: details.recipient ?? { email: 'ada@example.com', name: 'Ada' },
          payload: details.payload ?? { order: 1 },
          scheduleAt: details.scheduleAt ?? null,
          requestId: 'test-request',
          traceparent: details.traceparent ?? null,
          stream: details.stream ?? null,
          ignoreSuppression: details.ignoreSuppression ?? false,
          orderingKey: details.orderingKey ?? null,
          runs,
        }),
        files: details.files,
      });
      if (outcome.outcome !== 'accepted') throw new Error(`not accepted: ${outcome.outcome}`);
      if (enqueue) await producer.enqueue(outcome.wakeUps);
      const created = await db.deliveryRun.findMany({ where: { messageId: outcome.messageId } });
      const runIds = runs.map(
        ({ channel }) => created.find(({ channelId }) => channelId === channel.id)?.id ?? '',
      );
      return { messageId: outcome.messageId, runIds, wakeUps: outcome.wakeUps };
    },
    run,
    runIn: (fixture, event, statuses, index = 0) =>
      waitFor(`a run that is ${statuses.join(' or ')}`, async () => {
        // Most checks need only this statement; reading the whole run takes eight.
        const where = { id: event.runIds[index] ?? '', status: { in: [...statuses] } };
        if ((await db.deliveryRun.count({ where })) === 0) return false;
        const found = await run(fixture, event, index);
        return statuses.includes(found.status) && found;
      }),
    drained: ({ environmentId }) =>
      waitFor('all runs to end', async () => {
        const where = { environmentId };
        if (await db.deliveryRun.findFirst({ where: { ...where, completedAt: null } })) return false;
        const runs = await db.deliveryRun.findMany({ where, select: { id: true, status: true } });
        return new Map(runs.map(({ id, status }) => [id, status]));
      }),
    async close() {
      await Promise.all(workers.map((worker) => worker.stop(0)));
      await producer.close();
      await database.drop();
    },
  };
}
