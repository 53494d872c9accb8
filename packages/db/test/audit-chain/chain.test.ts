import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import { openDatabase, readChainState, type UnboundDatabase, verifyHead } from '../../src/index.ts';
import { readWaiting } from '../../src/statements/audit-chain.ts';
import {
  chain,
  chained,
  database,
  idOf,
  problems,
  record,
  recordAll,
  tamper,
  useDatabase,
} from './support.ts';

useDatabase();

describe('the hash chain', () => {
  it('has every entry once, and an intact log has no problem', async () => {
    await recordAll('a', 'b', 'c');
    expect(await readChainState(database.db)).toMatchObject({ head: null, waiting: 3 });
    expect(await chain(2)).toBe(2);
    expect(await chain(2)).toBe(1);
    expect(await chain(2)).toBe(0);
    expect(await chained()).toEqual(['a', 'b', 'c']);
    const { head, waiting, waitingSince } = await readChainState(database.db);
    expect({ sequence: head?.sequence, waiting, waitingSince }).toEqual({
      sequence: 3,
      waiting: 0,
      waitingSince: null,
    });
    expect(await problems()).toEqual([]);
  });

  it('names an entry of which any column was changed', async () => {
    const columns = await database.db.$queryRaw<{ name: string; type: string }[]>`
      SELECT column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = 'audit_log' AND column_name <> 'id'`;
    expect(columns.length).toBeGreaterThanOrEqual(15);
    const values: Record<string, string> = {
      uuid: 'gen_random_uuid()',
      jsonb: `'{"code": "x"}'`,
      'timestamp with time zone': "created_at + interval '1 ms'",
    };
    const names = columns.map(({ name }) => name);
    await recordAll('unchanged', ...names);
    await chain();
    const ids = await Promise.all(names.map(idOf));
    await tamper(
      ...columns.map(({ name, type }, index) => {
        return `UPDATE audit_log SET ${name} = ${values[type] ?? `'other'`} WHERE id = '${ids[index]}'`;
      }),
    );
    const found = await problems();
    expect(found).toEqual(ids.map((entryId, index) => ({ kind: 'changed', sequence: index + 2, entryId })));
  });

  it.each([
    ['a value is removed', 'request_id = NULL'],
    ['a null inside a state becomes a missing field', `before = before - 'limit'`],
    ['a number gets another form', `after = jsonb_set(after, '{limit}', '1.50')`],
  ])('names an entry if %s', async (_what, change) => {
    await recordAll('a', 'b', 'c');
    await chain();
    const entryId = await idOf('b');
    await tamper(`UPDATE audit_log SET ${change} WHERE id = '${entryId}'`);
    expect(await problems()).toEqual([{ kind: 'changed', sequence: 2, entryId }]);
  });

  it('names an entry that was removed, also before it was chained', async () => {
    await recordAll('a', 'b');
    await chain();
    await record('c');
    const [b, c] = [await idOf('b'), await idOf('c')];
    await tamper(`DELETE FROM audit_log WHERE id IN ('${b}', '${c}')`);
    expect(await chain()).toBe(1);
    expect(await problems()).toEqual([
      { kind: 'removed', sequence: 2, entryId: b },
      { kind: 'removed', sequence: 3, entryId: c },
    ]);
  });

  it('notices that links were changed, removed or exchanged', async () => {
    await recordAll('a', 'b', 'c', 'd');
    await chain();
    const [b, c] = [await idOf('b'), await idOf('c')];
    await tamper(`UPDATE audit_chain SET chained_at = chained_at + interval '1 ms' WHERE sequence = 2`);
    expect(await problems()).toEqual([{ kind: 'changed', sequence: 2, entryId: b }]);
    await tamper(`UPDATE audit_chain SET chained_at = chained_at - interval '1 ms' WHERE sequence = 2`);
    await tamper(
      `UPDATE audit_chain SET entry_id = gen_random_uuid() WHERE sequence = 2`,
      `UPDATE audit_chain SET entry_id = '${b}' WHERE sequence = 3`,
      `UPDATE audit_chain SET entry_id = '${c}' WHERE sequence = 2`,
    );
    expect(await problems()).toMatchObject([
      { kind: 'changed', sequence: 2, entryId: c },
      { kind: 'changed', sequence: 3, entryId: b },
    ]);
    await tamper('DELETE FROM audit_chain WHERE sequence IN (1, 3)');
    const [first, second, ...rest] = await problems();
    expect([first, second]).toEqual([
      { kind: 'link_removed', sequence: 1, entryId: null },
      { kind: 'link_removed', sequence: 3, entryId: null },
    ]);
    expect(new Set(rest.map(({ kind, entryId }) => `${kind} ${entryId}`))).toEqual(
      new Set([`not_chained ${await idOf('a')}`, `not_chained ${b}`]),
    );
  });

  it('names an entry that was added without the trigger', async () => {
    await recordAll('a', 'b');
    await chain();
    await tamper(
      `INSERT INTO audit_log SELECT (jsonb_populate_record(entry, jsonb_build_object('id', gen_random_uuid()))).*
         FROM audit_log entry WHERE resource_id = 'a'`,
    );
    const ids = (await database.db.auditEntry.findMany({ where: { resourceId: 'a' } })).map(({ id }) => id);
    const [only] = await problems();
    expect(only).toMatchObject({ kind: 'not_chained', sequence: null });
    expect(ids).toContain(only?.entryId);
  });

  it('cannot be continued or built again without the key', async () => {
    await recordAll('a', 'b');
    await chain();
    expect(await problems({ db: database.db, key: randomBytes(32) })).toMatchObject([
      { kind: 'changed', sequence: 1 },
      { kind: 'changed', sequence: 2 },
    ]);
  });

  it('that was cut off at its end, or built again, does not have the head that was noted before', async () => {
    await recordAll('a', 'b', 'c');
    await chain();
    const { head } = await readChainState(database.db);
    if (!head) throw new Error('nothing is chained');
    await record('d');
    await chain();
    expect(await verifyHead(database.db, head)).toBeNull();
    await tamper(
      'DELETE FROM audit_log WHERE id IN (SELECT entry_id FROM audit_chain WHERE sequence >= 3)',
      'DELETE FROM audit_chain WHERE sequence >= 3',
    );
    expect(await problems()).toEqual([]);
    const missing = { kind: 'head_missing', sequence: 3, entryId: null };
    expect(await verifyHead(database.db, head)).toEqual(missing);
    await recordAll('forged');
    await chain();
    expect(await problems()).toEqual([]);
    expect(await verifyHead(database.db, head)).toEqual(missing);
  });

  it('has digests of entries that do not depend on the time zone of the session', async () => {
    await recordAll('a', 'b');
    const other = openDatabase(database.url, { poolSize: 1 }) as UnboundDatabase;
    const digests = async (db: UnboundDatabase) =>
      (await readWaiting(db, { limit: 10 })).map(({ digest }) => digest);
    try {
      // After the service has set that of its sessions.
      await other.$queryRaw`SELECT set_config('TimeZone', 'Asia/Kolkata', false)`;
      const found = await digests(database.db);
      expect(found).toEqual([expect.any(Uint8Array), expect.any(Uint8Array)]);
      expect(await digests(other)).toEqual(found);
    } finally {
      await other.$disconnect();
    }
  });
});
