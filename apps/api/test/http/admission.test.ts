import { once } from 'node:events';
import { Readable } from 'node:stream';
import { orRefusal } from '@postrider/domain';
import { createFairSemaphore } from '@postrider/fairness';
import { describe, expect, it } from '@postrider/testing';
import { admitRequest, readBody } from '../../src/http/admission.ts';
import { ClientGoneError } from '../../src/http/request.ts';
import { createProduct } from '../portal/support.ts';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { errorCodeOf, sendRaw, statusesOf } from '../support/raw-client.ts';

const world = useApi();
const KIB = 1_024;
const BOUNDS = { total: 400 * KIB, perOwner: 300 * KIB, waitMs: 50, maxWaitingPerOwner: 2, maxWaiting: 3 };

function fakeRequest({ closed = false } = {}) {
  const http = { headers: {}, socket: { destroyed: false } };
  const res = { closed, once: () => undefined, socket: http.socket };
  return { http: http as never, res: res as never, use: 'ignored', limit: 0 } as const;
}

describe('a request that is refused while it waits for room', () => {
  it('holds nothing when it is admitted', async () => {
    const bytes = createFairSemaphore({ ...BOUNDS, total: 10_000, perOwner: 10_000, waitMs: 1_000 });
    const first = bytes.tryAcquire({ owner: 'a', weight: 10_000 });
    const asked = { ...fakeRequest({ closed: true }), holder: { owner: 'a' } };
    const waiting = orRefusal(() => admitRequest(bytes, asked));
    first?.release();
    await waiting;
    expect(bytes.tryAcquire({ owner: 'a', weight: 10_000 })).not.toBeNull();
  });

  it('gets 429 if the share of its owner is spent, and 503 if everything is', async () => {
    const bytes = createFairSemaphore({ ...BOUNDS, total: 100 * KIB, perOwner: 60 * KIB, waitMs: 1 });
    const ask = (owner: string) =>
      orRefusal(() => admitRequest(bytes, { ...fakeRequest(), holder: { owner } }));
    bytes.tryAcquire({ owner: 'a', weight: 60 * KIB });
    expect(await ask('a')).toMatchObject({ refused: 'rate_limited', headers: { 'Retry-After': '1' } });
    bytes.tryAcquire({ owner: 'b', weight: 40 * KIB });
    expect(await ask('c')).toMatchObject({
      refused: 'service_unavailable',
      headers: { 'Retry-After': '1' },
    });
  });
});

describe('a body in several pieces', () => {
  const PIECES = Array.from({ length: 5 }, (_, index) => Buffer.alloc(64_000, index));
  const BODY = Buffer.concat(PIECES);
  const read = (headers: Record<string, string>) =>
    readBody(Object.assign(Readable.from(PIECES), { headers }) as never, 1_024 * KIB);

  it('takes no more memory than its Content-Length', async () => {
    const body = await read({ 'content-length': String(BODY.length) });

    expect(body?.buffer.byteLength).toBe(BODY.length);
    expect(BODY.equals(body ?? Buffer.alloc(0))).toBe(true);
  });

  it('takes at most twice its length if that is not known', async () => {
    const body = await read({ 'transfer-encoding': 'chunked' });

    expect(body?.buffer.byteLength).toBeLessThan(2 * BODY.length);
    expect(BODY.equals(body ?? Buffer.alloc(0))).toBe(true);
  });

  it('is not waited for if its client left before it was read', async () => {
    const request = Object.assign(new Readable({ read() {} }), { headers: { 'content-length': '60' } });
    request.push(Buffer.alloc(30));
    await once(request.destroy(), 'close');

    await expect(readBody(request as never, KIB)).rejects.toThrow(ClientGoneError);
  });
});

describe('a tenant with endless bodies', () => {
  it('gets 429 when its share is exhausted, and others are served', async () => {
    const greedy = await world.environment();
    const others = await Promise.all([world.environment(), world.environment()]);
    const api = await world.more({ bytesInFlight: createFairSemaphore(BOUNDS) });
    const open = await Promise.all(
      Array.from({ length: 2 }, () =>
        sendRaw(
          api.url,
          'POST /api/v1/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n' +
            `Content-Type: application/json\r\nAuthorization: Bearer ${greedy.token}\r\n\r\n1\r\n{\r\n`,
        ),
      ),
    );
    // One of the two waits for bytes of its own tenant, is refused, and the connection stays.
    const refused = await Promise.race(open.map(({ answered }) => answered));
    expect(statusesOf(refused)).toEqual([429]);
    expect(refused).toMatch(/^retry-after: 1\r$/im);
    expect(errorCodeOf(refused)).toBe('rate_limited');

    for (const { token } of others) expect((await api.postEvent(token, anEvent())).status).toBe(201);
    for (const { socket, closed } of open) {
      socket.destroy();
      await closed;
    }
    expect((await api.postEvent(greedy.token, anEvent())).status).toBe(201);
  });
});

describe('a consumer with endless bodies', () => {
  it('gets 429 when the share of consumers is exhausted, and events of its tenant are accepted', async () => {
    const { token, consumer } = await createProduct(world);
    const { token: ofConsumer } = await consumer('org_1');
    const api = await world.more({
      bytesInFlight: createFairSemaphore({ ...BOUNDS, total: 800 * KIB, perOwner: 260 * KIB }),
    });
    const open = await Promise.all(
      Array.from({ length: 2 }, () =>
        sendRaw(
          api.url,
          'POST /api/v1/consumers/org_1/channels HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n' +
            `Content-Type: application/json\r\nAuthorization: Bearer ${ofConsumer}\r\n\r\n1\r\n{\r\n`,
        ),
      ),
    );
    expect(statusesOf(await Promise.race(open.map(({ answered }) => answered)))).toEqual([429]);
    expect((await api.postEvent(token, anEvent({ consumer: 'org_1' }))).status).toBe(201);
    for (const { socket, closed } of open) {
      socket.destroy();
      await closed;
    }
  });
});
