import { randomBytes } from 'node:crypto';
import { acrossEnvironments, type Database, openDatabase } from '@postrider/db';
import { createFixture, type Fixture, type FixtureInput } from '@postrider/db/testing';
import { createSecretBox, type RetryPolicy } from '@postrider/domain';
import { type Cleanup, createCleanup } from '@postrider/local-stack';
import { startHttpReceiver } from '../receivers/http.ts';
import { createSendLedger, type SendLedger, type Treat } from '../receivers/ledger.ts';
import { startSmtpReceiver } from '../receivers/smtp.ts';
import type { ClusterTemplate } from './cluster-template.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import type { Service } from './service.ts';
import { createServices, environmentWith } from './services.ts';
import { openPostgres, openRedis, type RedisStore, type Store } from './stores.ts';

/** Time limit of an attempt, so that a lost worker's lease (10 s longer) does not make scenarios long. */
export const ATTEMPT_TIMEOUT_MS = 5_000;
/** Where no attempt may end unknown: a pause of the machine, which the receivers share, is not to make one. */
export const PATIENT_ATTEMPT_TIMEOUT_MS = 15_000;

/** What makes an e-mail beside the webhooks; any other key makes webhooks alone. */
export const EVENT_KEY = 'order.shipped';

/** More attempts than a run can lose in any scenario, and little time between them. */
const MAX_ATTEMPTS = 20;
const RETRY_DELAY_S = 0.5;

export interface StackOptions {
  readonly apis?: number;
  readonly workers?: number;
  readonly eventsPerMonth?: number;
  /** One webhook channel for each: a path at the receiver, or a whole URL. */
  readonly webhooks?: readonly string[];
  readonly email?: boolean;
  /** Of every run. */
  readonly maxAttempts?: number;
  /** Of every attempt; {@link ATTEMPT_TIMEOUT_MS} when left out. */
  readonly attemptTimeoutMs?: number;
  /** Further lines of Redis' configuration. */
  readonly redisSettings?: readonly string[];
  /** Whether Redis is there when the processes start. */
  readonly redisAtStart?: boolean;
  /** Puts a proxy before the HTTP receiver, and one between the API and Postgres. */
  readonly throughProxies?: boolean;
  /** How far the clocks of the processes are off, in turn. */
  readonly clockOffsetsMs?: readonly number[];
}

/** A whole installation of its own, with receivers. */
export interface Stack {
  readonly db: Database;
  readonly postgres: Store;
  readonly redis: RedisStore;
  readonly receiverProxy: FaultProxy | null;
  readonly postgresProxy: FaultProxy | null;
  readonly apis: readonly Service[];
  readonly workers: readonly Service[];
  readonly sends: SendLedger;
  readonly fixture: Fixture;
  close(): Promise<void>;
}

type Channels = NonNullable<FixtureInput['channels']>;

function channelsFor(
  urls: readonly string[],
  smtpPort: number | null,
  { maxAttempts = MAX_ATTEMPTS, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS }: StackOptions,
): Channels {
  const retry: RetryPolicy = { max_attempts: maxAttempts, delays_seconds: [RETRY_DELAY_S] };
  const webhooks = urls.map((url, index) => ({
    kind: 'webhook' as const,
    name: `hook ${index}`,
    config: { url, timeout_ms: attemptTimeoutMs },
    retry,
  }));
  if (smtpPort === null) return webhooks;
  const smtp = { host: '127.0.0.1', port: smtpPort, secure: false };
  const config = { smtp, from: { email: 'shop@example.com' }, timeout_ms: attemptTimeoutMs };
  return [...webhooks, { kind: 'email', name: 'mail', eventKeys: [EVENT_KEY], config, retry }];
}

const TEMPLATE = {
  eventKey: EVENT_KEY,
  channelKind: 'email',
  subject: 'Event {{ payload.reference }}',
  html: '<p>{{ payload.reference }}</p>',
  text: '{{ payload.reference }} variant {{ payload.variant }}',
  activate: true,
} as const;

const portOf = (url: string) => Number(new URL(url).port);

/** The same URL by way of the proxy, when there is one. */
function through(proxy: FaultProxy | null, address: string): string {
  const url = new URL(address);
  if (proxy) url.port = String(proxy.port);
  return url.href;
}

interface OpenDeps {
  readonly template: ClusterTemplate;
  readonly treat: Treat;
}

async function startStack(
  options: StackOptions,
  { template, treat }: OpenDeps,
  cleanup: Cleanup,
): Promise<Omit<Stack, 'close'>> {
  /** Has a part that has started ended with the stack. */
  function keep<Part>(part: Part, end: (part: Part) => Promise<unknown>): Part {
    cleanup.add(async () => {
      await end(part);
    });
    return part;
  }
  const keepProxy = async (address: string) =>
    options.throughProxies ? keep(await startFaultProxy(portOf(address)), (proxy) => proxy.close()) : null;

  const { apis: apiCount = 2, workers: workerCount = 2, webhooks = ['/hook'], email = true } = options;
  const key = randomBytes(32);
  const sends = createSendLedger();
  const postgres = keep(await openPostgres(template), (server) => server.stop());
  const redis = keep(await openRedis(options.redisSettings), (server) => server.stop());
  const http = keep(await startHttpReceiver(sends, treat), (receiver) => receiver.close());
  const smtp = keep(await startSmtpReceiver(sends, treat), (receiver) => receiver.close());
  const db = keep(openDatabase(postgres.url, { poolSize: 4 }), (client) => client.$disconnect());
  const receiverProxy = await keepProxy(http.url);
  const postgresProxy = await keepProxy(postgres.url);
  const urls = webhooks.map((path) => new URL(path, through(receiverProxy, http.url)).href);
  const fixture = await createFixture(
    acrossEnvironments(db),
    {
      plan: { eventsPerMonth: options.eventsPerMonth ?? null },
      channels: channelsFor(urls, email ? smtp.port : null, options),
      templates: [TEMPLATE],
    },
    createSecretBox([{ id: 'faults', key }]),
  );
  const env = environmentWith({ databaseUrl: postgres.url, redisUrl: redis.url, key });
  const apiEnv = { ...env, DATABASE_URL: through(postgresProxy, postgres.url) };
  const { clockOffsetsMs = [] } = options;
  const apis = await createServices('api', apiCount, apiEnv, clockOffsetsMs);
  const workers = await createServices('worker', workerCount, env, clockOffsetsMs);
  const services = keep([...apis, ...workers], (all) => Promise.all(all.map((service) => service.kill())));
  if (options.redisAtStart === false) await redis.crash();
  await Promise.all(services.map((service) => service.start()));
  return { db, postgres, redis, receiverProxy, postgresProxy, apis, workers, sends, fixture };
}

/**
 * Brings up a stack and resolves when every process of it answers. `close` ends all of it, in whatever state
 * it is; what has started of a stack that cannot be brought up is ended before this rejects.
 */
export async function openStack(options: StackOptions, deps: OpenDeps): Promise<Stack> {
  const cleanup = createCleanup((error) => process.stderr.write(`${error}\n`));
  try {
    return { ...(await startStack(options, deps, cleanup)), close: cleanup.run };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
