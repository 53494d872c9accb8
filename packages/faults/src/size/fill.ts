import type { UnboundDatabase } from '@postrider/db';
import { createFixture, type Fixture } from '@postrider/db/testing';
import { createSecretBox, type SecretBox } from '@postrider/domain';
import { Client } from 'pg';
import { AFTER_SLICES, OF_SLICE, RUNS_OF_SMALL_TENANTS, SMALL_TENANTS } from './rows.ts';

const ENVIRONMENTS = 10;
const SMALL = 500;
const SLICE = 50_000;
/** The event keys with a template, which also go to the email channel. */
const TEMPLATES = ['order.e0', 'order.e1'];
const LARGE_TABLES = [
  'messages',
  'message_keys',
  'delivery_runs',
  'attempts',
  'idempotency_records',
  'stats',
  'audit_log',
  'run_feedback',
];
/** Over how many days the messages are spread. */
const DAYS = 40;

/** The installation that was filled. */
export interface Filled {
  /** The first has most of the messages. */
  readonly environments: readonly Fixture[];
}

const channelsFor = (url: string, smtpPort: number) => {
  const hook = { kind: 'webhook' as const, config: { url } };
  const smtp = { host: '127.0.0.1', port: smtpPort, secure: false };
  return [
    { ...hook, name: 'hook' },
    {
      kind: 'email' as const,
      name: 'mail',
      eventKeys: TEMPLATES,
      config: { smtp, from: { email: 'shop@example.com' } },
    },
    { ...hook, name: 'paused', eventKeys: ['never'] },
    { ...hook, name: 'limited', eventKeys: ['never'], maxPerSecond: 1 },
    { ...hook, name: 'ordered', eventKeys: ['never'], ordering: 'key' as const },
  ];
};

const template = (eventKey: string) => ({
  ...{ eventKey, channelKind: 'email' as const, activate: true },
  ...{ subject: 'Order {{ payload.order }}', html: '<p>{{ payload.order }}</p>', text: null },
});

async function createEnvironments(
  db: UnboundDatabase,
  secretBox: SecretBox,
  receivers: { readonly url: string; readonly smtpPort: number },
): Promise<Fixture[]> {
  const environments: Fixture[] = [];
  while (environments.length < ENVIRONMENTS) {
    const channels = channelsFor(receivers.url, receivers.smtpPort);
    const templates = TEMPLATES.map(template);
    environments.push(
      await createFixture(db, { plan: { eventsPerMonth: 100_000_000 }, channels, templates }, secretBox),
    );
  }
  return environments;
}

/** Drops the indexes that no constraint needs, and returns them: to build them at the end takes a fraction of the time. */
async function dropIndexes(client: Client): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
       FROM pg_index WHERE indrelid = ANY($1::regclass[]) AND NOT indisunique`,
    [LARGE_TABLES],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows;
}

/**
 * Fills an empty installation with `messages` messages and all that the service itself would have written with them: about two
 * runs and attempts of each, as many figures, and a part of everything else. Foreign keys and triggers are off meanwhile,
 * because the rows are made to fit.
 */
export async function fill(
  databaseUrl: string,
  db: UnboundDatabase,
  options: {
    readonly messages: number;
    /** Encrypts the channels' secrets. */
    readonly key: { readonly id: string; readonly key: Buffer };
    readonly receivers: { readonly url: string; readonly smtpPort: number };
  },
): Promise<Filled> {
  const { messages, key, receivers } = options;
  const environments = await createEnvironments(db, createSecretBox([key]), receivers);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      "SET session_replication_role = 'replica'; SET jit = off; SET synchronous_commit = off",
    );
    const channels = environments.flatMap((fixture) => fixture.channels.map(({ id }) => id));
    const list = (ids: readonly (string | undefined)[]) => `'{${ids}}'::uuid[]`;
    await client.query(`CREATE TEMPORARY TABLE made AS SELECT ${messages}::int8 AS messages,
      ${list(environments.map(({ environmentId }) => environmentId))} AS environments,
      ${list(environments.map(({ tenantId }) => tenantId))} AS tenants, ${list(channels)} AS channels,
      ${list(environments.map(({ templates }) => templates[0]?.id))} AS templates,
      (extract(epoch FROM now()) * 1000)::int8 - ${DAYS * 86_400_000}::int8 AS first_ms,
      (${DAYS * 86_400_000}::float8 - 60000) / ${messages} AS step_ms`);
    const indexes = await dropIndexes(client);
    for (let from = 1; from <= messages; from += SLICE) {
      for (const statement of OF_SLICE) {
        await client.query(statement, [from, Math.min(messages, from + SLICE - 1)]);
      }
    }
    await client.query("SET maintenance_work_mem = '512MB'");
    for (const { definition } of indexes) await client.query(definition);
    for (const statement of AFTER_SLICES) await client.query(statement);
    await client.query(SMALL_TENANTS, [SMALL]);
    await client.query(RUNS_OF_SMALL_TENANTS);
    await client.query('UPDATE channels SET paused = true WHERE name = $1', ['paused']);
    await client.query(`
      INSERT INTO channel_health (channel_id, environment_id, state, reason, failing_since, failures, next_probe_at)
      SELECT id, environment_id, 'paused', 'failures', now() - interval '1 day', 50, now() FROM channels WHERE name = 'paused'`);
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
  return { environments };
}
