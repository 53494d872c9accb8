import type { Client } from 'pg';
import { ERASED_COLUMN_NAMES } from '../message-fields.ts';

/** The group roles whose rights a migration sets; an operator gives each process a login role that is in one. */
export const APP_ROLES = ['postrider_api', 'postrider_worker'] as const;
export type AppRole = (typeof APP_ROLES)[number];

/**
 * What a role may do with a table, as GRANT has it; nothing where the table is not named. Locking a row takes the right
 * to update one of its columns. Foreign keys need no right: Postgres checks them, and removes what hangs on a row, as
 * the tables' owner.
 */
type Grants = Readonly<Record<string, readonly string[]>>;

const READ = ['SELECT'];
const ADD = ['SELECT', 'INSERT'];
const WRITE = ['SELECT', 'INSERT', 'UPDATE'];

export const GRANTS: Readonly<Record<AppRole, Grants>> = {
  /**
   * Rights of the API: it accepts, replays and cancels, serves reads, and manages the configuration. It deletes
   * nothing but suppressions.
   */
  postrider_api: {
    _prisma_migrations: READ,
    plans: WRITE,
    tenants: WRITE,
    environments: [
      ...ADD,
      'UPDATE (name, unmatched_events, missing_email_template, idempotency_keys, https_only, default_locale)',
    ],
    tokens: WRITE,
    channels: WRITE,
    channel_health: WRITE,
    operational_events: ADD,
    ordering_keys: WRITE,
    ordering_ends: ADD,
    event_types: WRITE,
    template_versions: [...ADD, 'UPDATE (active)'],
    template_parts: [...ADD, 'UPDATE (active)'],
    message_files: ADD,
    messages: [...ADD, 'UPDATE (replay_count, schedule_at)'],
    delivery_runs: [
      ...ADD,
      'UPDATE (status, completed_at, attempt_count, last_error_code, held, scheduled_at, due_at)',
    ],
    attempts: ADD,
    run_feedback: ADD,
    replay_batches: WRITE,
    idempotency_records: WRITE,
    tenant_usage: WRITE,
    environment_usage: WRITE,
    removed_deliveries: READ,
    erasures: ADD,
    console_sessions: WRITE,
    service_keys: [...ADD, 'UPDATE (sealed)'],
    suppressions: [...WRITE, 'DELETE'],
    sender_states: READ,
    stats: READ,
    stats_deltas: ADD,
    audit_log: ADD,
  },
  /** Delivers, makes the pages of bulk replays and erasures, and removes what is too old. Sees of tokens only when they end. */
  postrider_worker: {
    _prisma_migrations: READ,
    plans: READ,
    tenants: READ,
    environments: READ,
    tokens: ['SELECT (id, environment_id, name, expires_at, revoked_at)'],
    channels: [
      ...READ,
      `UPDATE (enabled, disabled_reason, revision, updated_at, sealed_secret, sealed_previous_secret,
               sealed_credentials, previous_secret_expires_at, runs_ended_at, paused)`,
    ],
    channel_health: WRITE,
    operational_events: [...WRITE, 'DELETE'],
    ordering_keys: WRITE,
    ordering_ends: ['SELECT', 'INSERT', 'UPDATE (id)', 'DELETE'],
    event_types: READ,
    template_versions: READ,
    template_parts: READ,
    messages: [...ADD, `UPDATE (replay_count, erased_at, ${ERASED_COLUMN_NAMES.join(', ')})`, 'DELETE'],
    message_files: [...READ, 'DELETE'],
    delivery_runs: WRITE,
    attempts: WRITE,
    run_feedback: [...READ, 'UPDATE (reason)'],
    replay_batches: [...READ, 'UPDATE'],
    idempotency_records: [...READ, 'UPDATE (expires_at)', 'DELETE'],
    tenant_usage: WRITE,
    environment_usage: WRITE,
    removed_deliveries: WRITE,
    retention_turn: [...READ, 'UPDATE'],
    erasures: [...READ, 'UPDATE'],
    console_sessions: ['SELECT (id, expires_at)', 'DELETE'],
    service_keys: ADD,
    suppressions: [...ADD, 'UPDATE (sealed_address)'],
    sender_states: WRITE,
    stats: [...WRITE, 'DELETE'],
    stats_event_keys: [...WRITE, 'DELETE'],
    stats_deltas: ['SELECT', 'INSERT', 'UPDATE (id)', 'DELETE'],
    audit_log: ADD,
  },
};

async function rolesOf(client: Client): Promise<AppRole[]> {
  const { rows } = await client.query<{ rolname: AppRole }>(
    'SELECT rolname FROM pg_roles WHERE rolname = ANY($1)',
    [APP_ROLES],
  );
  return rows.map(({ rolname }) => rolname);
}

/** The statements that leave a role with its rights and no others. The names are our own. */
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
 * Gives those of the {@link APP_ROLES} that the server has their rights on the tables of this database, in one
 * transaction, so that a process beside it always has them. Making roles is left to the operator: whoever migrates
 * need not be allowed to. Returns the roles.
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
