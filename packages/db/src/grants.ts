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

export const GRANTS: Readonly<Record<AppRole, Grants>> = {
  /**
   * Rights of the API: it accepts, replays and cancels, serves reads, and manages the configuration. It deletes
   * nothing but suppressions, roles and event types.
   */
  postrider_api: {
    _prisma_migrations: READ,
    plans: WRITE,
    tenants: WRITE,
    environments: [
      ...ADD,
      `UPDATE (name, unmatched_events, missing_email_template, idempotency_keys, unknown_consumers, https_only, default_locale,
               soft_bounce_limit, soft_bounce_days, soft_bounce_pause_days, stream_names,
               pause_streams_at_complaint_rate, outcome_events, portal)`,
    ],
    tokens: WRITE,
    portal_links: WRITE,
    consumers: WRITE,
    consumer_usage: WRITE,
    channels: WRITE,
    channel_health: WRITE,
    channel_limit_states: READ,
    operational_events: ADD,
    ordering_keys: WRITE,
    ordering_ends: ADD,
    event_types: [...WRITE, 'DELETE'],
    template_versions: [...ADD, 'UPDATE (active)'],
    template_parts: [...ADD, 'UPDATE (active)'],
    message_files: ADD,
    message_keys: ADD,
    messages: [...ADD, 'UPDATE (replay_count, schedule_at)'],
    message_recipients: READ,
    delivery_runs: [
      ...ADD,
      'UPDATE (status, completed_at, attempt_count, last_error_code, held, scheduled_at, due_at, test)',
    ],
    attempts: ADD,
    run_feedback: ADD,
    replay_batches: WRITE,
    idempotency_records: WRITE,
    tenant_usage: WRITE,
    environment_usage: WRITE,
    removed_deliveries: READ,
    delivery_usage: READ,
    delivery_usage_deltas: ADD,
    erasures: ADD,
    console_sessions: WRITE,
    sign_in_limits: WRITE,
    provider_sessions: WRITE,
    device_logins: [...WRITE, 'DELETE'],
    operators: WRITE,
    operator_tokens: WRITE,
    roles: [...WRITE, 'DELETE'],
    service_keys: [...ADD, 'UPDATE (sealed)'],
    suppressions: [...WRITE, 'DELETE'],
    stream_pauses: [...READ, 'UPDATE (resumed_at)'],
    sender_states: READ,
    stats: READ,
    channel_failures: READ,
    environment_attention: WRITE,
    stats_deltas: ADD,
    audit_log: ADD,
    audit_chain: READ,
    audit_unchained: READ,
  },
  /**
   * Rights of the worker: it delivers, works through bulk replays and erasures, and removes old rows. It sees only
   * the expiry of tokens.
   */
  postrider_worker: {
    _prisma_migrations: READ,
    plans: READ,
    tenants: READ,
    environments: READ,
    tokens: ['SELECT (id, environment_id, name, expires_at, revoked_at, portal_link_id)'],
    portal_links: ['SELECT (id, expires_at)', 'DELETE'],
    consumers: READ,
    consumer_usage: [...WRITE, 'DELETE'],
    channels: [
      ...READ,
      `UPDATE (enabled, disabled_reason, revision, updated_at, deleted_at, sealed_secret, sealed_previous_secret,
               sealed_credentials, previous_secret_expires_at, runs_ended_at, paused,
               paused_at, resumed_at)`,
    ],
    channel_health: WRITE,
    channel_limit_states: WRITE,
    operational_events: [...WRITE, 'DELETE'],
    ordering_keys: [...WRITE, 'DELETE'],
    ordering_ends: ['SELECT', 'INSERT', 'UPDATE (id)', 'DELETE'],
    event_types: READ,
    template_versions: READ,
    template_parts: READ,
    messages: [...ADD, `UPDATE (replay_count, erased_at, ${ERASED_COLUMN_NAMES.join(', ')})`, 'DELETE'],
    message_recipients: READ,
    message_files: [...READ, 'DELETE'],
    message_keys: [...READ, 'DELETE'],
    delivery_runs: WRITE,
    attempts: WRITE,
    run_feedback: [...ADD, 'UPDATE (reason)'],
    replay_batches: [...READ, 'UPDATE'],
    idempotency_records: [...READ, 'UPDATE (expires_at)', 'DELETE'],
    tenant_usage: WRITE,
    environment_usage: WRITE,
    removed_deliveries: WRITE,
    delivery_usage: WRITE,
    delivery_usage_deltas: ['SELECT', 'INSERT', 'UPDATE (id)', 'DELETE'],
    retention_turn: [...READ, 'UPDATE'],
    worker_presence: [...WRITE, 'DELETE'],
    erasures: [...READ, 'UPDATE'],
    console_sessions: ['SELECT (id, expires_at)', 'DELETE'],
    sign_in_limits: [...READ, 'DELETE'],
    device_logins: ['SELECT (id, expires_at)', 'DELETE'],
    service_keys: ADD,
    suppressions: [...WRITE, 'DELETE'],
    stream_pauses: [...WRITE, 'DELETE'],
    sender_states: WRITE,
    stats: [...WRITE, 'DELETE'],
    channel_failures: [...WRITE, 'DELETE'],
    environment_attention: WRITE,
    stats_event_keys: [...WRITE, 'DELETE'],
    stats_deltas: ['SELECT', 'INSERT', 'UPDATE (id)', 'DELETE'],
    audit_log: ADD,
    audit_chain: ADD,
    audit_unchained: [...READ, 'DELETE'],
  },
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
