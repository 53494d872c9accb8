import { APP_ROLES, type AppRole, openDatabase } from '@postrider/db';

const loginOf = (role: AppRole) => `${role}_local`;

/**
 * Creates the roles of the processes, each with a login role with that password. The next migration grants their rights.
 * Idempotent, also when several processes do it at once.
 */
export async function ensureAppRoles(serverUrl: string, password: string): Promise<void> {
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

/** The URL of a database for a process, whose role owns no table, so that policies apply to it. See {@link ensureAppRoles}. */
export function urlForRole(databaseUrl: string, role: AppRole, password: string): string {
  const url = new URL(databaseUrl);
  url.username = loginOf(role);
  url.password = password;
  return url.href;
}
