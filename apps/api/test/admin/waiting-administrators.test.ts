import { randomUUID } from 'node:crypto';
import { lockRights, type Queryable } from '@postrider/db';
import { parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const { api, db } = useApi();

type Method = 'post' | 'patch' | 'delete';
const uuidOf = (kind: 'opr' | 'otk', id: string) => parseId(kind, id) ?? '';

async function made(path: string, body: object) {
  return (await api().admin('post', `/admin/v1/${path}`, body).expect(201)).body;
}

/** An administrator with a token, and the things that their requests name. */
async function scene() {
  const code = `own-${randomUUID()}`;
  await made('roles', { code, name: 'Own', scopes: ['messages:read'] });
  const email = `${randomUUID()}@example.com`;
  const caller = await made('operators', { email, name: 'Ada', role: 'admin' });
  const other = await made('operators', { email: `x${email}`, name: 'Eve', role: 'viewer' });
  const { id: tokenId, token } = await made('operator-tokens', { name: 'cli', operator_id: caller.id });
  const victim = await made('operator-tokens', { name: 'victim', role: 'viewer' });
  return { code, callerId: caller.id, otherId: other.id, tokenId, token, victimId: victim.id };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const REQUESTS: Readonly<Record<string, (of: Scene) => [Method, string, object]>> = {
  createOperator: () => [
    'post',
    'operators',
    { email: `${randomUUID()}@example.com`, name: 'M', role: 'admin' },
  ],
  updateOperator: ({ otherId }) => ['patch', `operators/${otherId}`, { role: 'admin' }],
  createRole: () => ['post', 'roles', { code: `new-${randomUUID()}`, name: 'New', scopes: ['audit:read'] }],
  updateRole: ({ code }) => ['patch', `roles/${code}`, { scopes: ['operators:admin'] }],
  deleteRole: ({ code }) => ['delete', `roles/${code}`, {}],
  issueOperatorToken: () => ['post', 'operator-tokens', { name: 'new', role: 'admin' }],
  revokeOperatorToken: ({ victimId }) => ['delete', `operator-tokens/${victimId}`, {}],
};

const LOSSES: Readonly<Record<string, [number, (tx: Queryable, of: Scene) => Promise<unknown>]>> = {
  demoted: [
    403,
    (tx, { callerId }) =>
      tx.operator.update({ where: { id: uuidOf('opr', callerId) }, data: { role: 'viewer' } }),
  ],
  bound: [
    403,
    (tx, { callerId }) =>
      tx.operator.update({ where: { id: uuidOf('opr', callerId) }, data: { bounded: true } }),
  ],
  disabled: [
    401,
    (tx, { callerId }) =>
      tx.operator.update({ where: { id: uuidOf('opr', callerId) }, data: { disabledAt: new Date() } }),
  ],
  'without their token': [
    401,
    (tx, { tokenId }) =>
      tx.operatorToken.update({ where: { id: uuidOf('otk', tokenId) }, data: { revokedAt: new Date() } }),
  ],
};

/** The status of a request that waits for the rights while `change` takes them away from its caller. */
async function whileChanging(
  request: supertest.Test,
  change: (tx: Queryable) => Promise<unknown>,
): Promise<number> {
  const { sent } = await db().$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      await lockRights(tx as Queryable);
      const sent = Promise.all([request]);
      await until(async () => {
        const [row] = await db().$queryRaw<{ waiting: number }[]>`
          SELECT count(*)::int4 AS waiting FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`;
        return row?.waiting === 1;
      });
      await change(tx as Queryable);
      return { sent };
    },
    { timeout: 20_000 },
  );
  const [response] = await sent;
  return response.status;
}

describe('a request of an administrator that waits while they are', () => {
  it.each(
    Object.keys(LOSSES).flatMap((loss) =>
      Object.keys(REQUESTS).map((operation) => [loss, operation] as const),
    ),
  )('%s does not succeed: %s', async (loss, operation) => {
    const of = await scene();
    const [method, path, body] = REQUESTS[operation]?.(of) ?? ['post', '', {}];
    const [refused, change] = LOSSES[loss] ?? [0, async () => undefined];
    const request = supertest(api().url)
      [method](`/admin/v1/${path}`)
      .set('Authorization', `Bearer ${of.token}`)
      .send(body);
    expect(await whileChanging(request, (tx) => change(tx, of))).toBe(refused);
  });
});
