import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** Runs a statement on a connection of its own. */
export async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Runs something with a database without tables, beside the one of `besides`, which has these `options` of CREATE DATABASE. */
export async function withEmptyDatabase<T>(
  besides: string,
  use: (url: string) => Promise<T>,
  options = '',
): Promise<T> {
  const name = `postrider_empty_${randomBytes(6).toString('hex')}`;
  const url = new URL(besides);
  await query(besides, `CREATE DATABASE ${name} TEMPLATE template0 ${options}`);
  url.pathname = `/${name}`;
  try {
    return await use(url.href);
  } finally {
    await query(besides, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** The values of the column `line`. */
export const lines = async (url: string, sql: string) =>
  (await query<{ line: string }>(url, sql)).map(({ line }) => line);

/** The definitions of all indexes. */
export const INDEXES = `
  SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`;
