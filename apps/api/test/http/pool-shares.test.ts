import type { Fixture } from '@postrider/db/testing';
import { formatId, parseId } from '@postrider/domain';
import { waitFor } from '@postrider/rig';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';

const world = useApi();

/** More than the pool has connections. */
const READS = 14;

/** The key of the advisory lock for which slow reads wait. */
const SLOW = 4_711;

/** Makes reads of the environment's figures wait, see {@link whileReadsAreSlow}. */
async function whileFiguresAreSlow(fixture: Fixture, work: () => Promise<void>): Promise<void> {
  await world.db().$executeRaw`
    INSERT INTO stats (environment_id, span_seconds, start, channel_id, event_key, error_code, latency_bucket,
                       accepted, delivered, failed, attempts)
    VALUES (${fixture.environmentId}::uuid, 3600, date_trunc('hour', now()), '00000000-0000-0000-0000-000000000000', 'order.shipped', '', -1, 1, 0, 0, 0)`;
  await whileReadsAreSlow(fixture, 'stats', work);
}

/**
 * Makes reads of the environment's rows of a table wait until `work` has ended, so that they hold their connections. A policy
 * waits, because a lock of the table would stop the operators' reads of all environments as well.
 */
async function whileReadsAreSlow(
  { environmentId }: Fixture,
  table: 'stats' | 'delivery_runs',
  work: () => Promise<void>,
): Promise<void> {
  const db = world.db();
  await db.$executeRawUnsafe(`
    CREATE OR REPLACE FUNCTION wait_until_fast() RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_lock_shared(${SLOW});
      RETURN pg_advisory_unlock_shared(${SLOW});
    END $$`);
  await db.$executeRawUnsafe(`
    CREATE POLICY slow ON ${table} AS RESTRICTIVE FOR SELECT TO postrider_api
     USING (current_setting('postrider.environments', true) <> '{${environmentId}}' OR wait_until_fast())`);
  try {
    await db.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SLOW})`;
        await work();
      },
      { timeout: 120_000 },
    );
  } finally {
    await db.$executeRawUnsafe(`DROP POLICY slow ON ${table}`);
  }
}

/** Sends requests that read slow figures, until all of them hold a connection or wait for one. */
async function startReads(send: () => PromiseLike<{ status: number }>): Promise<{ first: Promise<number> }> {
  const reads = Array.from({ length: READS }, async () => (await send()).status);
  await waitFor('reads that hold or wait for connections', () => {
    const { inUse, waiting } = world.poolUse();
    return inUse + waiting >= READS;
  });
  return { first: Promise.race(reads) };
}

describe('a tenant whose reads are slow', () => {
  it('delays neither events and reads of others, nor its own events, nor operators', async () => {
    const [slow, other] = await Promise.all([world.environment(), world.environment()]);
    const api = world.api();
    await whileFiguresAreSlow(slow, async () => {
      const { first } = await startReads(() => api.get('/api/v1/stats', slow.token));
      expect((await api.postEvent(other.token, anEvent())).status).toBe(201);
      expect((await api.get('/api/v1/messages', other.token)).status).toBe(200);
      expect((await api.postEvent(slow.token, anEvent())).status).toBe(201);
      expect((await api.admin('get', '/admin/v1/attention')).status).toBe(200);
      expect((await api.get('/readyz')).status).toBe(200);

      expect(await first).toBe(429);
    });
  });

  it('gets 429 with Retry-After for the reads beyond its share, which is no failure of the service', async () => {
    const slow = await world.environment();
    const api = world.api();
    await whileFiguresAreSlow(slow, async () => {
      const answers: { status: number; retryAfter: unknown; code: unknown }[] = [];
      await startReads(async () => {
        const { status, headers, body } = await api.get('/api/v1/stats', slow.token);
        answers.push({ status, retryAfter: headers['retry-after'], code: body.error?.code });
        return { status };
      });
      await waitFor('the refusals', () => answers.length >= READS - 2);
      const refusal = { status: 429, retryAfter: '2', code: 'rate_limited' };
      expect(answers.slice(0, READS - 2)).toEqual(Array(READS - 2).fill(refusal));
    });
  });
});

describe('operators whose reads are slow', () => {
  it('delay no tenant', async () => {
    const tenant = await world.environment();
    const api = world.api();
    const path = `/admin/v1/environments/${formatId('env', tenant.environmentId)}/stats`;
    await whileFiguresAreSlow(tenant, async () => {
      const { first } = await startReads(() => api.admin('get', path));
      expect((await api.postEvent(tenant.token, anEvent())).status).toBe(201);
      expect((await api.get('/api/v1/messages', tenant.token)).status).toBe(200);

      // Their requests are those of the installation, which cannot serve them now.
      expect(await first).toBe(503);
    });
  });
});

describe('the unsubscribe page of an environment whose recipients flood it', () => {
  it('answers 503 with Retry-After, not 429, and the pages of other environments work', async () => {
    const api = world.api();
    async function linkOf({ environmentId, token }: Awaited<ReturnType<typeof world.environment>>) {
      const { body } = await api.postEvent(token, anEvent());
      const runId = parseId('run', body.delivery_runs[0].id) ?? '';
      const { links } = await api.deps.serviceKeys.get();
      const addressHash = new Uint8Array(32);
      return `/unsubscribe/${links.encrypt({ environmentId, runId, addressHash, stream: 'news' })}`;
    }
    const [slow, other] = await Promise.all([world.environment(), world.environment()]);
    const [flooded, quiet] = await Promise.all([linkOf(slow), linkOf(other)]);
    const open = (path: string) => supertest(api.url).get(path);
    await whileReadsAreSlow(slow, 'delivery_runs', async () => {
      const busy: unknown[] = [];
      await startReads(async () => {
        const { status, headers } = await open(flooded);
        busy.push([status, headers['retry-after']]);
        return { status };
      });
      expect((await open(quiet)).status).toBe(200);
      await waitFor('the refusals', () => busy.length >= READS - 2);
      expect(busy.slice(0, READS - 2)).toEqual(Array(READS - 2).fill([503, '2']));
    });
  });
});
