import { afterAll, beforeAll, expect, it } from '@postrider/testing';
import { MANAGED_COLUMNS, MESSAGE_FIELDS } from '../src/message-fields.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('names each column of messages once, for insert, erasure and claim', async () => {
  const columns = await database.db.$queryRaw<{ name: string; type: string; nullable: boolean }[]>`
    SELECT attname AS name, format_type(atttypid, NULL) AS type, NOT attnotnull AS nullable FROM pg_attribute
     WHERE attrelid = 'messages'::regclass AND attnum > 0 AND NOT attisdropped`;
  const managed: readonly string[] = MANAGED_COLUMNS;
  const isManaged = ({ name }: { name: string }) => managed.includes(name);
  expect(columns.filter(isManaged).map(({ name }) => name)).toHaveLength(managed.length);

  const typeNames: Record<string, string> = { timestamptz: 'timestamp with time zone', bool: 'boolean' };
  const fields = Object.values(MESSAGE_FIELDS).map(({ column, type, ...rest }) => ({
    name: column,
    type: typeNames[type] ?? type,
    nullable: 'nullable' in rest,
  }));
  const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
  expect(columns.filter((column) => !isManaged(column)).sort(byName)).toEqual(fields.sort(byName));
});
