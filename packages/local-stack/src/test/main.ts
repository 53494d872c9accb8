import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '@postrider/db';
import { parseRedisAddress } from '@postrider/domain';
import { type Program, startProgram } from '@postrider/rig/servers';
import { ensureAppRoles } from '../app-roles.ts';
import { createCleanup } from '../cleanup.ts';
import { startPostgres } from '../postgres/start.ts';
import { startRedis } from '../redis/start.ts';
import { dropDatabases, ensureDatabase } from '../start/data-services.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
/** The password of the roles that tests connect as, on a server for tests. */
const ROLE_PASSWORD = 'postrider-test';
/** The exit code by which shells report Ctrl-C. */
const INTERRUPTED = 130;

const cleanup = createCleanup();
let jest: Program | undefined;
let interrupted = false;

/** The first interruption ends everything gracefully; after a second one only the supervisors clean up. */
function interrupt(): void {
  if (interrupted) process.exit(INTERRUPTED);
  interrupted = true;
  jest?.stop().catch(() => undefined);
}

/** The URL in DATABASE_URL, otherwise that of an ephemeral server. */
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

/**
 * The URL in REDIS_URL, otherwise that of an ephemeral Redis. `singleServer` is the same, unless that is a Cluster or
 * behind Sentinels: then it is an ephemeral server.
 */
async function redisUrls(): Promise<{ redis: string; singleServer: string }> {
  const given = process.env.REDIS_URL;
  if (given && isSingleServer(given)) return { redis: given, singleServer: given };
  const server = await startRedis();
  cleanup.add(server.stop);
  return { redis: given || server.url, singleServer: server.url };
}

/** Creates a migrated database that the tests clone. Its name is unique, so several runs can share a server. */
async function createTemplate(serverUrl: string): Promise<string> {
  const name = `postrider_template_${randomBytes(6).toString('hex')}`;
  cleanup.add(() => dropDatabases(serverUrl, name));
  await migrate(await ensureDatabase(serverUrl, name));
  return name;
}

async function runJest(env: NodeJS.ProcessEnv): Promise<number> {
  // Jest's processes load sources with the same options as this process.
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
  // If one start fails, the other must still finish, so that the clean-up knows it.
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
// Exits explicitly: the schema engine's lock timer would keep the process alive for another 10 s.
process.exit(exitCode);
