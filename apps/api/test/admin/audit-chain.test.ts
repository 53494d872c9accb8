import { chainAuditEntries } from '@postrider/db';
import { formatId } from '@postrider/domain';
import { beforeAll, describe, expect, it } from '@postrider/testing';
import { cursorsOf } from '../../src/paging/query.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const LOG = '/admin/v1/audit-log';
const cursor = cursorsOf('verifyAuditLog').format;
const read = (path: string) => world.api().admin('get', `${LOG}${path}`);

/** Appends what waits to the chain, as a worker does. */
async function chain(): Promise<void> {
  const { auditChain: key } = await world.api().deps.serviceKeys.get();
  await chainAuditEntries({ db: world.db(), key }, 1_000);
}

interface Check {
  readonly checked: number;
  readonly problem: object | null;
  readonly next_cursor: string | null;
}

/** All pages of the check, and the problems that they name. */
async function check(query = ''): Promise<{ checked: number; problems: unknown[] }> {
  const problems: unknown[] = [];
  let checked = 0;
  let next: string | null = query;
  while (next !== null) {
    const { body }: { body: Check } = await read(`/verify?${next}`).expect(200);
    checked += body.checked;
    if (body.problem) problems.push(body.problem);
    next = body.next_cursor === null ? null : `cursor=${body.next_cursor}`;
  }
  return { checked, problems };
}

async function create(code: string): Promise<void> {
  await world.api().admin('post', '/admin/v1/plans', { code, name: code }).expect(201);
}

beforeAll(async () => {
  for (const code of ['one', 'two', 'three']) await create(code);
});

describe('the hash chain of the audit log', () => {
  it('is read with what waits for it', async () => {
    const { body: before } = await read('/chain').expect(200);
    expect(before).toEqual({ head: null, waiting: 3, waiting_since: expect.any(String) });
    await chain();
    const { body } = await read('/chain').expect(200);
    expect(body).toEqual({
      head: { sequence: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/), chained_at: expect.any(String) },
      waiting: 0,
      waiting_since: null,
    });
  });

  it('is exported in its order, and continues after a sequence', async () => {
    const { body: first } = await read('/export?limit=2').expect(200);
    expect(
      first.data.map(({ sequence, resource_id }: Record<string, unknown>) => [sequence, resource_id]),
    ).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
    const { body: second } = await read(`/export?cursor=${first.next_cursor}`).expect(200);
    const { body: after } = await read('/export?after=2').expect(200);
    expect(second).toEqual(after);
    expect(after).toMatchObject({
      data: [{ sequence: 3, resource_id: 'three', actor: 'admin', hash: expect.any(String) }],
      has_more: false,
    });
    const { body: listed } = await read('?resource_id=three').expect(200);
    expect(after.data[0]).toMatchObject(listed.data[0]);
  });

  it.each([
    ['/export?after=-1', '/after'],
    ['/export?cursor=x', '/cursor'],
    ['/verify?expected_head=3', '/expected_head'],
    [`/verify?expected_head=0:${'a'.repeat(64)}`, '/expected_head'],
    [`/verify?cursor=${cursor('links:x')}`, '/cursor'],
    [`/verify?cursor=${cursor('entries:1')}`, '/cursor'],
    ['/verify?limit=1', '/limit'],
    ['/chain/x', null],
  ])('refuses %s', async (path, field) => {
    const { status, body } = await read(path);
    expect(status).toBe(field ? 422 : 404);
    if (field) expect(body.error.details).toMatchObject([{ path: field }]);
  });

  it('finds the entry that was changed by SQL, and a head that is no longer there', async () => {
    const { body: noted } = await read('/chain').expect(200);
    const head = `${noted.head.sequence}:${noted.head.hash}`;
    expect(await check(`expected_head=${head}`)).toEqual({ checked: 6, problems: [] });
    const { id } = await world.db().auditEntry.findFirstOrThrow({ where: { resourceId: 'two' } });
    await world
      .db()
      .$transaction([
        world.db().$executeRaw`ALTER TABLE audit_log DISABLE TRIGGER USER`,
        world.db().$executeRaw`UPDATE audit_log SET actor = 'mallory' WHERE id = ${id}::uuid`,
        world.db().$executeRaw`ALTER TABLE audit_log ENABLE TRIGGER USER`,
      ]);
    const changed = { kind: 'changed', sequence: 2, entry_id: formatId('aud', id) };
    expect((await check()).problems).toEqual([changed]);
    const other = `3:${'0'.repeat(64)}`;
    const { body } = await read(`/verify?expected_head=${other}`).expect(200);
    expect(body).toMatchObject({
      checked: 0,
      problem: { kind: 'head_missing', sequence: 3, entry_id: null },
    });
  });
});
