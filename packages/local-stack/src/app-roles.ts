import { APP_ROLES, type AppRole, openDatabase } from '@postrider/db';

const loginOf = (role: AppRole) => `${role}_local`;

/**
 * Makes the roles of the processes, each with a login role of that password, on a server that is the caller's own.
 * Rights come with the next migration. Idempotent, also beside others who do the same.
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
