import type { Client } from 'pg';
import { APP_ROLES, type AppRole, GRANTS } from './grants.ts';

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
