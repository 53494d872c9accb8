import type { Client } from 'pg';

const INDEX_BUILT_CONCURRENTLY = /CREATE (?:UNIQUE )?INDEX CONCURRENTLY "(\w+)"/;

/**
 * Undoes migrations that build an index concurrently and were interrupted: they leave an index that nobody
 * uses and a record without an end, on which every later migration would be refused. They can be repeated
 * from the beginning, as such a migration is that one statement. Other interrupted migrations are left as
 * they are.
 * @param client of whoever may migrate: nobody else builds an index now
 * @param readSql the text of a migration by its name
 */
export async function undoInterruptedIndexes(
  client: Client,
  readSql: (migrationName: string) => Promise<string>,
): Promise<void> {
  const { rows: tables } = await client.query(`SELECT to_regclass('_prisma_migrations') AS name`);
  if (tables[0]?.name === null) return;
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL`,
  );
  for (const { name } of rows) {
    const [, index] = INDEX_BUILT_CONCURRENTLY.exec(await readSql(name)) ?? [];
    if (!index) continue;
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${index}"`);
    await client.query(
      `UPDATE _prisma_migrations SET rolled_back_at = now()
        WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
      [name],
    );
  }
}
