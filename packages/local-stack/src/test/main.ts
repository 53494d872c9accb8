import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APP_ROLES, type AppRole, migrate, openDatabase } from '@postrider/db';
import { parseRedisAddress } from '@postrider/domain';
import { type Program, startProgram } from '@postrider/rig/servers';
import { createCleanup } from '../cleanup.ts';
import { startPostgres } from '../postgres/start.ts';
import { startRedis } from '../redis/start.ts';
import { dropDatabases, ensureDatabase } from '../start/data-services.ts';

const loginOf = (role: AppRole) => `${role}_local`;

/**
 * Makes the roles of the processes, each with a login role of that password, on a server that is the caller's own.
 * Rights come with the next migration. Idempotent, also beside others who do the same.
 */
async function ensureAppRoles(serverUrl: string, password: string): Promise<void> {
  const db = openDatabase(serverUrl, { poolSize: 1 });
  const attempt = (statement: string) => `
    DO $$ BEGIN ${statement}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`;
  try {
    for (const role of APP_ROLES) {
      await db.$executeRawUnsafe(attempt(`CREATE ROLE ${role} NOLOGIN`));
      await db.$executeRawUnsafe(
        attempt(`CREATE ROLE ${loginOf(role)} LOGIN PASSWORD '${password}' IN ROLE ${role}`),
      );
    }
  } finally {
    await db.$disconnect();
  }
}

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
/** Of the roles that the tests connect as, on a server for tests. */
const ROLE_PASSWORD = 'postrider-test';
/** As shells report an end by Ctrl-C. */
const INTERRUPTED = 130;

const cleanup = createCleanup();
let jest: Program | undefined;
let interrupted = false;

/** The first interruption ends in order; after a second one only the supervisors clean up. */
function interrupt(): void {
  if (interrupted) process.exit(INTERRUPTED);
  interrupted = true;
  jest?.stop().catch(() => undefined);
}

/** The server's URL: the given one, else that of an ephemeral server. */
async function postgresUrl(): Promise<string> {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const server = await startPostgres({ durable: false });
  cleanup.add(server.stop);
  return server.url;
}

function isSingleServer(redisUrl: string): boolean {
  const parsed = parseRedisAddress(redisUrl);
  if (!parsed.ok) throw new Error(`REDIS_URL ${parsed.issues.join('; ')}`);
  return parsed.address.mode === 'single';
}

/** Of the given Redis, else of an ephemeral one; and of a plain server, which the given one need not be. */
async function redisUrls(): Promise<{ redis: string; singleServer: string }> {
  const given = process.env.REDIS_URL;
  if (given && isSingleServer(given)) return { redis: given, singleServer: given };
  const server = await startRedis();
  cleanup.add(server.stop);
  return { redis: given || server.url, singleServer: server.url };
}

/** A migrated database that the tests clone; its name is this run's own, so runs on one server do not meet. */
async function createTemplate(serverUrl: string): Promise<string> {
  const name = `postrider_template_${randomBytes(6).toString('hex')}`;
  cleanup.add(() => dropDatabases(serverUrl, name));
  await migrate(await ensureDatabase(serverUrl, name));
  return name;
}

async function runJest(env: NodeJS.ProcessEnv): Promise<number> {
  // Test files load from sources as this process does.
  const nodeOptions = [process.env.NODE_OPTIONS, ...process.execArgv];
  const { DATABASE_URL, REDIS_URL, ...inherited } = process.env;
  jest = await startProgram({
    name: 'jest',
    command: process.execPath,
    args: [JEST, ...process.argv.slice(2)],
    cwd: ROOT,
    env: { ...inherited, ...env, NODE_OPTIONS: nodeOptions.filter(Boolean).join(' ') },
    output: 'inherit',
  });
  if (interrupted) await jest.stop();
  return (await jest.exited).code ?? 1;
}

async function runTests(): Promise<number> {
  // One that fails must not leave the other half started and unknown to the clean-up.
  const [postgres, redis] = await Promise.allSettled([postgresUrl(), redisUrls()]);
  if (postgres.status === 'rejected') throw postgres.reason;
  if (redis.status === 'rejected') throw redis.reason;
  const serverUrl = postgres.value;
  if (interrupted) return INTERRUPTED;
  await ensureAppRoles(serverUrl, ROLE_PASSWORD);
  const template = await createTemplate(serverUrl);
  if (interrupted) return INTERRUPTED;
  const code = await runJest({
    POSTRIDER_TEST_DATABASE_URL: serverUrl,
    POSTRIDER_TEST_TEMPLATE: template,
    POSTRIDER_TEST_ROLE_PASSWORD: ROLE_PASSWORD,
    POSTRIDER_TEST_REDIS_URL: redis.value.redis,
    POSTRIDER_TEST_SINGLE_REDIS_URL: redis.value.singleServer,
  });
  return interrupted ? INTERRUPTED : code;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
process.on('disconnect', interrupt);

const exitCode = await runTests().catch((error) => {
  process.stderr.write(`${error?.message ?? error}\n`);
  return 1;
});
await cleanup.run();
// Not left to an empty event loop: the schema engine's lock timer would hold the process for another 10 s.
process.exit(exitCode);
