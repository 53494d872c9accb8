import { describe, expect, it } from '@postrider/testing';
import { type Admitted, admitRequest, createAdmission, type Ticket } from '../../src/http/admission.ts';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { errorCodeOf, sendRaw, statusesOf } from '../support/raw-client.ts';

const world = useApi();
const KIB = 1_024;
const bounds = { total: 400 * KIB, share: 300 * KIB, waitMs: 50, waitingPerHolder: 2, waiting: 3 };

async function ticketOf(admitted: Admitted | Promise<Admitted>): Promise<Ticket> {
  const settled = await admitted;
  if (settled.outcome !== 'admitted') throw new Error(`refused: ${settled.full}`);
  return settled.ticket;
}

describe('bytes in flight', () => {
  it('leave room for others when one holder takes all it can', async () => {
    const admit = createAdmission({ total: 100, share: 40, waitMs: 10, waitingPerHolder: 5, waiting: 50 });
    for (const _ of Array(4)) await ticketOf(admit('greedy', 10));
    expect(await admit('greedy', 10)).toEqual({ outcome: 'refused', full: 'share' });
    for (const holder of ['b', 'c']) for (const _ of Array(3)) await ticketOf(admit(holder, 10));
    expect(await admit('d', 10)).toEqual({ outcome: 'refused', full: 'total' });
  });

  it('go to the waiting holder that has the least, in the order of arrival', async () => {
    const admit = createAdmission({ total: 100, share: 90, waitMs: 1_000, waitingPerHolder: 9, waiting: 50 });
    const first = await ticketOf(admit('greedy', 50));
    const second = await ticketOf(admit('greedy', 40));
    const order: string[] = [];
    const waiting = ['greedy 1', 'greedy 2', 'modest'].map(async (name) => {
      const ticket = await ticketOf(admit(name.split(' ')[0] ?? '', 40));
      order.push(name);
      return ticket;
    });
    second.leave();
    second.leave();
    await waiting[2];
    first.leave();
    await Promise.all(waiting.slice(0, 1));
    expect(order).toEqual(['modest', 'greedy 1']);
    (await waiting[0])?.leave();
    await waiting[1];
  });

  it('charge what a response adds, and nothing after the end', async () => {
    const admit = createAdmission({ total: 100, share: 50, waitMs: 5, waitingPerHolder: 9, waiting: 9 });
    const ticket = await ticketOf(admit('a', 10));
    ticket.add(60);
    expect(await admit('a', 1)).toEqual({ outcome: 'refused', full: 'share' });
    ticket.leave();
    ticket.add(60);
    await ticketOf(admit('a', 50));
  });
});

describe('a request that is answered while it waits for room', () => {
  it('holds nothing once it is admitted', async () => {
    const admit = createAdmission({
      total: 10_000,
      share: 10_000,
      waitMs: 1_000,
      waitingPerHolder: 9,
      waiting: 9,
    });
    const first = await ticketOf(admit('a', 10_000));
    const http = { headers: {}, socket: { destroyed: false }, res: { closed: true, once: () => undefined } };
    const waiting = admitRequest(admit, { http: http as never, holder: 'a', use: 'ignored', limit: 0 });
    first.leave();
    await waiting;
    await ticketOf(admit('a', 10_000));
  });
});

describe('a tenant whose bodies do not end', () => {
  it('gets 429 when its share is used up, and others are served', async () => {
    const greedy = await world.environment();
    const others = await Promise.all([world.environment(), world.environment()]);
    const api = await world.more({ admit: createAdmission(bounds) });
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
    const refused = await Promise.any(
      open.map(async (client) => {
        while (client.received() === '') await new Promise(setImmediate);
        return client.received();
      }),
    );
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
