import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type AppRole, acrossEnvironments, migrate, openDatabase, type UnboundDatabase } from '@postrider/db';
import { type Cleanup, openWithCleanup, startPostgres, startRedis } from '@postrider/local-stack';
import {
  createService,
  ensureAppRoles,
  productionEnvironment,
  urlForRole,
} from '@postrider/local-stack/testing';
import { startHttpReceiver, startSmtpReceiver, waitFor } from '@postrider/rig';
import { Client } from 'pg';
import { excessOf, unusedBounds } from './bounds.ts';
import { type Filled, fill } from './fill.ts';
import { type Call, callEveryOperation } from './operations.ts';
import { type Mark, OWN_NAME, readStatements, type Statement } from './statements.ts';
import { valuesFor } from './values.ts';

/** The messages of the long form and of the short one. */
const MESSAGES = { long: 3_000_000, short: 300_000 };
/** Events that are sent while the installation is measured. */
const EVENTS = 300;
/** The longest pause between two rounds of a sweep, and a second for the round: then each has had one. */
const EVERY_SWEEP_MS = 61_000;
/** The password of the roles of the processes, on a server that ends with the run. */
const ROLE_PASSWORD = 'size';
const BACKGROUND_WORK = { timeoutMs: 600_000, pollMs: 1_000 };
/** In the data directory, written by the server's collector, whose records do not mix. */
const LOG = { directory: 'log', name: 'postgres' };

const say = (text: string) => process.stdout.write(`${text}\n`);
const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;

const SERVER_SETTINGS = {
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: LOG.directory,
  log_filename: `${LOG.name}.log`,
  log_rotation_size: '0',
  log_rotation_age: '0',
  log_timezone: 'UTC',
  max_wal_size: '2GB',
  fsync: 'off',
};

/** For the sessions of the service: every execution by the plan for any values, and each plan in the log. */
const MEASURED_SESSIONS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_parameter_max_length': '0',
  plan_cache_mode: 'force_generic_plan',
};

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

async function measureSessions(url: string): Promise<void> {
  for (const [name, value] of Object.entries(MEASURED_SESSIONS)) {
    await query(url, `ALTER DATABASE postgres SET ${name} = '${value}'`);
  }
}

interface Run {
  readonly statements: readonly Statement[];
  readonly calls: readonly Call[];
}

/** Sends events to the environments in turn, and waits until none of their runs waits. */
async function driveTraffic(apiUrl: string, db: UnboundDatabase, { environments }: Filled): Promise<void> {
  for (let event = 0; event < EVENTS; event += 1) {
    const { token = '' } = environments[event % environments.length] ?? {};
    const response = await fetch(`${apiUrl}/api/v1/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({
        event_key: `order.e${event % 2}`,
        recipient: { email: `user${event}@example.com` },
        payload: { order: event },
      }),
    });
    if (response.status !== 201)
      throw new Error(`an event was answered ${response.status}: ${await response.text()}`);
  }
  await waitFor(
    'the delivery of the events',
    async () => {
      const [row] = await db.$queryRaw<{ left: number }[]>`
      SELECT count(*)::int AS left FROM delivery_runs run JOIN channels ON channels.id = run.channel_id
       WHERE run.completed_at IS NULL AND run.status IN ('queued', 'running') AND run.due_at <= now()
         AND channels.max_per_second IS NULL`;
      return row?.left === 0;
    },
    BACKGROUND_WORK,
  );
}

async function openInstallation(directory: string, cleanup: Cleanup) {
  const { keep } = cleanup;
  const postgres = keep(
    await startPostgres({ directory, settings: SERVER_SETTINGS, removeWhenOrphaned: [directory] }),
    (server) => server.stop(),
  );
  const redis = keep(await startRedis(), (server) => server.stop());
  await waitFor('PostgreSQL', () => query(postgres.url, 'SELECT').then(() => true));
  await ensureAppRoles(postgres.url, ROLE_PASSWORD);
  await migrate(postgres.url);
  const http = keep(await startHttpReceiver((_received, response) => response.end()), (receiver) =>
    receiver.close(),
  );
  const smtp = keep(await startSmtpReceiver(() => undefined), (receiver) => receiver.close());
  return { postgres, redis, http, smtp };
}

async function measure(directory: string, messages: number, cleanup: Cleanup): Promise<Run> {
  const { keep } = cleanup;
  const { postgres, redis, http, smtp } = await openInstallation(directory, cleanup);
  const key = { id: 'size', key: randomBytes(32) };
  const db = acrossEnvironments(
    keep(openDatabase(`${postgres.url}?application_name=${OWN_NAME}`, { poolSize: 2 }), (client) =>
      client.$disconnect(),
    ),
  );
  const filling = performance.now();
  const filled = await fill(postgres.url, db, {
    messages,
    key,
    receivers: { url: `${http.url}/hook`, smtpPort: smtp.port },
  });
  say(`filled with ${messages.toLocaleString('en')} messages in ${seconds(filling)}`);
  await measureSessions(postgres.url);

  const adminToken = randomBytes(24).toString('base64url');
  // Row-level security applies to these roles, and keeps conditions out of indexes that serve the owner of the tables.
  const envOf = (role: AppRole, name = '') => ({
    ...productionEnvironment({
      databaseUrl: `${urlForRole(postgres.url, role, ROLE_PASSWORD)}?application_name=${name}`,
      ...{ redisUrl: redis.url, key },
    }),
    ADMIN_TOKEN: adminToken,
  });
  const marks: Mark[] = [];
  const began = (name: string) => marks.push({ name, at: Date.now() });
  began('start');
  const api = keep(await createService({ app: 'api', env: envOf('postrider_api') }), (service) =>
    service.kill(),
  );
  const worker = keep(
    await createService({ app: 'worker', env: envOf('postrider_worker', 'worker') }),
    (service) => service.kill(),
  );
  await Promise.all([api.start(), worker.start()]);
  const workerSince = performance.now();
  began('createEvent');
  await driveTraffic(api.url, db, filled);
  const calls = await callEveryOperation(api.url, valuesFor(db, filled, adminToken), began);
  say(`called ${calls.length} variants of operations, ${seconds(workerSince)} after the start`);
  began('background work');
  await waitFor(
    'the erasure and the bulk replay',
    async () => {
      const [open] = await db.$queryRaw<{ open: number }[]>`
        SELECT (SELECT count(*) FROM erasures WHERE completed_at IS NULL AND messages_erased < 1000)::int
             + (SELECT count(*) FROM replay_batches WHERE completed_at IS NULL AND replayed < 500)::int AS open`;
      return open?.open === 0;
    },
    BACKGROUND_WORK,
  );
  await wait(Math.max(0, EVERY_SWEEP_MS - (performance.now() - workerSince)));
  await Promise.all([api.stop(), worker.stop()]);
  const log = join(postgres.directory, 'data', LOG.directory, `${LOG.name}.json`);
  say(`read ${((await stat(log)).size / 1e6).toFixed(0)} MB of plans`);
  return { calls, statements: await readStatements(log, marks) };
}

const line = ({ text, by, calls, buffers, ms }: Statement) =>
  `${String(buffers).padStart(8)} buffers ${ms.toFixed(1).padStart(8)} ms ${String(calls).padStart(6)} calls  ${by}: ${text.slice(0, 150)}`;

/**
 * `npm run test:size`: fills an installation with 3 million messages (times SIZE_SCALE; `--short`: 300,000), sends events, calls
 * every operation, lets every sweep run, and compares each statement with its bound; times only in the long form. Resolves
 * with the exit code: 1 if a statement exceeds its bound or an operation is answered with 5xx.
 */
export async function runSize(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const isShort = args.includes('--short');
  const messages = Math.round((isShort ? MESSAGES.short : MESSAGES.long) * Number(env.SIZE_SCALE || 1));
  const directory = await mkdtemp(join(env.SIZE_DIRECTORY || tmpdir(), 'postrider-size-'));
  try {
    await mkdir(directory, { recursive: true });
    const { statements, calls } = await openWithCleanup(async (cleanup) => {
      const run = await measure(directory, messages, cleanup);
      await cleanup.run();
      return run;
    });
    const dearest = [...statements].sort((one, other) => other.buffers - one.buffers);
    say(`\nThe costliest of ${statements.length} statements:`);
    for (const statement of dearest.slice(0, 25)) say(line(statement));
    const refused = calls.filter(({ status }) => status >= 400 && status < 500);
    if (refused.length > 0)
      say(`\nRefused: ${refused.map(({ name, status }) => `${name} ${status}`).join(', ')}`);
    const failures: string[] = calls
      .filter(({ status }) => status >= 500)
      .map(({ name, status }) => `${name} was answered ${status}`);
    for (const statement of dearest) {
      const excess = excessOf(statement, { checksTimes: !isShort });
      if (excess === null) continue;
      failures.push(
        [`${excess}: ${statement.by}`, statement.text, ...statement.plan.slice(0, 6)].join('\n    '),
      );
    }
    failures.push(...unusedBounds(statements).map((why) => `no statement has the bound: ${why}`));
    for (const failure of failures) say(`\nFAILED ${failure}`);
    say(
      `\n${statements.length - failures.length} statements within their bounds, ${failures.length} failures`,
    );
    return failures.length === 0 ? 0 : 1;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
