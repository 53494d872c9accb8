import type { Client } from 'pg';
import { ERASED_COLUMN_NAMES } from './message-fields.ts';

/** The group roles whose rights migrations set. An operator gives each process a login role in one of these groups. */
export const APP_ROLES = ['postrider_api', 'postrider_worker'] as const;
export type AppRole = (typeof APP_ROLES)[number];

/**
 * The privileges of a role by table, as in GRANT; none for other tables. Locking a row needs the right to update one
 * of its columns. Foreign keys need no right: PostgreSQL checks and cascades them as the tables' owner.
 */
type Grants = Readonly<Record<string, readonly string[]>>;

const READ = ['SELECT'];
const ADD = ['SELECT', 'INSERT'];
const WRITE = ['SELECT', 'INSERT', 'UPDATE'];
const ALL = [...WRITE, 'DELETE'];

/** The same privileges for several tables. */
const each = (rights: readonly string[], ...tables: readonly string[]): Grants =>
  Object.fromEntries(tables.map((table) => [table, rights]));

/** Merges grants. Throws if a table is in two of them: one would silently replace the other. */
function together(...parts: readonly Grants[]): Grants {
  const tables = parts.flatMap(Object.keys);
  const twice = tables.find((table, index) => tables.indexOf(table) !== index);
  if (twice !== undefined) throw new Error(`The rights of ${twice} are stated twice.`);
  return Object.assign({}, ...parts);
}

export const GRANTS: Readonly<Record<AppRole, Grants>> = {
  /**
   * Rights of the API: it accepts, replays and cancels, serves reads, and manages the configuration. It deletes
   * nothing but suppressions, roles and event types.
   */
  postrider_api: together(
    each(READ, '_prisma_migrations', 'channel_limit_states', 'message_recipients', 'removed_deliveries'),
    each(READ, 'delivery_usage', 'sender_states', 'stats', 'channel_failures', 'audit_chain'),
    each(READ, 'audit_unchained'),
    each(ADD, 'operational_events', 'ordering_ends', 'message_files', 'message_keys', 'attempts'),
    each(ADD, 'run_feedback', 'delivery_usage_deltas', 'erasures', 'stats_deltas', 'audit_log'),
    each(WRITE, 'plans', 'tenants', 'tokens', 'portal_links', 'consumers', 'consumer_usage', 'channels'),
    each(WRITE, 'channel_health', 'ordering_keys', 'replay_batches', 'idempotency_records'),
    each(WRITE, 'tenant_usage', 'environment_usage', 'console_sessions', 'sign_in_limits'),
    each(WRITE, 'provider_sessions', 'operators', 'operator_tokens', 'environment_attention'),
    each(ALL, 'event_types', 'device_logins', 'roles', 'suppressions'),
    {
      environments: [
        ...ADD,
        `UPDATE (name, unmatched_events, missing_email_template, idempotency_keys, unknown_consumers, https_only, default_locale,
                 soft_bounce_limit, soft_bounce_days, soft_bounce_pause_days, stream_names,
                 pause_streams_at_complaint_rate, outcome_events, portal)`,
      ],
      template_versions: [...ADD, 'UPDATE (active)'],
      template_parts: [...ADD, 'UPDATE (active)'],
      messages: [...ADD, 'UPDATE (replay_count, schedule_at)'],
      delivery_runs: [
        ...ADD,
        'UPDATE (status, completed_at, attempt_count, last_error_code, held, scheduled_at, due_at, test)',
      ],
      service_keys: [...ADD, 'UPDATE (sealed)'],
      stream_pauses: [...READ, 'UPDATE (resumed_at)'],
    },
  ),
  /**
   * Rights of the worker: it delivers, works through bulk replays and erasures, and removes old rows. It sees only
   * the expiry of tokens.
   */
  postrider_worker: together(
    each(READ, '_prisma_migrations', 'plans', 'tenants', 'environments', 'consumers', 'event_types'),
    each(READ, 'template_versions', 'template_parts', 'message_recipients'),
    each(ADD, 'service_keys', 'audit_log', 'audit_chain'),
    each(WRITE, 'channel_health', 'channel_limit_states', 'delivery_runs', 'attempts', 'tenant_usage'),
    each(WRITE, 'environment_usage', 'removed_deliveries', 'delivery_usage', 'sender_states'),
    each(WRITE, 'environment_attention'),
    each(ALL, 'consumer_usage', 'operational_events', 'ordering_keys', 'worker_presence', 'suppressions'),
    each(ALL, 'stream_pauses', 'stats', 'channel_failures', 'stats_event_keys'),
    {
      tokens: ['SELECT (id, environment_id, name, expires_at, revoked_at, portal_link_id)'],
      portal_links: ['SELECT (id, expires_at)', 'DELETE'],
      channels: [
        ...READ,
        `UPDATE (enabled, disabled_reason, revision, updated_at, deleted_at, sealed_previous_secret, sealed_credentials,
                 previous_secret_expires_at, runs_ended_at, paused, paused_at, resumed_at)`,
      ],
      ordering_ends: ['SELECT', 'INSERT', 'UPDATE (id)', 'DELETE'],
      messages: [...ADD, `UPDATE (replay_count, erased_at, ${ERASED_COLUMN_NAMES.join(', ')})`, 'DELETE'],
      message_files: [...READ, 'DELETE'],
      message_keys: [...READ, 'DELETE'],
      run_feedback: [...ADD, 'UPDATE (reason)'],
      replay_batches: [...READ, 'UPDATE'],
      idempotency_records: [...READ, 'UPDATE (expires_at)', 'DELETE'],
      delivery_usage_deltas: ['SELECT', 'INSERT', 'UPDATE (id)', 'DELETE'],
      retention_turn: [...READ, 'UPDATE'],
      erasures: [...READ, 'UPDATE'],
      console_sessions: ['SELECT (id, expires_at)', 'DELETE'],
      sign_in_limits: [...READ, 'UPDATE (key)', 'DELETE'],
      device_logins: ['SELECT (id, expires_at)', 'DELETE'],
      stats_deltas: ['SELECT', 'INSERT', 'UPDATE (id)', 'DELETE'],
      audit_unchained: [...READ, 'DELETE'],
    },
  ),
};

async function rolesOf(client: Client): Promise<AppRole[]> {
  const { rows } = await client.query<{ rolname: AppRole }>(
    'SELECT rolname FROM pg_roles WHERE rolname = ANY($1)',
    [APP_ROLES],
  );
  return rows.map(({ rolname }) => rolname);
}

/** The statements that give a role exactly its rights. Table and column names are constants. */
function statementsFor(role: AppRole): string[] {
  const grants = Object.entries(GRANTS[role]).map(
    ([table, rights]) => `GRANT ${rights.join(', ')} ON "${table}" TO ${role}`,
  );
  return [
    `DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${role}', current_schema()); END $$`,
    `DO $$ BEGIN EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM ${role}', current_schema()); END $$`,
    ...grants,
  ];
}

/**
 * Grants the rights on this database's tables to those {@link APP_ROLES} that the server has, in one transaction, so
 * that running processes are never without them. It does not create roles, because the role that migrates may not have
 * that right. Returns the roles.
 */
export async function grantRoles(client: Client): Promise<readonly AppRole[]> {
  const roles = await rolesOf(client);
  if (roles.length === 0) return roles;
  await client.query('BEGIN');
  try {
    for (const statement of roles.flatMap(statementsFor)) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  return roles;
}
