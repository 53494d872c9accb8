import { once } from 'node:events';
import { acrossEnvironments, openDatabase, type UnboundDatabase } from '@postrider/db';
import { createFixture, type Fixture, type FixtureInput } from '@postrider/db/testing';
import { createSecretBox } from '@postrider/domain';
import { createCleanup } from '@postrider/local-stack';
import { type Service, startTestService } from '@postrider/local-stack/testing';
import { forkEntry } from './fork-entry.ts';

/** One process under attack. */
export interface TargetProcess {
  readonly name: 'api' | 'worker';
  readonly url: string;
  readonly metricsUrl: string;
  readonly pid: number;
  readonly hasEnded: () => boolean;
  /** The last output of the process, for the report of an exit. */
  readonly lastLines: () => readonly string[];
}

/** An API and a worker with two tenants: one that attacks, and one that must not be affected. */
export interface Target {
  readonly db: UnboundDatabase;
  readonly api: TargetProcess;
  readonly worker: TargetProcess;
  readonly adminToken: string;
  readonly attacker: Fixture;
  readonly victim: Fixture;
  /** Adds an environment to the attacker's tenant. */
  addEnvironment(input: FixtureInput): Promise<Fixture>;
  close(): Promise<void>;
}

export interface TargetOptions {
  readonly databaseUrl: string;
  /** A new Redis if left out. */
  readonly redisUrl?: string;
  /** Encrypts the secrets in the database. Targets that share a database need the same one. */
  readonly encryptionKey: Buffer;
}

function describe(name: TargetProcess['name'], { url, metricsUrl, program }: Service): TargetProcess {
  const started = program();
  if (!started) throw new Error(`${name} is not running`);
  const { pid, hasEnded, output } = started;
  return {
    name,
    url,
    metricsUrl,
    pid,
    hasEnded,
    lastLines: () => output.lastLines(),
  };
}

/** Starts the second tenant's receiver, which ends with this process. */
async function startReceiver(): Promise<{ readonly hookUrl: string; close(): Promise<void> }> {
  const child = forkEntry(new URL('./receiver-main', import.meta.url));
  const exited = once(child, 'exit');
  const [hookUrl] = await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error('the receiver has ended'))),
  ]);
  return {
    hookUrl: String(hookUrl),
    async close() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/**
 * Starts the processes and resolves when they are ready. `close` ends everything. If a part cannot start, the others are
 * ended.
 */
export async function openTarget({
  databaseUrl,
  redisUrl,
  encryptionKey: key,
}: TargetOptions): Promise<Target> {
  const cleanup = createCleanup();
  const secretBox = createSecretBox([{ id: 'hostile', key }]);
  try {
    const db = acrossEnvironments(openDatabase(databaseUrl, { poolSize: 2 }));
    cleanup.add(() => db.$disconnect());
    const receiver = await startReceiver();
    cleanup.add(receiver.close);
    const service = await startTestService({
      databaseUrl,
      ...(redisUrl ? { redisUrl } : {}),
      worker: true,
      env: {
        NODE_ENV: 'production',
        PUBLIC_URL: 'https://mail.example.com',
        LOG_LEVEL: 'error',
        ENCRYPTION_KEYS: `hostile:${key.toString('base64')}`,
      },
    });
    cleanup.add(service.stop);
    const hook = { kind: 'webhook' as const, name: 'hook', config: { url: receiver.hookUrl } };
    const victim = await createFixture(db, { channels: [hook] }, secretBox);
    const attacker = await createFixture(db, { channels: [hook] }, secretBox);
    if (!service.worker) throw new Error('no worker was started');
    return {
      db,
      api: describe('api', service.api),
      worker: describe('worker', service.worker),
      adminToken: service.adminToken,
      attacker,
      victim,
      addEnvironment: (input) => createFixture(db, { ...input, tenantId: attacker.tenantId }, secretBox),
      close: cleanup.run,
    };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
