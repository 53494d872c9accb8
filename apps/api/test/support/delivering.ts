import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '@postrider/db';
import {
  createFixture,
  createTestDatabase,
  createTestKeys,
  type FixtureInput,
  type TestDatabase,
} from '@postrider/db/testing';
import { createSecretBox, formatId } from '@postrider/domain';
import { startRedis } from '@postrider/local-stack';
import { createService, productionEnvironment } from '@postrider/local-stack/testing';
import { createProducer } from '@postrider/queue';
import { waitFor } from '@postrider/rig';
import { afterAll, beforeAll } from '@postrider/testing';
import { postrider } from '../../../../packages/cli/test/support/command-line.ts';
import type { AppDeps } from '../../src/app.ts';
import { ADMIN_TOKEN, anEvent, startApi, type TestApi } from './api.ts';

/** The parts of a run and its newest attempt that these tests read. */
interface ShownRun {
  readonly id: string;
  readonly status: string;
  readonly feedback: Readonly<Record<string, unknown>> | null;
  readonly attempts: readonly Readonly<Record<string, unknown>>[];
}

/** A message that was accepted, and its only run. Ids are public. */
export interface Sent {
  readonly messageId: string;
  readonly runId: string;
}

interface Running {
  readonly database: TestDatabase;
  readonly api: TestApi;
}

const ENDED = new Set(['succeeded', 'failed', 'cancelled']);

/**
 * The whole way of an event for the tests of a file: an API in this process, whose documents of providers a test may
 * give, a queue, a worker in a process of its own, and the command line.
 */
export function useDelivery(overrides: Partial<AppDeps> = {}) {
  const undo: (() => Promise<unknown>)[] = [];
  let running: Running | undefined;
  const secret = randomBytes(32);
  const secretBox = createSecretBox([{ id: 'test', key: secret }]);
  const publicUrl = 'https://mail.test';

  beforeAll(async () => {
    const database = await createTestDatabase();
    undo.push(() => database.drop());
    const redis = await startRedis();
    undo.push(() => redis.stop());
    const restricted: Database = openDatabase(database.urlFor('postrider_api'));
    undo.push(() => restricted.$disconnect());
    const producer = createProducer({ redisUrl: redis.url, onError: () => undefined });
    undo.push(() => producer.close());
    const serviceKeys = createTestKeys(database.db, secretBox);
    const enqueue: AppDeps['enqueue'] = (runs) => producer.enqueue(runs);
    const api = await startApi(restricted, { secretBox, serviceKeys, publicUrl, enqueue, ...overrides });
    undo.push(() => api.stop());
    const stores = { databaseUrl: database.urlFor('postrider_worker'), redisUrl: redis.url };
    const worker = await createService({
      app: 'worker',
      env: {
        ...productionEnvironment({ ...stores, key: { id: 'test', key: secret } }),
        PATH: process.env.PATH,
        // Production refuses the key of the tests.
        NODE_ENV: 'test',
        PUBLIC_URL: publicUrl,
      },
    });
    undo.push(worker.kill);
    await worker.start();
    running = { database, api };
  }, 120_000);
  afterAll(async () => {
    for (const step of undo.splice(0).reverse()) await step();
    running = undefined;
  });

  function started(): Running {
    if (!running) throw new Error('the service is there once the tests run');
    return running;
  }
  const api = () => started().api;

  /** Runs a command line as an operator; it must succeed. */
  async function command<Result = Record<string, unknown>>(
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<Result> {
    const connection = { POSTRIDER_URL: api().url, ADMIN_TOKEN };
    const { code, stderr, json } = await postrider([...args, '--json'], { env: { ...connection, ...env } });
    if (code !== 0) throw new Error(`postrider ${args.join(' ')} ended with ${code}: ${stderr}`);
    return json<Result>();
  }

  return {
    api,
    command,
    db: () => started().database.db,
    /** An environment with a token. Its id is public. */
    async environment(input: FixtureInput = {}) {
      const { environmentId, token } = await createFixture(started().database.db, input, secretBox);
      return { environment: formatId('env', environmentId), token };
    },
    async send(token: string, event: Record<string, unknown> = {}): Promise<Sent> {
      const { body } = await api().postEvent(token, anEvent(event)).expect(201);
      return { messageId: body.message_id, runId: body.delivery_runs[0].id };
    },
    /** The only run of a message, once it has ended. */
    ended: (token: string, { messageId }: Pick<Sent, 'messageId'>): Promise<ShownRun> =>
      waitFor('the run to end', async () => {
        const { body } = await api().get(`/api/v1/messages/${messageId}/deliveries`, token).expect(200);
        const run = body.delivery_runs[0] as ShownRun;
        return ENDED.has(run.status) && run;
      }),
  };
}
