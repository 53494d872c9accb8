import { randomUUID } from 'node:crypto';
import { channelKinds } from '@postrider/channels';
import {
  createDatabaseClock,
  createIngest,
  createIngestBatch,
  createSnapshots,
  createStoredResponseLookup,
  type Database,
  describeDatabaseError,
} from '@postrider/db';
import { asOwner, createTestKeys, createTestSecretBox } from '@postrider/db/testing';
import { createAddressPolicy, createUuidV7Source, type WakeUp } from '@postrider/domain';
import { createEventLoopTurns, createFairSemaphore } from '@postrider/fairness';
import { createBoundedLog, createLogDatabaseErrors, createLogger, createMetrics } from '@postrider/telemetry';
import supertest from 'supertest';
import { openSharedRenderer } from '../../../../packages/rendering/test/shared-renderer.ts';
import { type AppDeps, createApp } from '../../src/app.ts';
import { BYTES_IN_FLIGHT, REQUEST_SLICE } from '../../src/http/admission.ts';
import { jsonBytes } from '../../src/http/reply.ts';
import type { Listeners } from '../../src/listeners/listeners.ts';
import { createLocalBuckets } from '../../src/rate-limit/buckets.ts';
import { startServer } from '../../src/server.ts';
import { createStreams, STREAM_BOUNDS } from '../../src/stream/streams.ts';
import { isDocumented } from '../openapi-conformance.ts';

export const ADMIN_TOKEN = 'an-admin-token-of-the-tests-0123456789';

/**
 * An API as one process has it: its own caches, batcher, turns and port, on a database that others may share.
 */
export interface TestApi {
  readonly url: string;
  readonly deps: AppDeps;
  /** What was handed to the queue, in order. */
  readonly enqueued: WakeUp[];
  /** Log lines, parsed. */
  readonly log: Record<string, unknown>[];
  readonly get: (path: string, token?: string) => supertest.Test;
  readonly post: (path: string, token?: string) => supertest.Test;
  readonly patch: (path: string, token?: string) => supertest.Test;
  /** A request to the management API with the admin token; `body` is sent as JSON. */
  readonly admin: (method: AdminMethod, path: string, body?: unknown) => supertest.Test;
  readonly postEvent: (token: string, body?: unknown, key?: string) => supertest.Test;
  readonly stop: () => Promise<void>;
}

type AdminMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Listeners without Redis: there is never a delivery, and any answer is taken. Tests of listeners give their own. */
const NO_DELIVERIES: Listeners = {
  open:
    ({ present }) =>
    (res) =>
      res.end(jsonBytes(present(null))),
  answer: async () => true,
};

export async function startApi(db: Database, overrides: Partial<AppDeps> = {}, port = 0): Promise<TestApi> {
  const enqueued: WakeUp[] = [];
  const log: Record<string, unknown>[] = [];
  const takeLocally = createLocalBuckets(Date.now);
  const monotonicMs = () => performance.now();
  const secretBox = createTestSecretBox();
  const logger = createLogger({
    service: 'api',
    level: 'debug',
    write: (line) => log.push(JSON.parse(line)),
  });
  const boundedLog = createBoundedLog(logger, { perKeyPerMinute: 5 });
  const deps: AppDeps = {
    db,
    kinds: channelKinds,
    snapshots: createSnapshots({ db }),
    recordUse: () => undefined,
    findStoredResponse: createStoredResponseLookup(db),
    logDatabaseErrors: createLogDatabaseErrors(boundedLog, logger, describeDatabaseError),
    clock: createDatabaseClock(db),
    ingest: createIngest(db),
    ingestBatch: createIngestBatch(db),
    turns: createEventLoopTurns(REQUEST_SLICE, monotonicMs),
    bytesInFlight: createFairSemaphore(BYTES_IN_FLIGHT),
    storedBytes: createFairSemaphore(BYTES_IN_FLIGHT),
    takeBucketTokens: async (...of) => takeLocally(...of),
    enqueue: async (wakeUps) => {
      enqueued.push(...wakeUps);
    },
    newId: createUuidV7Source(),
    secretBox,
    serviceKeys: createTestKeys(asOwner(db)),
    publicUrl: 'https://mail.test',
    httpsOnly: false,
    isAddressAllowed: createAddressPolicy(['127.0.0.0/8', '::1/128']),
    // Endless answers end at once, so that tests can execute every operation; those of streams give their own.
    streams: createStreams({
      db,
      secretBox,
      monotonicMs,
      bounds: { ...STREAM_BOUNDS, tickEveryMs: 10, lifetimeMs: 0 },
    }),
    listeners: NO_DELIVERIES,
    renderer: openSharedRenderer(),
    adminToken: ADMIN_TOKEN,
    monotonicMs,
    logger,
    metrics: createMetrics('api', { processMetrics: false }),
    redisReady: () => true,
    corsAllowedOrigins: '*',
    fetchDocument: async () => null,
    console: { files: null, traceUrlTemplate: null },
    ...overrides,
  };
  const server = await startServer(createApp(deps), { port });
  const url = `http://127.0.0.1:${server.port}`;
  const authorized = (test: supertest.Test, token: string | undefined) =>
    token === undefined ? test : test.set('Authorization', `Bearer ${token}`);
  const post = (path: string, token?: string) =>
    authorized(supertest(url).post(path), token).expect(isDocumented);
  return {
    url,
    deps,
    enqueued,
    log,
    get: (path, token) => authorized(supertest(url).get(path), token).expect(isDocumented),
    post,
    patch: (path, token) => authorized(supertest(url).patch(path), token).expect(isDocumented),
    admin: (method, path, body) => {
      const test = supertest(url)[method](path).set('Authorization', `Bearer ${ADMIN_TOKEN}`);
      if (body !== undefined) test.type('application/json').send(JSON.stringify(body));
      return test.expect(isDocumented);
    },
    postEvent: (token, body = anEvent(), key = randomUUID()) =>
      post('/api/v1/events', token)
        .set('Idempotency-Key', key)
        .type('application/json')
        .send(typeof body === 'string' ? body : JSON.stringify(body)),
    stop: () => server.stop(),
  };
}

/** A body that an environment with a webhook channel accepts. */
export function anEvent(changes: Record<string, unknown> = {}) {
  return {
    event_key: 'order.shipped',
    recipient: { email: 'ada@example.com', name: 'Ada' },
    payload: { order_id: 'A-1' },
    ...changes,
  };
}
